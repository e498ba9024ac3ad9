"""Reading a text that need not be trusted: constants, functions, and what else stands in it.

The text is parsed and never executed, whatever is in it.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from raspl.language.ir.graph import Graph
from raspl.language.ir.scalar import Fn, Lit, Op
from raspl.language.limits import MAX_TOKENS
from raspl.language.parsing.builder import Builder, headline
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import LiteralValue, Report, checked_literal
from raspl.language.parsing.lambdas import is_docstring
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
from raspl.language.parsing.stated import read_vocabulary, with_given
from raspl.language.parsing.work import TooLarge, too_large, too_many_steps
from raspl.language.rules import Violation
from raspl.language.source import (
    Source,
    UnreadableSource,
    count_tokens,
    too_many_tokens,
)
from raspl.language.vocabulary import STATED_AS, UNREADABLE, Vocabulary

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
    reader = _Reader(source, report, vocabulary)
    for statement in _syntax(source, report):
        try:
            reader.read(statement)
        except RecursionError:
            report.add(_nested_too_deeply(), source.span(headline(statement)))
    return Module(reader.definitions, frozenset(reader.decorated), report)


class _Reader:
    """Reads the statements of a text one by one."""

    def __init__(self, source: Source, report: Report, vocabulary: Vocabulary | None) -> None:
        self.definitions: dict[str, Definition] = {}
        self.decorated: set[str] = set()
        self._source = source
        self._report = report
        self._given = vocabulary
        self._scope = FileScope(vocabulary)

    def read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef():
                self._define(statement)
            case ast.Import() | ast.ImportFrom():
                _read_import(statement, self._scope, self._source, self._report)
            case ast.Assign(targets=targets, value=value):
                self._constants(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._constants([target], value)
            case _ if not is_docstring(statement):
                what = f"`{clip(statement).splitlines()[0]}` is not executed"
                instead = "keep constants, imports from raspl and functions in the file"
                self._add(Violation("W002", what, instead), headline(statement))

    def _define(self, node: ast.FunctionDef) -> None:
        if node.name in self.definitions:
            earlier = self._source.span(self.definitions[node.name].node).line
            what = f"`{node.name}` is defined twice: on line {earlier} and here"
            self._add(Violation("R109", what, "give each function a name"), headline(node))
        definition = Definition(node.name, node, self._source, self._scope)
        self.definitions[node.name] = self._scope.meanings[node.name] = definition
        if any(_is_program_decorator(decorator) for decorator in node.decorator_list):
            self.decorated.add(node.name)

    def _constants(self, targets: Iterable[ast.expr], value: ast.expr) -> None:
        for target in targets:
            try:
                if isinstance(target, ast.Name) and target.id == STATED_AS:
                    self._scope.vocabulary = UNREADABLE
                    self._scope.vocabulary = with_given(read_vocabulary(value), self._given)
                else:
                    _read_constants(target, value, self._scope)
            except Violation as violation:
                self._add(violation, value)

    def _add(self, violation: Violation, node: ast.AST) -> None:
        self._report.add(violation, self._source.span(node))


def _nested_too_deeply() -> Violation:
    return Violation("R100", "the program is nested too deeply", "split it into lines")


def is_task(source: Source) -> bool:
    """Whether a text is a task (docs/tasks.md): it has `task = Task(…)`, and no @program."""
    if "Task" not in source.text:
        # Most texts need not be parsed for this.
        return False
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
    if count_tokens(source.text.encode(errors="replace")) > MAX_TOKENS:
        violation = Violation("R100", too_many_tokens(), "split the program into files")
        report.add(violation, source.at(1, 1, 1, 1))
        return []
    try:
        with warnings.catch_warnings():
            # Python's remarks on style would come without the name of the file.
            warnings.simplefilter("ignore")
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
        try:
            literal = _literal(value, scope)
        except Violation:
            scope.meanings[target.id] = Foreign("too large a literal")
            raise
        scope.meanings[target.id] = literal or Foreign("not a literal integer")


def _literal(node: ast.expr, scope: FileScope) -> Constant | None:
    """The value of a constant expression, or None if it is not one."""
    match node:
        case ast.Constant(value=bool() | int() as value):
            return Constant(checked_literal(int(value)))
        case ast.Constant(value=None | str() as value):
            return Constant(checked_literal(value))
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
    return Constant(checked_literal(Fn(0, Op(op, tuple(Lit(number) for number in numbers)))()))


def check_module(module: Module, bits: int | None = None) -> dict[str, Graph]:
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
        graph = build(definition, report, bits)
        if graph is not None:
            graphs[name] = graph
    return graphs


def build_helpers(
    module: Module, graphs: Mapping[str, Graph], bits: int | None
) -> dict[str, Graph]:
    """Functions that other programs use, where they are programs by themselves as well."""
    helpers: dict[str, Graph] = {}
    if module.decorated or any(d.rule.code == "R115" for d in module.report.violations):
        return helpers
    for name, definition in module.definitions.items():
        if name not in graphs:
            report = Report(module.report.work)
            graph = build(definition, report, bits)
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
) -> Graph | None:
    """The graph of one definition; literal parameters that are not given have their defaults."""
    refused = too_large([definition], report.work)
    if refused is not None:
        _add_at(report, *refused)
        return None
    width = bits or declared_bits(definition, report)
    try:
        return Builder(width, report).build(definition, literals or {})
    except RecursionError:
        _add_at(report, definition, _nested_too_deeply())
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
