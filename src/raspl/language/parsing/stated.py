"""The vocabulary that a text states: `TOKENS = ["SoS", ">", "EoS", *"abc", *range(10)]`.

It is read as data like everything else: strings, integers, and these two ways to write many at
once. Nothing is called.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from raspl.errors import RasplError
from raspl.language.limits import MAX_VOCABULARY
from raspl.language.parsing.clipping import clip
from raspl.language.rules import Violation
from raspl.language.vocabulary import STATED_AS, Vocabulary, checked

REMEDY = (
    f'write {STATED_AS} = ["a", "b", …], which numbers the names from 0, or {{"a": 7, …}}; '
    '*"abc" and *range(10) stand for many names'
)


def read_vocabulary(node: ast.expr) -> Vocabulary:
    """The vocabulary that an expression writes down. Raises Violation if it is none."""
    try:
        return checked(_pairs(node))
    except RasplError as error:
        raise Violation("R208", str(error), REMEDY) from None


def with_given(stated: Vocabulary, given: Vocabulary | None) -> Vocabulary:
    """What a text states, with the names that whoever reads it knows."""
    if given is None:
        return stated
    try:
        return given.with_names(stated)
    except RasplError as error:
        message = f"the text contradicts the tokens that were given: {error}"
        raise Violation("R208", message, f"correct {STATED_AS}, or give other tokens") from None


def _pairs(node: ast.expr) -> Iterator[tuple[str, int]]:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            names = (name for item in items for name in _names(item))
            yield from ((name, number) for number, name in enumerate(names))
        case ast.Constant(value=str() as letters):
            yield from ((letter, number) for number, letter in enumerate(letters))
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                yield _name(key), _integer(value)
        case _:
            raise _none(node)


def _names(item: ast.expr) -> Iterator[str]:
    """The names that one item of a list stands for."""
    match item:
        case ast.Starred(value=ast.Constant(value=str() as letters)):
            yield from letters
        case ast.Starred(value=ast.Call(func=ast.Name(id="range"), args=[*ends], keywords=[])) if (
            len(ends) in (1, 2)
        ):
            numbers = range(*map(_integer, ends))
            if len(numbers) > MAX_VOCABULARY:
                raise RasplError(f"a vocabulary has at most {MAX_VOCABULARY:,} tokens")
            yield from map(str, numbers)
        case _:
            yield _name(item)


def _name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise _none(node)


def _integer(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() as value) if value.bit_length() < 32:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_integer(operand)
    raise _none(node)


def _none(node: ast.expr | None) -> RasplError:
    shown = "**" if node is None else clip(node)
    return RasplError(f"`{shown}` does not name tokens")
