"""Why an expression is refused, and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from raspl.language.limits import MAX_GUESSED_AMONG, MAX_GUESSED_LENGTH
from raspl.language.parsing import idioms
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import Frame
from raspl.language.parsing.scope import (
    BUILTIN,
    Beside,
    Core,
    Definition,
    Foreign,
    Meaning,
    Missing,
    Package,
    Scalar,
)
from raspl.language.rules import Violation
from raspl.words import either, guesses


def unknown(name: str, meaning: Meaning | None, frame: Frame) -> Violation:
    """Why a name means nothing here, and what may have been meant."""
    functions = "use core, library and RASP-L functions and integer constants"
    if isinstance(meaning, Missing):
        message = f"{meaning.where} has no RASP-L function `{meaning.name}`"
        return Violation("R201", message, _meant(meaning.name, BUILTIN.names()) or functions)
    if isinstance(meaning, Foreign | Package | Beside):
        what = "the package raspl"
        if not isinstance(meaning, Package):
            what = meaning.what if isinstance(meaning, Foreign) else f"the file {meaning.file}"
        return Violation("R201", f"`{name}` is {what}, which RASP-L does not know", functions)
    if name in idioms.NAMES:
        return Violation("R201", f"`{name}` is Python, not RASP-L", idioms.NAMES[name])
    if name in idioms.LOOKING_AHEAD:
        message = f"there is no `{name}`: {idioms.AHEAD}"
        return Violation("R201", message, idioms.EARLIER)
    if isinstance(BUILTIN.find(name), Core | Definition | Scalar):
        # Only where Python itself looks names up can one of these be unknown.
        message = f"`{name}` is not imported, and Python runs this file"
        return Violation("R201", message, f"add `from raspl import {name}`")
    guess = ""
    if frame.report.guesses_left > 0:
        frame.report.guesses_left -= 1
        guess = _meant(name, chain(frame.values, frame.definition.scope.names()))
    define = "assign it first, define it above, or import it from raspl"
    return Violation("R201", f"`{name}` is not known here", guess or define)


def _meant(name: str, known: Iterable[str]) -> str:
    if len(name) > MAX_GUESSED_LENGTH:
        return ""
    short = (each for each in known if len(each) <= MAX_GUESSED_LENGTH)
    close = guesses(name, islice(short, MAX_GUESSED_AMONG))
    return f"did you mean {either([f'`{each}`' for each in close])}?" if close else ""


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def searchable(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of an illegal expression that may hold mistakes of their own.

    Lambdas and comprehensions have variables of their own, so what is inside can't be judged.
    """
    if isinstance(node, (ast.Lambda, ast.JoinedStr, *COMPREHENSIONS)):
        return
    if isinstance(node, ast.NamedExpr):
        yield node.value
        return
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        yield from (node.value, *node.slice.elts)
        return
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Slice):
            yield from (part for part in (child.lower, child.upper, child.step) if part)
            continue
        part = child.value if isinstance(child, ast.Starred | ast.keyword) else child
        if isinstance(part, ast.expr) and not isinstance(part, ast.Lambda):
            yield part


def refusal(node: ast.expr) -> Violation:
    """Why an expression that is never legal is not, and what to write instead."""
    text = clip(node)
    match node:
        case ast.IfExp():
            instead = "choose with where(condition, a, b)"
            return Violation("R102", f"`{text}` is a conditional expression", instead)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            instead = "use tok_map(x, lambda a: …) for each position"
            return Violation("R103", f"`{text}` is a comprehension", instead)
        case ast.Subscript(slice=ast.Slice()):
            return Violation("R105", f"`{text}` is a slice", idioms.of_subscript(node))
        case ast.Subscript():
            return Violation("R104", f"`{text}` picks by subscript", idioms.of_subscript(node))
        case ast.Attribute():
            message = f"`{text}` is an attribute, and RASP-L has none"
            return Violation("R106", message, idioms.of_attribute(node))
        case ast.BoolOp():
            word, sign = ("and", "&") if isinstance(node.op, ast.And) else ("or", "|")
            instead = f"write `{sign}` between conditions in parentheses: (a == 1) {sign} (b == 2)"
            return Violation("R111", f"`{text}` uses `{word}`", instead)
        case ast.NamedExpr():
            return Violation("R108", f"`{text}` assigns inside of an expression", "use a line")
        case ast.Constant(value=float() | complex()):
            return Violation("R113", f"`{text}` is not an integer", "use integers; `//` divides")
        case ast.Lambda():
            instead = "give it to tok_map, seq_map, select or kqv directly, after the sequences"
            return Violation("R206", "a lambda is used here as a value", instead)
        case ast.JoinedStr():
            instead = 'a string is a token\'s name, and nothing is put into it: write "a"'
            return Violation("R113", f"`{text}` is an f-string", instead)
        case ast.Tuple() | ast.List() | ast.Set():
            instead = "a program makes one sequence at a time; full(x, 7) is a constant one"
            return Violation("R113", f"`{text}` is several values, not a sequence", instead)
        case ast.Yield() | ast.YieldFrom() | ast.Await():
            instead = "a program returns the values of all positions at once: `return sequence`"
            return Violation("R113", f"`{text}` is not RASP-L", instead)
        case ast.Dict():
            instead = "write the table as a function: tok_map(x, lambda a: 5 if a == 1 else 7)"
            return Violation("R113", f"`{text}` is a dictionary", instead)
    return Violation("R113", f"`{text}` is not an expression of RASP-L", "use integers and calls")
