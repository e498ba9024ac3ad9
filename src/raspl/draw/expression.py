"""An expression of RASP-L over an example: its text, checked as any program is, and its drawing.

It holds the text that the public functions and operators build up, as one would write it in a
program. The parser reads that text, so what is legal here is what is legal there, and what is not
is explained in the same words. Its values are those of the reference executor, by way of a trace.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from raspl.draw.scalars import traced
from raspl.errors import RasplError
from raspl.language.ir.primitives import CORE
from raspl.language.ir.scalar import NAMED
from raspl.language.parsing.scope import Core, Definition, FileScope, Scalar
from raspl.language.source import Source
from raspl.language.vocabulary import Vocabulary, quoted
from raspl.program import Program
from raspl.templates import render
from raspl.trace.recording import Column, Selection, Trace
from raspl.trace.text import PASSED, SELECTED

INPUT, SELECTOR = "x", "selector"
LONGEST = 20_000
"""Characters of an expression: each use of a variable writes it out again."""
LABEL = 60
"""Characters of it that stand beside a drawing."""
BITS = 16
PYTHON_FUNCTIONS = {abs: "abs", min: "min", max: "max"}


@dataclass(frozen=True, eq=False)
class Expression:
    """A sequence or a selector over an example. What it shows is what it is there."""

    text: str
    tokens: tuple[int, ...]
    """The example."""
    vocabulary: Vocabulary | None = None
    programs: Mapping[str, Definition] = field(default_factory=dict)
    """The user's programs that the text calls by name."""
    is_selector: bool = False

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST:
            raise RasplError(
                f"this expression has more than {LONGEST:,} characters: write a @program"
            )
        # At once: what is illegal fails where it is written, not where it is shown.
        _ = self.trace

    def on(self, tokens: str | Iterable[int]) -> Expression:
        """The same expression on another example."""
        other = example(tokens)
        return replace(self, tokens=other.tokens, vocabulary=other.vocabulary)

    @cached_property
    def trace(self) -> Trace:
        """What the reference executor computes on the example. Raises IllegalProgram."""
        body = f"return {self.text}"
        if self.is_selector:
            body = f"{SELECTOR} = {self.text}\n    return sel_width({SELECTOR})"
        source = Source(f"def drawn({INPUT}):\n    {body}", "<expression>")
        (node,) = ast.parse(source.text).body
        assert isinstance(node, ast.FunctionDef)
        scope = FileScope(self.vocabulary, dict(self.programs))
        return Program(Definition("drawn", node, source, scope), BITS).trace(self.tokens)

    @property
    def values(self) -> list[int | None]:
        """The value at each position of the example; None is "no such index"."""
        if self.is_selector:
            raise RasplError("a selector has no values: aggr or sel_width makes some of it")
        return list(self.trace.columns[-1].values)

    # What is written about an expression is another one.

    def __raspl_call__(
        self, function: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]
    ) -> Expression:
        """A call of a public function of raspl, or of a program, in which this is an argument."""
        meaning = getattr(function, "__raspl__", None)
        name = meaning.name if isinstance(meaning, Core) else function.name
        own: dict[str, Definition] = {}
        if isinstance(function, Program) and not function.definition.library:
            own[name] = function.definition
        taken = CORE[name].parameters if isinstance(meaning, Core) else {}
        kinds = [each.arity for each in taken.values()] + [0] * len(arguments)
        written = [
            _bare(self._written(each, arity)) for each, arity in zip(arguments, kinds, strict=False)
        ]
        written += [
            f"{key}={_bare(self._written(each, taken[key].arity if key in taken else 0))}"
            for key, each in named.items()
        ]
        programs = _together(own, *arguments, *named.values())
        text = f"{name}({', '.join(written)})"
        return replace(self, text=text, programs=programs, is_selector=name == "select")

    def _written(self, value: Any, arity: int = 0) -> str:
        """An argument as it stands in a program."""
        if isinstance(value, Expression):
            if value.tokens != self.tokens or value.vocabulary != self.vocabulary:
                raise RasplError("these expressions are over different examples: make one x")
            return value.text
        scalar = getattr(value, "__raspl__", None)
        if isinstance(scalar, Scalar):
            return scalar.name
        if callable(value):
            known = PYTHON_FUNCTIONS.get(value)
            function = NAMED[known] if known else traced(value, arity or 1, self.vocabulary)
            return function.show("kq" if function.arity == 2 else "a")
        if isinstance(value, bool | int | None):
            return repr(value)
        if isinstance(value, str):
            return quoted(value)
        raise RasplError(f"{value!r} can't be used in RASP-L: use integers and sequences")

    def _with(self, template: str, *others: Any) -> Expression:
        text = template.format(*(self._written(each) for each in (self, *others)))
        return replace(self, text=text, programs=_together({}, self, *others), is_selector=False)

    def __neg__(self) -> Expression:
        return self._with("(-{})")

    def __pos__(self) -> Expression:
        return self

    def __invert__(self) -> Expression:
        return self._with("(~{})")

    def __getitem__(self, place: Any) -> Expression:
        """Never legal: the sentence says what to write."""
        shown = (
            repr(place) if isinstance(place, int) else ":" if isinstance(place, slice) else INPUT
        )
        return replace(self, text=f"{self.text}[{shown}]")

    def __bool__(self) -> bool:
        raise RasplError(
            "a sequence is true at some positions and false at others: "
            "write &, | and ~ between conditions in parentheses"
        )

    def __iter__(self) -> Iterator[Any]:
        raise RasplError("a program has no loops: functions work on all positions at once")

    __hash__ = object.__hash__

    # How it looks.

    def __repr__(self) -> str:
        """A table: the tokens, and below them the values, or the selector as a grid."""
        if self.is_selector:
            lines = [_clipped(self.text), *_grid(self.trace, self._selection)]
            return "\n".join(lines) + self._failure
        rows = [
            (
                _clipped(self._label(column)),
                str(column.type),
                [column.show(v) for v in column.values],
            )
            for column in self._columns
        ]
        name, type_ = (max(len(row[part]) for row in rows) for part in (0, 1))
        widths = [max(map(len, cells)) for cells in zip(*(row[2] for row in rows), strict=True)]
        return "\n".join(
            f"{label:{name}}  {kind:{type_}} │ "
            + " ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
            for label, kind, cells in rows
        ) + self._failure  # fmt: skip

    def _repr_html_(self) -> str:
        """A drawing: squares for a sequence, a grid for a selector."""
        if self.is_selector:
            node, trace = self._selection.node, self.trace
            return render(
                __package__,
                "selector.html",
                text=_clipped(self.text),
                keys=[trace.show(node.k, value) for value in trace.values[node.k]],
                queries=[trace.show(node.q, value) for value in trace.values[node.q]],
                rows=self._selection.rows,
                failure=self._failure,
            )
        rows = [
            (_clipped(self._label(column)), column.type, [
                (column.show(value), column.type.kind == "Bool" and value == 1, value is None)
                for value in column.values
            ])
            for column in self._columns
        ]  # fmt: skip
        return render(__package__, "sequence.html", rows=rows, failure=self._failure)

    @property
    def _columns(self) -> list[Column]:
        return list(self.trace.columns[-1:] if self.text == INPUT else self.trace.columns)

    def _label(self, column: Column) -> str:
        return self.text if column is self.trace.columns[-1] else INPUT

    @property
    def _selection(self) -> Selection:
        return self.trace.selections[0]

    @property
    def _failure(self) -> str:
        return f"\n{self.trace.failure}" if self.trace.failure else ""


