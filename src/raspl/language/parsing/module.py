"""Reading a text that need not be trusted: constants, functions, and what else stands in it.

The text is parsed and never executed, whatever is in it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from raspl.language.ir.graph import Graph
from raspl.language.ir.scalar import Fn, Lit, Op
from raspl.language.parsing.builder import Builder, headline
from raspl.language.parsing.frames import Report
from raspl.language.parsing.lambdas import clip, is_docstring
from raspl.language.parsing.scope import (
    BUILTIN,
    Constant,
    Definition,
    FileScope,
    Foreign,
    Meaning,
    Missing,
    Package,
)
from raspl.language.rules import Violation
from raspl.language.source import Source, UnreadableSource

DEFAULT_BITS = 8
WIDTHS = (8, 16)


@dataclass(frozen=True)
class Module:
    """A parsed text: its functions, and the diagnostics that reading it produced."""

    definitions: dict[str, Definition]
    decorated: frozenset[str]
    report: Report


def parse_module(source: Source, report: Report | None = None) -> Module:
    """Find the constants and the functions of a text."""
    report = report or Report()
    scope = FileScope()
    definitions: dict[str, Definition] = {}
    decorated: set[str] = set()
    for statement in _syntax(source, report):
        match statement:
            case ast.FunctionDef(name=name):
                definitions[name] = Definition(name, statement, source, scope)
                scope.meanings[name] = definitions[name]
                if any(_is_program_decorator(d) for d in statement.decorator_list):
                    decorated.add(name)
            case ast.Import() | ast.ImportFrom():
                _read_import(statement, scope, source, report)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    _read_constants(target, value, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                _read_constants(target, value, scope)
            case _:
                if not is_docstring(statement):
                    what = f"`{clip(statement).splitlines()[0]}` is not executed"
                    instead = "keep constants, imports from raspl and functions in the file"
                    warning = Violation("W002", what, instead)
                    report.add(warning, source.span(headline(statement)))
    return Module(definitions, frozenset(decorated), report)


def is_task(source: Source) -> bool:
    """Whether a text is a task (docs/tasks.md): it has `task = Task(…)`, and no @program."""
    statements = _syntax(source, Report())
    functions = [each for each in statements if isinstance(each, ast.FunctionDef)]
    if any(_is_program_decorator(d) for each in functions for d in each.decorator_list):
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


def _syntax(source: Source, report: Report) -> list[ast.stmt]:
    """The statements of a text, or none after reporting why it can't be read."""
    line, column, message = 1, 1, ""
    try:
        return ast.parse(source.text).body
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        message = error.msg
    except (RecursionError, MemoryError):
        message = "the text is nested too deeply"
    except ValueError as error:
        message = str(error)
    violation = Violation("R100", f"this can't be read: {message}", "mend the syntax")
    report.add(violation, source.at(line, column, line, column + 1))
    return []


def _read_import(
    statement: ast.Import | ast.ImportFrom, scope: FileScope, source: Source, report: Report
) -> None:
    """Names from raspl are known by themselves; other modules are not followed."""
    origin = statement.module if isinstance(statement, ast.ImportFrom) else None
    for alias in statement.names:
        module = origin or alias.name
        bound = alias.asname or alias.name.partition(".")[0]
        meaning: Meaning | None = None
        if module.partition(".")[0] == "raspl":
            meaning = BUILTIN.find(alias.name) if origin else Package()
            scope.meanings[bound] = meaning or Missing(alias.name)
        elif module != "__future__":
            scope.meanings[bound] = Foreign(f"imported from `{module}`")
            what = f"`{module}` is not imported: a checked file is read, never run"
            warning = Violation("W002", what, "put the functions that are needed into this file")
            report.add(warning, source.span(statement))


def _read_constants(target: ast.expr, value: ast.expr, scope: FileScope) -> None:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for part, its_value in zip(target.elts, value.elts, strict=False):
            _read_constants(part, its_value, scope)
    elif isinstance(target, ast.Name):
        literal = _literal(value, scope)
        scope.meanings[target.id] = literal or Foreign("not a literal integer")


def _literal(node: ast.expr, scope: FileScope) -> Constant | None:
    """The value of a constant expression, or None if it is not one."""
    match node:
        case ast.Constant(value=bool() | int() as value):
            return Constant(int(value))
        case ast.Constant(value=None | str() as value):
            return Constant(value)
        case ast.Name(id=name):
            meaning = scope.find(name)
            return meaning if isinstance(meaning, Constant) else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _calculated("neg", scope, operand)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _calculated("+", scope, left, right)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _calculated("-", scope, left, right)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _calculated("*", scope, left, right)
    return None


def _calculated(op: str, scope: FileScope, *nodes: ast.expr) -> Constant | None:
    literals = [_literal(node, scope) for node in nodes]
    values = [item.value for item in literals if item is not None]
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) != len(nodes):
        return None
    return Constant(Fn(0, Op(op, tuple(Lit(number) for number in numbers)))())


def check_module(module: Module, bits: int | None = None) -> dict[str, Graph]:
    """Build every program of a text; what is wrong with them is in the module's report.

    Where functions carry @program those are the programs; else all functions are that no other
    function uses. Helpers are checked where they are called, with the types they are called with.
    """
    graphs: dict[str, Graph] = {}
    definitions, report = module.definitions, module.report
    roots = module.decorated or _unused(definitions)
    order = [*(d for d in definitions if d in roots), *(d for d in definitions if d not in roots)]
    for name in order:
        definition = definitions[name]
        if name not in roots and (module.decorated or definition in report.visited):
            continue
        graph = build(definition, report, bits)
        if graph is not None:
            graphs[name] = graph
    return graphs


def build(definition: Definition, report: Report, bits: int | None = None) -> Graph | None:
    """The graph of one definition, with literal parameters at their default values."""
    width = bits or declared_bits(definition, report)
    try:
        return Builder(width, report).build(definition, {})
    except RecursionError:
        nested = Violation("R100", "the program is nested too deeply", "split it into lines")
        report.add(nested, definition.source.span(headline(definition.node)))
        return None


def _unused(definitions: dict[str, Definition]) -> frozenset[str]:
    if len(definitions) == 1:
        return frozenset(definitions)
    used: set[str] = set()
    for name, definition in definitions.items():
        mentioned = {n.id for n in ast.walk(definition.node) if isinstance(n, ast.Name)}
        used |= mentioned - {name}
    return frozenset(definitions) - used


def _is_program_decorator(node: ast.expr) -> bool:
    func = node.func if isinstance(node, ast.Call) else node
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)
    return name == "program"


def declared_bits(definition: Definition, report: Report) -> int:
    """The width that @program(bits=…) declares; other decorators are refused, never run."""
    bits = DEFAULT_BITS
    for decorator in definition.node.decorator_list:
        span = definition.source.span(decorator)
        if not _is_program_decorator(decorator):
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
