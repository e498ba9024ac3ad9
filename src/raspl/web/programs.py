"""Programs and tokens as a user of the playground writes them."""

from __future__ import annotations

from collections.abc import Mapping

from raspl.errors import RasplError
from raspl.language.source import Source
from raspl.loading import check_source
from raspl.program import Program

FILE = "program"
"""What diagnostics call the text."""
ENDS = ("END", "EOS", "EoS", "STOP")
"""Constants that end a generation if the user names no other token."""


def find_program(text: str, name: str) -> Program:
    """The program of a text by its name, or the last one."""
    checked = check_source(Source(text, FILE))
    programs = checked.programs
    if not programs:
        wrong = [found for found in checked.diagnostics if not found.rule.is_warning]
        if wrong:
            where = f"line {wrong[0].span.line}"
            raise RasplError(f"the program has to be mended first: {where}, {wrong[0].message}")
        raise RasplError("there is no program yet: write `def f(x):` and return a sequence")
    if name and name not in programs:
        raise RasplError(f"there is no legal program {name!r} in the text")
    return programs[name] if name else max(programs.values(), key=lambda each: each.first_line)


def read_tokens(program: Program, text: str) -> list[list[int]]:
    """The sequences that a user wrote, tokens by number or by name; a / begins the next one."""
    constants = program.graph.constants
    found: list[list[int]] = [[]]
    for word in text.replace(",", " ").split():
        if word == "/":
            found.append([])
        else:
            found[-1].append(_token(word, constants))
    return found


def end_token(program: Program, until: str) -> int | None:
    """The token that ends a generation: the one that was named, else the program's own."""
    constants = program.graph.constants
    if until:
        return _token(until, constants)
    return next((constants[name] for name in ENDS if name in constants), None)


def _token(word: str, constants: Mapping[str, int]) -> int:
    if word in constants:
        return constants[word]
    try:
        return int(word[:10])
    except ValueError:
        names = ", ".join(list(constants)[:8])
        also = f" or one of {names}" if names else ""
        raise RasplError(f"`{word[:30]}` is no token: write integers{also}") from None
