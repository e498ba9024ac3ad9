"""What the builder keeps while it reads: values, the bodies being read, and the report."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace

from raspl.language.diagnostics import Diagnostic
from raspl.language.ir.primitives import Full, Input, Meeting, Node
from raspl.language.ir.types import Type
from raspl.language.limits import MAX_GUESSES, MAX_LISTED, MAX_LITERAL, MAX_TEXT
from raspl.language.parsing.scope import Definition, Scope
from raspl.language.parsing.work import Work
from raspl.language.rules import Violation
from raspl.language.source import Origin, Source, Span
from raspl.language.vocabulary import STATED_AS, UNREADABLE, Token, Vocabulary, quoted

LiteralValue = int | None | str


@dataclass(frozen=True, slots=True)
class Literal:
    """A value that is known before the program runs."""

    value: LiteralValue
    vocabulary: Vocabulary | None = None
    """What gives a string its number, where it stands."""


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

    def __init__(self, work: Work | None = None) -> None:
        self.work = work or Work()
        self.guesses_left = MAX_GUESSES
        self._violations = _Listed("violations")
        self._warnings = _Listed("warnings")
        self.breaches = 0
        """Violations with their repeats: a helper's is one of everyone who calls it."""
        self.visited: set[Definition] = set()
        self.names: dict[Node, str] = {}
        """What the author calls a value."""
        self.log: list[Diagnostic] = []
        """All that was added, with its repeats, as far as anyone may want to add it again."""

    def add(self, violation: Violation, span: Span, note: str = "") -> None:
        """Record a violation at a place; a second one of the same rule there is the same one."""
        self.enter(Diagnostic(violation.rule, violation.message, violation.instead, span, note))

    def enter(self, diagnostic: Diagnostic) -> None:
        """As `add`, for what is a diagnostic already."""
        is_warning = diagnostic.rule.is_warning
        (self._warnings if is_warning else self._violations).add(diagnostic)
        self.breaches += not is_warning
        if len(self.log) <= MAX_LISTED:
            self.log.append(diagnostic)

    def called(self, node: Node) -> str:
        """The author's name for a value, or the text that made it."""
        if node in self.names or isinstance(node, Full):
            return self.names.get(node, "")
        if isinstance(node, Input):
            return node.name
        return node.origin.span.snippet

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What was found, in the order of the text."""
        return sorted([*self._violations.diagnostics(), *self._warnings.diagnostics()], key=_place)

    @property
    def violations(self) -> list[Diagnostic]:
        """What makes the program illegal: everything but the warnings."""
        return self._violations.diagnostics()


class _Listed:
    """Diagnostics of one kind. The last that is listed says how many are not."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._found: dict[tuple[str, Span], Diagnostic] = {}
        self._unlisted = 0

    def add(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.rule.code, diagnostic.span)
        if key not in self._found:
            if len(self._found) < MAX_LISTED:
                self._found[key] = diagnostic
            else:
                self._unlisted += 1

    def diagnostics(self) -> list[Diagnostic]:
        """In the order of the text."""
        ordered = sorted(self._found.values(), key=_place)
        if self._unlisted:
            more = f"{self._unlisted:,} more {self._kind} were found and are not listed"
            last = ordered[-1]
            ordered[-1] = replace(last, note="; ".join(filter(None, [last.note, more])))
        return ordered


def _place(diagnostic: Diagnostic) -> tuple[str, int, int]:
    return diagnostic.span.file, diagnostic.span.line, diagnostic.span.column


@dataclass
class Progress:
    """What building a program has come to, besides the values of its own body."""

    constants: dict[str, int] = field(default_factory=dict)
    """The named integers that it mentions."""
    lines: dict[Definition, int] = field(default_factory=dict)
    """How many statements its own functions have."""
    visited: set[Definition] = field(default_factory=set)
    signatures: dict[Definition, list[Parameter]] = field(default_factory=dict)
    families: int = 0
    operations: int = 0

    def copy(self, scope: Scope) -> Progress:
        """The same for a text that was read anew, in which the functions are those of `scope`."""

        def renewed(definition: Definition) -> Definition:
            meaning = definition if definition.library else scope.find(definition.name)
            assert isinstance(meaning, Definition)
            return meaning

        return Progress(
            dict(self.constants),
            {renewed(each): count for each, count in self.lines.items()},
            {renewed(each) for each in self.visited},
            {renewed(each): read for each, read in self.signatures.items()},
            self.families,
            self.operations,
        )


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

    def origin(self, node: ast.AST, order: int) -> Origin:
        """Where a value comes from, as the author of the program sees it."""
        if self.site is not None:
            return Origin(self.site, self.definition.name, order)
        return Origin(self.span(node), order=order)

    def violate(self, code: str, node: ast.AST, message: str, instead: str) -> None:
        """Report a broken rule at a syntax node."""
        self.add(Violation(code, message, instead), node)

    def add(self, violation: Violation, node: ast.AST, source: Source | None = None) -> None:
        """Report a violation; one inside of the library is shown where the author called it."""
        if isinstance(violation, Meeting):
            violation = violation.with_names(self.report.called)
        if self.site is None:
            self.report.add(violation, (source or self.definition.source).span(node))
        else:
            note = f"inside of the library function `{self.definition.name}`"
            self.report.add(violation, self.site, note)


def checked_literal(value: LiteralValue) -> LiteralValue:
    """A literal that is not too long to be calculated with and shown."""
    if isinstance(value, int):
        return checked_integer(value)
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return value[: MAX_TEXT - 1] + "…"
    return value


def checked_integer(value: int) -> int:
    """Refuse a literal of which only a machine would think."""
    if abs(value) <= MAX_LITERAL:
        return value
    raise Violation(
        "R310",
        f"this literal has {value.bit_length():,} bits, and literals have at most "
        f"{MAX_LITERAL.bit_length()}",
        "use a smaller literal",
    )


def integer(literal: Literal) -> int:
    """The value of a literal that must be an integer."""
    if isinstance(literal.value, int):
        return literal.value
    if literal.value is None:
        raise Violation(
            "R312",
            "None is used where an integer is needed",
            "use None as a mask or default of indices only",
        )
    return token(literal.value, literal.vocabulary)


def token(name: str, vocabulary: Vocabulary | None) -> Token:
    """The token that a string names."""
    if vocabulary is None:
        what = f"{quoted(name)} is the name of a token, and nothing says which number it has"
        if re.fullmatch(r"-?[0-9]{1,6}", name):
            raise Violation("R208", what, f"write {name} without the quotes for the number")
        raise Violation(
            "R208",
            what,
            f'write {STATED_AS} = ["a", "b", …] at the top of the file, which numbers the tokens '
            "from 0, or give the tokens (--tokens, tokens=…)",
        )
    if vocabulary is UNREADABLE:
        return Token(0, name)
    found = vocabulary.token(name)
    if found is None:
        raise Violation("R208", *vocabulary.unknown(name))
    return found


def index_literal(literal: Literal) -> int | None:
    """The value of a literal that may also be None."""
    return None if literal.value is None else integer(literal)