def _operator(template: str) -> Callable[[Expression, Any], Expression]:
    return lambda self, other: self._with(template, other)


for _name, _sign in {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "and": "&", "or": "|",
    "truediv": "/", "pow": "**", "xor": "^", "matmul": "@",
}.items():  # fmt: skip
    setattr(Expression, f"__{_name}__", _operator(f"({{}} {_sign} {{}})"))
    setattr(Expression, f"__r{_name}__", _operator(f"({{1}} {_sign} {{0}})"))
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Expression, f"__{_name}__", _operator(f"({{}} {_sign} {{}})"))


def _together(own: Mapping[str, Definition], *parts: Any) -> dict[str, Definition]:
    """The programs that several parts call, by name."""
    found = dict(own)
    for part in parts:
        for name, definition in part.programs.items() if isinstance(part, Expression) else ():
            if found.setdefault(name, definition) is not definition:
                raise RasplError(f"two different programs are called {name}: rename one of them")
    return found


def example(tokens: str | Iterable[int]) -> Expression:
    """An input to draw on: numbers, or the letters of a text, which are then known by name."""
    if isinstance(tokens, str):
        if not tokens:
            raise RasplError("an example has at least one token")
        letters = Vocabulary.of(sorted(set(tokens)))
        return Expression(INPUT, tuple(letters.numbers[each] for each in tokens), letters)
    numbers = tuple(int(token) for token in tokens)
    if not numbers:
        raise RasplError("an example has at least one token")
    return Expression(INPUT, numbers)


def _bare(text: str) -> str:
    """An expression without the parentheses around the whole of it."""
    inner = text[1:-1] if text.startswith("(") and text.endswith(")") else text
    return text if _closes_early(inner) else inner


def _clipped(text: str) -> str:
    bare = _bare(text)
    return bare if len(bare) <= LABEL else bare[: LABEL - 1] + "…"


def _closes_early(text: str) -> bool:
    """Whether the parentheses at both ends were not a pair."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return True
    return False


def _grid(trace: Trace, selection: Selection) -> list[str]:
    """Queries down, keys across."""
    node = selection.node
    keys = [trace.show(node.k, value) for value in trace.values[node.k]]
    queries = [trace.show(node.q, value) for value in trace.values[node.q]]
    side, widths = max(map(len, queries), default=0), [len(key) for key in keys]
    lines = [f"{'':{side}} │ " + " ".join(keys)]
    for query, row in zip(queries, selection.rows, strict=True):
        cells = (SELECTED if chosen else PASSED for chosen in row)
        line = " ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=False))
        lines.append(f"{query:>{side}} │ {line}")
    return lines
