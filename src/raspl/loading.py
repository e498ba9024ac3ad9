"""Programs out of texts and files that need not be trusted: read as data, never executed."""

from __future__ import annotations

from pathlib import Path

from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic, IllegalProgram
from raspl.language.parsing.frames import Report
from raspl.language.parsing.module import (
    Module,
    build,
    check_module,
    is_task,
    parse_module,
    unreadable,
)
from raspl.language.source import Source, UnreadableSource, read
from raspl.program import Program, raise_on_violations


def check(source: Source, bits: int | None = None) -> tuple[dict[str, Program], list[Diagnostic]]:
    """The legal programs of a text, and everything that is wrong or odd about it."""
    module = parse_module(source)
    graphs = check_module(module, bits)
    programs = {
        name: Program.of_graph(graph, module.definitions[name]) for name, graph in graphs.items()
    }
    return programs | _helpers(module, programs, bits), module.report.diagnostics


def _helpers(module: Module, roots: dict[str, Program], bits: int | None) -> dict[str, Program]:
    """Functions that other programs use, where they are programs by themselves as well."""
    helpers = {}
    for name, definition in module.definitions.items():
        if name not in roots and not module.decorated:
            graph = build(definition, Report(), bits)
            if graph is not None:
                helpers[name] = Program.of_graph(graph, definition)
    return helpers


def check_file(
    path: str | Path, bits: int | None = None
) -> tuple[dict[str, Program], list[Diagnostic]]:
    """As `check`, for a file; one that can't be decoded gives a diagnostic too."""
    try:
        source = read(path)
    except UnreadableSource as error:
        return {}, unreadable(error, str(path)).diagnostics
    if is_task(source):
        raise RasplError(
            f"{path} is a task, not a program: it defines `task = Task(…)`; give it to "
            "`raspl sample`, `raspl train` or `raspl predict`"
        )
    return check(source, bits)


def looks_like_program(path: str | Path) -> bool:
    """Whether a file means to be RASP-L: its functions carry @program, or are legal as they are."""
    try:
        module = parse_module(read(path))
    except UnreadableSource:
        return False
    graphs = check_module(module)
    return bool(module.decorated or (graphs and not module.report.violations))


def parse(text: str, bits: int | None = None) -> dict[str, Program]:
    """The programs of a text, by name. Nothing in it is executed."""
    programs, diagnostics = check(Source(text), bits)
    return _legal(programs, diagnostics)


def load_one(path: str | Path, name: str, bits: int | None = None) -> Program:
    """One program of a file, whatever its neighbours are like."""
    try:
        module = parse_module(read(path))
    except UnreadableSource as error:
        raise IllegalProgram(unreadable(error, str(path)).diagnostics) from None
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


def load(path: str | Path, bits: int | None = None) -> dict[str, Program]:
    """The programs of a file that need not be trusted, by name. Nothing in it is executed."""
    programs, diagnostics = check_file(path, bits)
    return _legal(programs, diagnostics)


def _legal(programs: dict[str, Program], diagnostics: list[Diagnostic]) -> dict[str, Program]:
    violations = [d for d in diagnostics if not d.rule.is_warning]
    if violations:
        raise IllegalProgram(violations)
    return programs
