"""Programs and tokens as a user of the playground writes them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from raspl.errors import RasplError
from raspl.language.parsing.resuming import Memory
from raspl.language.source import Source
from raspl.loading import Checked, check_source
from raspl.program import Program

FILE = "program"
"""What diagnostics call the text."""


_MEMORY = Memory()
"""Of the texts that this process checked last: the next one is most often one of them, edited."""


@lru_cache(maxsize=2)
def check_text(text: str) -> Checked:
    """What is in a text. It is traced right after it was checked, so the last ones are kept."""
    return check_source(Source(text, FILE), memory=_MEMORY)


def find_program(text: str, name: str) -> Program:
    """The program of a text by its name, or the last one."""
    checked = check_text(text)
    programs = checked.programs
    if not programs:
        wrong = [found for found in checked.diagnostics if not found.rule.is_warning]
        if wrong:
            where = f"line {wrong[0].span.line}"
            raise RasplError(f"fix the program first: {where}, {wrong[0].message}")
        raise RasplError("there is no program yet: write `def f(x):` and return a sequence")
    if name and name not in programs:
        raise RasplError(f"there is no legal program {name!r} in the text")
    return programs[name] if name else max(programs.values(), key=lambda each: each.first_line)


def token_names(program: Program) -> Mapping[str, int]:
    """The names that a program has for its tokens: its vocabulary, else its constants."""
    vocabulary = program.graph.vocabulary
    return program.graph.constants if vocabulary is None else vocabulary.numbers


def read_tokens(program: Program, text: str) -> list[list[int]]:
    """The sequences that a user wrote, tokens by number or by name; a / begins the next one."""
    found: list[list[int]] = [[]]
    for word in text.replace(",", " ").split():
        if word == "/":
            found.append([])
        else:
            found[-1].append(_token(program, word))
    return found


def end_token(program: Program, until: str) -> int | None:
    """The token that ends a generation: the one that was named, else the program's own."""
    return _token(program, until) if until else program.end_token


def _token(program: Program, word: str) -> int:
    vocabulary = program.graph.vocabulary
    if vocabulary is not None:
        found = vocabulary.read(word)
        if found is None:
            raise RasplError(f"`{word[:30]}` is not a token: the tokens are {vocabulary.listed()}")
        return found
    names = program.graph.constants
    if word in names:
        return names[word]
    try:
        return int(word[:10])
    except ValueError:
        known = ", ".join(list(names)[:8])
        also = f" or one of {known}" if known else ""
        raise RasplError(f"`{word[:30]}` is not a token: write integers{also}") from None
