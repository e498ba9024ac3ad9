"""Checking a text that need not be trusted: which functions are programs, and their graphs.

The text is parsed and never executed, whatever is in it.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from raspl.language.ir.graph import Graph
from raspl.language.parsing.builder import Builder, headline
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import LiteralValue, Report
from raspl.language.parsing.imports import not_imported
from raspl.language.parsing.reading import (
    Reader,
    is_program_decorator,
    nested_too_deeply,
    syntax,
)
from raspl.language.parsing.resuming import Memory
from raspl.language.parsing.scope import Definition
from raspl.language.parsing.siblings import Siblings
from raspl.language.parsing.work import TooLarge, too_large, too_many_steps
from raspl.language.rules import Violation
from raspl.language.source import Source, UnreadableSource
from raspl.language.vocabulary import Vocabulary

DEFAULT_BITS = 8
WIDTHS = (8, 16)


@dataclass(frozen=True)
class Module:
    """A parsed text: its functions, and the diagnostics that reading it produced."""

    definitions: dict[str, Definition]
    decorated: frozenset[str]
    report: Report


def parse_module(
    source: Source, report: Report | None = None, vocabulary: Vocabulary | None = None
) -> Module:
    """Find the constants and the functions of a text, whose tokens may have names already."""
    report = report or Report()
    siblings = None if source.folder is None else Siblings(source.folder)
    reader = Reader(source, report, vocabulary, siblings)
    reader.read_all()
    if reader.imports_raspl or (reader.decorated and source.folder is not None):
        functions = [definition.node for definition in reader.definitions.values()]
        if (missing := not_imported(functions, reader.scope)) is not None:
            violation, name = missing
            report.add(violation, source.span(name))
    return Module(reader.definitions, frozenset(reader.decorated), report)


def is_task(source: Source) -> bool:
    """Whether a text is a task (docs/tasks.md): it has `task = Task(…)`, and no @program."""
    if "Task" not in source.text:
        # Most texts need not be parsed for this.
        return False
    statements = syntax(source, Report())
    functions = [each for each in statements if isinstance(each, ast.FunctionDef)]
    if any(is_program_decorator(d) for each in functions for d in each.decorator_list):
        return False
    return any(_makes_task(statement) for statement in statements)


def _makes_task(statement: ast.stmt) -> bool:
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id="task")], value=ast.Call(func=func))
            | ast.AnnAssign(target=ast.Name(id="task"), value=ast.Call(func=func))
        ):
            name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)
            return name == "Task"
    return False


def check_module(
    module: Module, bits: int | None = None, memory: Memory | None = None
) -> dict[str, Graph]:
    """Build every program of a text; what is wrong with them is in the module's report.

    Where functions carry @program those are the programs; else all functions are that no other
    function uses. Helpers are checked where they are called, with the types they are called with.
    """
    graphs: dict[str, Graph] = {}
    definitions, report = module.definitions, module.report
    built = [d for name, d in definitions.items() if name in (module.decorated or definitions)]
    refused = too_large(built, report.work)
    if refused is not None:
        _add_at(report, *refused)
        return {}
    roots = module.decorated or _unused(definitions)
    order = [*(d for d in definitions if d in roots), *(d for d in definitions if d not in roots)]
    for name in order:
        definition = definitions[name]
        if name not in roots and (module.decorated or definition in report.visited):
            continue
        graph = build(definition, report, bits, memory=memory)
        if graph is not None:
            graphs[name] = graph
    return graphs


def build_helpers(
    module: Module, graphs: Mapping[str, Graph], bits: int | None, memory: Memory | None = None
) -> dict[str, Graph]:
    """Functions that other programs use, where they are programs by themselves as well."""
    helpers: dict[str, Graph] = {}
    if module.decorated or any(d.rule.code == "R115" for d in module.report.violations):
        return helpers
    for name, definition in module.definitions.items():
        if name not in graphs:
            report = Report(module.report.work)
            graph = build(definition, report, bits, memory=memory)
            if graph is not None:
                helpers[name] = graph
            elif report.work.is_exhausted:
                _add_at(module.report, definition, too_many_steps(definition))
                break
    return helpers


def build(
    definition: Definition,
    report: Report,
    bits: int | None = None,
    literals: Mapping[str, LiteralValue] | None = None,
    memory: Memory | None = None,
) -> Graph | None:
    """The graph of one definition; literal parameters that are not given have their defaults."""
    refused = too_large([definition], report.work)
    if refused is not None:
        _add_at(report, *refused)
        return None
    width = bits or declared_bits(definition, report)
    try:
        return Builder(width, report, memory).build(definition, literals or {})
    except RecursionError:
        _add_at(report, definition, nested_too_deeply())
    except TooLarge:
        _add_at(report, definition, too_many_steps(definition))
    return None


def _add_at(report: Report, definition: Definition, violation: Violation) -> None:
    report.add(violation, definition.source.span(headline(definition.node)))


def _unused(definitions: dict[str, Definition]) -> frozenset[str]:
    if len(definitions) == 1:
        return frozenset(definitions)
    used: set[str] = set()
    for name, definition in definitions.items():
        mentioned = {n.id for n in ast.walk(definition.node) if isinstance(n, ast.Name)}
        used |= mentioned - {name}
    return frozenset(definitions) - used


def declared_bits(definition: Definition, report: Report) -> int:
    """The width that @program(bits=…) declares; other decorators are refused, never run."""
    bits = DEFAULT_BITS
    for decorator in definition.node.decorator_list:
        span = definition.source.span(decorator)
        if not is_program_decorator(decorator):
            what = f"`@{clip(decorator)}` decorates the program"
            report.add(Violation("R112", what, "remove it; use plain @program"), span)
        elif isinstance(decorator, ast.Call):
            match decorator:
                case ast.Call(
                    args=[], keywords=[ast.keyword(arg="bits", value=ast.Constant(value=int(bits)))]
                ) if bits in WIDTHS:
                    pass
                case _:
                    bits = DEFAULT_BITS
                    instead = "write @program, @program(bits=8) or @program(bits=16)"
                    what = f"`@{clip(decorator)}` is not a declaration of the width"
                    report.add(Violation("R112", what, instead), span)
    return bits


def unreadable(error: UnreadableSource, file: str) -> Report:
    """A report on a file that is no text at all."""
    report = Report()
    violation = Violation("R100", str(error), error.instead)
    report.add(violation, Source("", file).at(error.line, 1, error.line, 1))
    return report
