"""Why an expression is refused, and what to write instead."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from raspl.language.limits import MAX_GUESSED_AMONG, MAX_GUESSED_LENGTH
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import Frame
from raspl.language.parsing.scope import BUILTIN, Foreign, Meaning, Missing, Package
from raspl.language.rules import Violation
from raspl.words import either, guesses

PYTHON_HINTS = {
    "len": "the length of the input is not known causally; use indices(x), the position so far",
    "range": "indices(x) holds 0, 1, 2, …",
    "sum": "count positions with cumsum(condition)",
    "max": "use maximum(x) for the greatest so far, or seq_map(x, y, max)",
    "min": "use minimum(x) for the least so far, or seq_map(x, y, min)",
    "abs": "use tok_map(x, abs)",
    "int": "values are integers already, and an index can't be turned into one",
    "float": "values are integers",
    "sorted": "see the shipped program `sort`",
    "reversed": "reversal is not causal; attention looks values up instead",
    "print": "use `raspl trace` to see every intermediate",
}


def unknown(name: str, meaning: Meaning | None, frame: Frame) -> Violation:
    """Why a name means nothing here, and what may have been meant."""
    functions = "use core, library and RASP-L functions and integer constants"
    if isinstance(meaning, Missing):
        message = f"raspl has no RASP-L function `{meaning.name}`"
        return Violation("R201", message, _meant(meaning.name, BUILTIN.names()) or functions)
    if isinstance(meaning, Foreign | Package):
        what = meaning.what if isinstance(meaning, Foreign) else "the package raspl"
        return Violation("R201", f"`{name}` is {what}, which RASP-L does not know", functions)
    if name in PYTHON_HINTS:
        return Violation("R201", f"`{name}` is Python, not RASP-L", PYTHON_HINTS[name])
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
    if isinstance(node, (ast.Lambda, *COMPREHENSIONS)):
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
            instead = "use shift_right(x, n), or mask(x, condition) to blank positions"
            return Violation("R105", f"`{text}` is a slice", instead)
        case ast.Subscript():
            instead = "look values up by attention: index_select(x, idx) or induct(k, q, offset)"
            return Violation("R104", f"`{text}` picks by subscript", instead)
        case ast.Attribute():
            instead = "call core, library and RASP-L functions on sequences"
            return Violation("R106", f"`{text}` reaches into an attribute", instead)
        case ast.BoolOp():
            return Violation("R111", f"`{text}` uses `and` or `or`", "write `&` or `|`")
        case ast.NamedExpr():
            return Violation("R108", f"`{text}` assigns inside of an expression", "use a line")
        case ast.Constant(value=float() | complex()):
            return Violation("R113", f"`{text}` is not an integer", "use integers; `//` divides")
        case ast.Lambda():
            instead = "give it to tok_map, seq_map, select or kqv directly"
            return Violation("R206", "a lambda stands here as a value", instead)
    return Violation("R113", f"`{text}` is not an expression of RASP-L", "use integers and calls")
