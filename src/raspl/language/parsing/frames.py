"""What the builder keeps while it reads: values, the bodies being read, and the report."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from raspl.language.diagnostics import Diagnostic
from raspl.language.ir.primitives import Node
from raspl.language.ir.types import Type
from raspl.language.parsing.scope import Definition
from raspl.language.rules import Violation
from raspl.language.source import Origin, Source, Span

LiteralValue = int | None | str


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that is known before the program runs."""

    value: LiteralValue


@dataclass(frozen=True, slots=True)
class Bad:
    """The result of something that was already reported."""


BAD = Bad()
Value = Node | Literal | Bad


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a definition. `literal` ones are fixed before the program runs."""

    name: str
    literal: bool
    type: Type
    default: Literal | None
    node: ast.AST


class Report:
    """Collects diagnostics, each once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, Span], Diagnostic] = {}
        self.breaches = 0
        """Violations with their repeats: a helper's is one of everyone who calls it."""
        self.visited: set[Definition] = set()
        self.signatures: dict[Definition, list[Parameter]] = {}

    def add(self, violation: Violation, span: Span, note: str = "") -> None:
        """Record a violation at a place; a second one of the same rule there is the same one."""
        diagnostic = Diagnostic(violation.rule, violation.message, violation.instead, span, note)
        self._found.setdefault((violation.rule.code, span), diagnostic)
        self.breaches += not diagnostic.rule.is_warning

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Everything found, in the order of the text."""
        return sorted(self._found.values(), key=lambda d: (d.span.file, d.span.line, d.span.column))

    @property
    def violations(self) -> list[Diagnostic]:
        """What makes the program illegal: everything but the warnings."""
        return [d for d in self.diagnostics if not d.rule.is_warning]


@dataclass
class Frame:
    """The body of one definition while it is read."""

    definition: Definition
    report: Report
    site: Span | None = None
    """For library code: the place in the author's text from which it was called."""
    values: dict[str, Value] = field(default_factory=dict)
    assigned: list[tuple[ast.Name, Node]] = field(default_factory=list)
    result: Value | None = None
    unknown: set[str] = field(default_factory=set)
    """Names already reported: one report a name is enough."""

    def span(self, node: ast.AST) -> Span:
        """The place of a syntax node in the text of the definition."""
        return self.definition.source.span(node)

    def origin(self, node: ast.AST) -> Origin:
        """Where a value comes from, as the author of the program sees it."""
        if self.site is not None:
            return Origin(self.site, self.definition.name)
        return Origin(self.span(node))

    def violate(self, code: str, node: ast.AST, message: str, instead: str) -> None:
        """Report a broken rule at a syntax node."""
        self.add(Violation(code, message, instead), node)

    def add(self, violation: Violation, node: ast.AST, source: Source | None = None) -> None:
        """Report a violation; one inside of the library is shown where the author called it."""
        if self.site is None:
            self.report.add(violation, (source or self.definition.source).span(node))
        else:
            note = f"inside of the library function `{self.definition.name}`"
            self.report.add(violation, self.site, note)


def integer(literal: Literal) -> int:
    """The value of a literal that must be an integer."""
    if isinstance(literal.value, int):
        return literal.value
    if literal.value is None:
        raise Violation(
            "R312",
            "None stands where an integer is needed",
            "use None as a mask or default of indices only",
        )
    raise Violation("R113", f"the text {literal.value!r} is not an integer", "use integers")


def index_literal(literal: Literal) -> int | None:
    """The value of a literal that may also be None."""
    return None if literal.value is None else integer(literal)
