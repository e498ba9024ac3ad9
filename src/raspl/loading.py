"""Programs out of texts and files that need not be trusted: read as data, never executed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic, IllegalProgram
from raspl.language.parsing.frames import Report
from raspl.language.parsing.module import (
    build,
    build_helpers,
    check_module,
    is_task,
    parse_module,
    unreadable,
)
from raspl.language.parsing.resuming import Memory
from raspl.language.source import Source, UnreadableSource, read
from raspl.language.vocabulary import Vocabulary
from raspl.program import Program, raise_on_violations

TokenNames = Vocabulary | Sequence[str] | Mapping[str, int]
"""Names that are numbered from 0, or names with their numbers."""


class Checked(NamedTuple):
    """What `check` found: the legal programs by name, and every diagnostic."""

    programs: dict[str, Program]
    diagnostics: list[Diagnostic]

    @property
    def ok(self) -> bool:
        """Whether nothing is illegal; there may be warnings."""
        return all(diagnostic.rule.is_warning for diagnostic in self.diagnostics)


def check(source: str | Path, bits: int | None = None, tokens: TokenNames | None = None) -> Checked:
    """Check a text or a file: the legal programs in it, and everything that is wrong or odd.

    A Path is a file. A string is a file if it is a single line that ends in `.py` or names a file
    that exists; every other string is the text itself. Nothing is executed, and nothing illegal
    is raised: the violations are in the result, which unpacks into programs and diagnostics.
    `tokens` names the tokens, as `TOKENS` in the text does.

    >>> programs, diagnostics = check("def f(x): return x + 1")
    >>> programs["f"]([1, 2]).tolist()
    [2, 3]
    >>> check("def f(x): return x[0]").ok
    False
    """
    if isinstance(source, Path) or _is_path(source):
        return check_file(source, bits, tokens)
    return check_source(Source(source), bits, tokens)


def _is_path(source: str) -> bool:
    return "\n" not in source and (source.endswith(".py") or os.path.isfile(source))


def check_source(
    source: Source,
    bits: int | None = None,
    tokens: TokenNames | None = None,
    memory: Memory | None = None,
) -> Checked:
    """As `check`, for a text with the name that diagnostics give it.

    Whoever checks a text after every key gives the same memory to each check, which makes it fast.
    """
    module = parse_module(source, vocabulary=_vocabulary(tokens))
    graphs = check_module(module, bits, memory)
    graphs |= build_helpers(module, graphs, bits, memory)
    programs = {
        name: Program.of_graph(graph, module.definitions[name]) for name, graph in graphs.items()
    }
    return Checked(programs, module.report.diagnostics)


def check_file(
    path: str | Path, bits: int | None = None, tokens: TokenNames | None = None
) -> Checked:
    """As `check`, for a file; one that can't be decoded gives a diagnostic too."""
    try:
        source = read(path)
    except UnreadableSource as error:
        return Checked({}, unreadable(error, str(path)).diagnostics)
    _refuse_task(source, path)
    return check_source(source, bits, tokens)


def _refuse_task(source: Source, path: str | Path) -> None:
    if is_task(source):
        raise RasplError(
            f"{path} is a task, not a program: it defines `task = Task(…)`; give it to "
            "`raspl sample`, `raspl train` or `raspl predict`"
        )


def looks_like_program(path: str | Path) -> bool:
    """Whether a file means to be RASP-L: its functions carry @program, or are legal as they are."""
    try:
        module = parse_module(read(path))
    except UnreadableSource:
        return False
    graphs = check_module(module)
    return bool(module.decorated or (graphs and not module.report.violations))


def parse(
    text: str, bits: int | None = None, tokens: TokenNames | None = None
) -> dict[str, Program]:
    """The programs of a text, by name. Nothing in it is executed.

    `tokens` names the tokens, as `TOKENS` in the text does. Raises IllegalProgram with every
    violation.

    >>> parse("def double(x): return x + x")["double"]([1, 2]).tolist()
    [2, 4]
    """
    return _legal(check_source(Source(text), bits, tokens))


def load_one(
    path: str | Path, name: str, bits: int | None = None, tokens: TokenNames | None = None
) -> Program:
    """One program of a file, whatever its neighbours are like."""
    try:
        source = read(path)
    except UnreadableSource as error:
        raise IllegalProgram(unreadable(error, str(path)).diagnostics) from None
    _refuse_task(source, path)
    module = parse_module(source, vocabulary=_vocabulary(tokens))
    definition = module.definitions.get(name)
    if definition is None:
        raise_on_violations(module.report)
        listed = ", ".join(module.definitions) or "none"
        raise RasplError(f"{path} has no program {name!r}; it has: {listed}")
    report = Report()
    graph = build(definition, report, bits)
    raise_on_violations(report)
    assert graph is not None
    return Program.of_graph(graph, definition)


def load(
    path: str | Path, bits: int | None = None, tokens: TokenNames | None = None
) -> dict[str, Program]:
    """The programs of a file that need not be trusted, by name. Nothing in it is executed.

    `tokens` names the tokens, as `TOKENS` in the file does. Raises IllegalProgram with every
    violation.
    """
    return _legal(check_file(path, bits, tokens))


def _vocabulary(tokens: TokenNames | None) -> Vocabulary | None:
    if tokens is None or isinstance(tokens, Vocabulary):
        return tokens
    return Vocabulary.of(tokens)


def _legal(checked: Checked) -> dict[str, Program]:
    if not checked.ok:
        raise IllegalProgram([d for d in checked.diagnostics if not d.rule.is_warning])
    return checked.programs
