"""The names that mean something at a place of a text, with signatures and documentation.

A text is mostly looked at while it is being written, when Python's parser refuses it. So its own
names are found line by line; what stands in strings or comments is skipped by the indentation that
an assignment or a `def` must have.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from inspect import Signature
from typing import Any, Literal

from raspl.language.parsing.scope import TYPE_NAMES
from raspl.language.parsing.stated import read_vocabulary
from raspl.language.public import comparisons, core_functions
from raspl.language.rules import Violation
from raspl.language.vocabulary import STATED_AS
from raspl.program import library_programs

Kind = Literal["function", "comparison", "variable", "parameter", "constant", "type", "keyword"]
_FUNCTION = re.compile(r"def\s+(\w+)\s*\((.*)")
_ASSIGNED = re.compile(r"(\s*)([^\W\d]\w*)\s*(?::[^=]*)?=(?!=)(.*)")
_STATED = re.compile(rf"^{STATED_AS}\s*=(?!=)(.*)$", re.MULTILINE)
_PARAMETER = re.compile(r"\s*([^\W\d]\w*)")
MOST_LINES = 5_000
"""Lines of a text above the cursor that are searched for names."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name: what kind it is of, how it is called, and what it does."""

    name: str
    kind: Kind
    signature: str = ""
    """For a function its name and parameters; for a constant its value."""
    doc: str = ""
    parameters: tuple[str, ...] = ()
    """As they are shown: `n`, `default=None`."""
    line: int = 0
    """Where the text defines it; 0 for what raspl brings."""

    def as_json(self) -> dict[str, Any]:
        """For an editor."""
        return {
            "name": self.name,
            "kind": self.kind,
            "signature": self.signature,
            "doc": self.doc,
        }


@cache
def language_names() -> dict[str, Symbol]:
    """The core, the comparisons and the library."""
    core: dict[str, Any] = core_functions()
    compared: dict[str, Any] = comparisons()
    found = [_callable(name, "function", function) for name, function in core.items()]
    found += [_callable(name, "comparison", function) for name, function in compared.items()]
    found += [_callable(name, "function", each) for name, each in library_programs().items()]
    found.append(Symbol("program", "keyword", "@program", "Marks a function as a RASP-L program."))
    found += [Symbol(name, "type", name, _TYPES[name]) for name in TYPE_NAMES]
    return {symbol.name: symbol for symbol in found}


_TYPES = {
    "Int": "A bounded integer: 8 bits, or 16 with @program(bits=16).",
    "Bool": "0 or 1: what comparisons give, and what & | ~ take.",
    "Index": "A position, from indices(x): it can be compared, shifted by a literal and selected.",
    "Count": "How many keys were selected, from sel_width; it follows the rules of Index.",
}


def _callable(name: str, kind: Kind, function: Any) -> Symbol:
    signature: Signature = function.__signature__
    parameters = tuple(str(each) for each in signature.parameters.values())
    return Symbol(name, kind, f"{name}{signature}", function.__doc__ or "", parameters)


def token_names(text: str) -> list[Symbol]:
    """The names of tokens that a text states, in a statement that stands on one line."""
    match = _STATED.search(text)
    try:
        statement = ast.parse(match[1].strip(), mode="eval").body if match else None
        vocabulary = None if statement is None else read_vocabulary(statement)
    except (SyntaxError, ValueError, RecursionError, MemoryError, Violation):
        vocabulary = None
    numbers = {} if vocabulary is None else vocabulary.numbers
    return [
        Symbol(name, "constant", str(number), f"token {number}") for name, number in numbers.items()
    ]


def names_at(text: str, line: int) -> dict[str, Symbol]:
    """What the text itself names, as seen from a line: inner names hide outer ones."""
    lines = text.split("\n")
    start = _enclosing(lines, line)
    found = {symbol.name: symbol for symbol in _top_level(lines)}
    if start is not None:
        found |= {symbol.name: symbol for symbol in _local(lines, start, line)}
    return found


def _enclosing(lines: list[str], line: int) -> int | None:
    """The line, from 0, of the function that a line stands in."""
    for number in range(min(line, len(lines)) - 1, -1, -1):
        text = lines[number]
        if text.startswith("def "):
            return number
        if text[:1].strip() and not text.startswith(("#", ")", "@", '"')) and number != line - 1:
            return None
    return None


def _top_level(lines: list[str]) -> Iterator[Symbol]:
    for number, text in enumerate(lines[:MOST_LINES]):
        if text.startswith("def "):
            if match := _FUNCTION.match(text):
                yield _own_function(match[1], match[2], lines, number)
        elif (match := _ASSIGNED.match(text)) and not match[1]:
            value = match[3].split("#")[0].strip()
            yield Symbol(match[2], "constant", value, f"{match[2]} = {value}", line=number + 1)


def _own_function(name: str, rest: str, lines: list[str], number: int) -> Symbol:
    parameters = tuple(each.strip() for each in _inside(rest).split(",") if each.strip())
    following = lines[number + 1].strip() if number + 1 < len(lines) else ""
    doc = following.strip('"').strip() if following.startswith('"""') else ""
    shown = f"{name}({', '.join(parameters)})"
    return Symbol(name, "function", shown, doc, parameters, number + 1)


def _inside(rest: str) -> str:
    """What stands before the parenthesis that closes."""
    return rest.partition(")")[0]


def _local(lines: list[str], start: int, line: int) -> Iterator[Symbol]:
    """Parameters, then the assignments above the line."""
    match = _FUNCTION.match(lines[start])
    for part in _inside(match[2]).split(",") if match else []:
        if parameter := _PARAMETER.match(part):
            yield Symbol(parameter[1], "parameter", part.strip(), line=start + 1)
    for number in range(max(start + 1, line - MOST_LINES), min(line - 1, len(lines))):
        if (match := _ASSIGNED.match(lines[number])) and match[1]:
            yield Symbol(match[2], "variable", line=number + 1)
