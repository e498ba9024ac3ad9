"""Diagnostics for editors, and fixes: edits of the text that end a violation.

A fix is offered only where the rule knows one thing that was almost surely meant, and where the
text that it gives is still Python. Whether the new text is legal is for the next check to say.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from raspl.assist.names import language_names, names_at
from raspl.language.diagnostics import Diagnostic
from raspl.language.parsing.idioms import LOOKING_AHEAD, NAMES
from raspl.language.source import Source
from raspl.loading import check_source
from raspl.words import guesses

MOST_REPAIRED = 50
"""Diagnostics for which fixes are looked for."""


def diagnostics(text: str, file: str = "program") -> list[dict[str, Any]]:
    """Everything that is wrong or odd, as `Diagnostic.as_json` says it, each with its `fixes`.

    A fix is a `title` and the `edits` to make: each replaces the text from `line`, `column` to
    `end_line`, `end_column` by `text`.
    """
    source = Source(text, file)
    return with_fixes(source, check_source(source).diagnostics)


def with_fixes(source: Source, found: list[Diagnostic]) -> list[dict[str, Any]]:
    """As `diagnostics`, for a text that was checked already."""
    repair = _Repair(source)
    return [
        {**each.as_json(), "fixes": repair.fixes(each) if number < MOST_REPAIRED else []}
        for number, each in enumerate(found)
    ]


def fixes(text: str, line: int, column: int) -> list[dict[str, Any]]:
    """The fixes of what is wrong at a place."""
    return [
        fix
        for found in diagnostics(text)
        if (found["line"], found["column"])
        <= (line, column)
        <= (found["end_line"], found["end_column"])
        for fix in found["fixes"]
    ]


@dataclass(frozen=True)
class _Repair:
    """The fixes of the diagnostics of one text."""

    source: Source

    def fixes(self, found: Diagnostic) -> list[dict[str, Any]]:
        make = _FIXES.get(found.rule.code)
        return list(make(self, found)) if make else []

    @cached_property
    def _statements(self) -> list[ast.stmt]:
        """The syntax of the text; none where it can't be parsed."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(self.source.text).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []

    @cached_property
    def _nodes(self) -> dict[tuple[int, int, int, int], list[ast.AST]]:
        """The syntax by place."""
        by_place: dict[tuple[int, int, int, int], list[ast.AST]] = {}
        for node in (each for statement in self._statements for each in ast.walk(statement)):
            if hasattr(node, "lineno"):
                span = self.source.span(node)
                place = (span.line, span.column, span.end_line, span.end_column)
                by_place.setdefault(place, []).append(node)
        return by_place

    def node(self, found: Diagnostic, *kinds: type[ast.AST]) -> Any:
        """The syntax that a diagnostic points at, if it is of these kinds."""
        span = found.span
        place = (span.line, span.column, span.end_line, span.end_column)
        return next((n for n in self._nodes.get(place, []) if isinstance(n, kinds)), None)

    def calls(self, found: Diagnostic) -> ast.Call | None:
        """The call whose function a diagnostic points at, or the call itself."""
        target = self.node(found, ast.Name, ast.Attribute)
        every = (node for nodes in self._nodes.values() for node in nodes)
        calls = (node for node in every if isinstance(node, ast.Call))
        around = (call for call in calls if call.func is target)
        return self.node(found, ast.Call) or (next(around, None) if target is not None else None)

    def text_of(self, node: ast.AST) -> str:
        """The source text of a piece of syntax."""
        return ast.get_source_segment(self.source.text, node) or ""

    def replace(self, node: ast.AST, text: str, title: str = "") -> dict[str, Any]:
        """A fix that writes something else in the place of a piece of syntax."""
        span = self.source.span(node)
        return _fix(
            title or f"Write `{_short(text)}`",
            span.line, span.column, span.end_line, span.end_column, text,
        )  # fmt: skip

    def drop_line(self, found: Diagnostic, title: str) -> dict[str, Any]:
        """A fix that takes whole lines away."""
        return _fix(title, found.span.line, 1, found.span.end_line + 1, 1, "")

    # One function a rule, in the order of the codes.

    def conditional(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        if node := self.node(found, ast.IfExp):
            parts = [self.text_of(part) for part in (node.test, node.body, node.orelse)]
            yield self.replace(node, f"where({', '.join(parts)})")

    def comprehension(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        match node := self.node(found, ast.ListComp):
            case ast.ListComp(
                elt=result,
                generators=[ast.comprehension(target=ast.Name(id=name), iter=over, ifs=[])],
            ):
                function = f"lambda {name}: {self.text_of(result)}"
                yield self.replace(node, f"tok_map({self.text_of(over)}, {function})")

    def attribute(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        """`x.cumsum()` is `cumsum(x)`, `np.where(…)` is `where(…)`."""
        match self.calls(found):
            case ast.Call(func=ast.Attribute(value=of, attr=name), args=args, keywords=[]) as call:
                if name not in language_names():
                    return
                known = names_at(self.source.text, call.lineno)
                is_sequence = not isinstance(of, ast.Name) or of.id in known
                given = [self.text_of(each) for each in ([of] if is_sequence else []) + args]
                yield self.replace(call, f"{name}({', '.join(given)})")

    def missing_return(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        """Return what was assigned last."""
        every = (node for nodes in self._nodes.values() for node in nodes)
        for node in every:
            if isinstance(node, ast.FunctionDef) and node.lineno == found.span.line:
                last = node.body[-1]
                match last:
                    case ast.Assign(targets=[ast.Name(id=name)]):
                        span = self.source.span(last)
                        text = f"\n{' ' * last.col_offset}return {name}"
                        end = (span.end_line, span.end_column)
                        yield _fix(f"Add `return {name}`", *end, *end, text)
                    case ast.Expr(value=value):
                        yield self.replace(last, f"return {self.text_of(value)}")

    def truth(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        match node := self.node(found, ast.BoolOp, ast.Compare, ast.UnaryOp):
            case ast.BoolOp():
                sign = " & " if isinstance(node.op, ast.And) else " | "
                yield self.replace(node, sign.join(self._bracketed(v) for v in node.values))
            case ast.Compare():
                operands = [node.left, *node.comparators]
                pairs = zip(operands, node.ops, operands[1:], strict=False)
                parts = [
                    f"({self.text_of(a)} {_SIGNS[type(op)]} {self.text_of(b)})"
                    for a, op, b in pairs
                    if type(op) in _SIGNS
                ]
                if len(parts) == len(node.ops):
                    yield self.replace(node, " & ".join(parts))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield self.replace(node, f"~{self._bracketed(operand)}")

    def _bracketed(self, node: ast.expr) -> str:
        text = self.text_of(node)
        return text if isinstance(node, ast.Name | ast.Call) else f"({text})"

    def decorator(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        if found.span.text.strip().startswith("@"):
            yield self.drop_line(found, f"Remove `{_short(found.span.text.strip())}`")

    def expression(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        match node := self.node(found, ast.BinOp, ast.Constant):
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                yield self.replace(node, f"{self.text_of(left)} // {self.text_of(right)}")
            case ast.Constant(value=float() as value) if value.is_integer():
                yield self.replace(node, str(int(value)))

    def unknown_name(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        name = found.span.snippet
        call = self.calls(found)
        given = [] if call is None or call.keywords else call.args
        if call is not None and name in _PYTHON and len(given) == 1:
            match name, given[0]:
                case "range", ast.Call(func=ast.Name(id="len"), args=[ast.expr() as argument]):
                    yield self.replace(call, f"indices({self.text_of(argument)})")
                case (("int" | "bool"), argument):
                    yield self.replace(call, self._bracketed(argument))
                case _, argument:
                    yield self.replace(call, _PYTHON[name].format(self.text_of(argument)))
        elif call is not None and name in _COMPARISONS and len(given) == 2:
            left, right = map(self._bracketed, given)
            yield self.replace(call, f"({left} {_COMPARISONS[name]} {right})")
        elif re.fullmatch(r"\w+", name) and name not in (*NAMES, *LOOKING_AHEAD):
            known = names_at(self.source.text, found.span.line) | language_names()
            for guess in guesses(name, [each for each in known if each != name]):
                if node := self.node(found, ast.Name):
                    yield self.replace(node, guess, f"Change to `{guess}`")

    def named_number(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        """`x == "7"` where no token has a name."""
        match node := self.node(found, ast.Constant):
            case ast.Constant(value=str(text)) if "without the quotes" in found.instead:
                yield self.replace(node, text)

    def unused(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        if found.span.text.lstrip().startswith(found.span.snippet):
            yield self.drop_line(found, f"Remove the line of `{_short(found.span.snippet)}`")

    def ignored(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        if self.node(found, ast.Import, ast.ImportFrom, ast.Expr):
            yield self.drop_line(found, "Remove the line")

    def not_imported(self, found: Diagnostic) -> Iterator[dict[str, Any]]:
        """Add to the import from raspl, or write one above all that is not an import."""
        if (stated := re.search("`from raspl import (.+)`", found.instead)) is None:
            return
        missing = stated[1].split(", ")
        statements = self._statements
        for each in statements:
            if isinstance(each, ast.ImportFrom) and (each.module, each.level) == ("raspl", 0):
                names = sorted({*missing, *map(ast.unparse, each.names)})
                title = f"Import {', '.join(missing)}"
                yield self.replace(each, f"from raspl import {', '.join(names)}", title)
                return
        first = next(each for each in statements if not _opens_a_file(each))
        lines = [first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))]
        gap = "" if isinstance(first, ast.Import | ast.ImportFrom) else "\n\n"
        yield _fix(
            f"Import {', '.join(missing)}",
            *(min(lines), 1) * 2,
            f"from raspl import {', '.join(missing)}\n{gap}",
        )


def _opens_a_file(statement: ast.stmt) -> bool:
    """A docstring, or an import from the future: nothing may stand above these."""
    match statement:
        case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
            return True
    return False


_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_PYTHON = {
    "max": "maximum({})",
    "min": "minimum({})",
    "abs": "tok_map({}, abs)",
    "sum": "cumsum({})",
    "len": "indices({})",
    "range": "indices({})",
    "int": "{}",
    "bool": "{}",
}
"""What a Python function of one sequence most likely meant."""
_COMPARISONS = {"equals": "==", "lt": "<", "leq": "<=", "gt": ">", "geq": ">="}
"""The operators that compare sequences as these compare integers."""
_FIXES: dict[str, Callable[[_Repair, Diagnostic], Iterator[dict[str, Any]]]] = {
    "R102": _Repair.conditional,
    "R103": _Repair.comprehension,
    "R106": _Repair.attribute,
    "R110": _Repair.missing_return,
    "R111": _Repair.truth,
    "R112": _Repair.decorator,
    "R113": _Repair.expression,
    "R201": _Repair.unknown_name,
    "R207": _Repair.unknown_name,
    "R208": _Repair.named_number,
    "W001": _Repair.unused,
    "W002": _Repair.ignored,
    "W005": _Repair.not_imported,
}


def _fix(
    title: str, line: int, column: int, end_line: int, end_column: int, text: str
) -> dict[str, Any]:
    edit = {
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "text": text,
    }
    return {"title": title, "edits": [edit]}


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
