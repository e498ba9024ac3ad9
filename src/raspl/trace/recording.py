"""The trace: every named intermediate of a program on one input, and what its heads attended to.

It is what the reference executor holds after each position, kept. Execution is causal, so a
generation needs no second meaning: one pass over the finished sequence holds every step of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from raspl.executors.inputs import read_inputs
from raspl.executors.reference import Machine, RunError, read_prompt
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Full, Indices, Node, Select, SeqMap, TokMap, Value
from raspl.language.ir.scalar import Lit, show
from raspl.language.ir.tokens import token_nodes
from raspl.language.ir.types import Type
from raspl.language.vocabulary import Vocabulary, literal_text

if TYPE_CHECKING:
    from rich.console import RenderableType

NONE = "·"
"""How None ("no such index") is shown."""
MAX_GRID = 200
"""Selectors over more positions are not drawn: no one could read them."""
LABEL = 48
"""The longest expression that stands for a value without a name."""


@dataclass(frozen=True, slots=True)
class Column:
    """An input, a named sequence or the output: one value a position."""

    name: str
    node: Node
    line: int
    """The source line that gives the value its name."""
    values: tuple[Value, ...]
    vocabulary: Vocabulary | None = None
    """The names of its values, if they are tokens that have names."""

    @property
    def type(self) -> Type:
        """The type that stands in the margin."""
        return self.node.type

    def show(self, value: Value) -> str:
        """A value as it stands in a table: a token by its name."""
        return show_value(value, self.vocabulary)


@dataclass(frozen=True, slots=True)
class Selection:
    """A selector: for each query a row of bytes, 1 where the key was selected, up to itself."""

    name: str
    """Empty for a selector that the program gives no name, such as that of a `kqv`."""
    label: str
    node: Select
    rows: tuple[bytes, ...]

    @property
    def line(self) -> int:
        """The source line that the selector comes from."""
        return self.node.origin.span.line

    @property
    def title(self) -> str:
        """One line that says which selector this is."""
        via = self.node.origin.via
        where = f"line {self.line}" + (f", in {via}" if via else "")
        return f"{self.name} = {self.label}" if self.name else f"{self.label}  ({where})"

    def keys(self, query: int) -> list[int]:
        """The positions that a query selected."""
        return [key for key, chosen in enumerate(self.rows[query]) if chosen]


@dataclass(frozen=True, slots=True)
class Failure:
    """Where and why the program went wrong, with what the failing operation read there."""

    sentence: str
    position: int
    operands: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        read = ", ".join(f"{label} = {value}" for label, value in self.operands)
        return f"{self.sentence}; it read {read}" if read else self.sentence


@dataclass(frozen=True, eq=False)
class Trace:
    """What a program did at each position. Prints as a table; in a notebook it is a page."""

    graph: Graph
    inputs: tuple[tuple[Value, ...], ...]
    """The tokens of each input. A generation ends with a token that is not read any more."""
    values: Mapping[Node, tuple[Value, ...]]
    rows: Mapping[Node, tuple[bytes, ...]]
    length: int
    """How many positions were computed: all those before a failure."""
    prompt: int | None = None
    """How many tokens were given, if the program wrote the rest."""
    failure: Failure | None = None
    text: tuple[str, ...] = ()
    """The source text, if it is known in full; otherwise the lines of the nodes stand for it."""
    first_line: int = 1

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The inputs, the named sequences in the order of the program, and the output."""
        graph = self.graph
        given = [
            Column(node.name, node, node.origin.span.line, column[: self.length], self.names(node))
            for node, column in zip(graph.inputs, self.inputs, strict=True)
        ]
        last = "output" if self.prompt is None else "→ next"
        named = [
            Column(name, node, line, self.values[node], self.names(node))
            for name, node, line in (*graph.names, (last, graph.output, graph.return_line))
            if not isinstance(node, Select)
        ]
        return (*given, *named)

    @cached_property
    def selections(self) -> tuple[Selection, ...]:
        """Every selector: those with a name first, then those inside of heads."""
        named = [(name, node) for name, node, _ in self.graph.names if isinstance(node, Select)]
        known = {node for _, node in named}
        inside = [
            ("", node)
            for node in self.graph.nodes
            if isinstance(node, Select) and node not in known
        ]
        return tuple(
            Selection(name, self._describe_select(node), node, self.rows[node])
            for name, node in (*named, *inside)
        )

    @cached_property
    def listing(self) -> tuple[tuple[int, str], ...]:
        """The source as numbered lines, as far as it is known."""
        first = self.graph.inputs[0].origin.span
        spans = [node.origin.span for node in (*self.graph.inputs, *self.graph.nodes)]
        lines = {span.line: span.text for span in spans if span.file == first.file}
        lines |= dict(enumerate(self.text, self.first_line))
        return tuple(sorted(lines.items()))

    def with_source(self, text: str, first_line: int = 1) -> Trace:
        """The same trace with the whole text of its program, to be shown beside it."""
        return replace(self, text=tuple(text.split("\n")), first_line=first_line)

    def names(self, node: Node) -> Vocabulary | None:
        """The names of a node's values, if they are tokens that have names."""
        return self.graph.vocabulary if node in self._tokens else None

    def show(self, node: Node, value: Value) -> str:
        """A value of a node as it stands in a table."""
        return show_value(value, self.names(node))

    @cached_property
    def _tokens(self) -> frozenset[Node]:
        return token_nodes(self.graph)

    @cached_property
    def _token_names(self) -> dict[int, str]:
        if self.graph.vocabulary is not None:
            return dict(self.graph.vocabulary.names)
        constants = self.graph.constants
        values = list(constants.values())
        # Two names for one token say nothing about which is meant.
        return {value: name for name, value in constants.items() if values.count(value) == 1}

    def token_name(self, value: Value) -> str:
        """What the program calls a token, or nothing."""
        return "" if value is None else self._token_names.get(value, "")

    def describe(self, node: Node, depth: int = 3) -> str:
        """A name or a short expression for a node."""
        name = self._node_names.get(node)
        if name is not None:
            return name
        if isinstance(node, Full):
            return NONE if node.value is None else literal_text(node.value)
        if isinstance(node, Indices):
            return "indices"
        if isinstance(node, TokMap | SeqMap) and depth:
            return self.expression(node, depth)
        return f"{node.origin.via or type(node).__name__.lower()}(…)"

    def expression(self, node: TokMap | SeqMap, depth: int = 3) -> str:
        """What a map computes, whether it has a name or not."""
        return _clip(show(node.fn.body, [self.describe(arg, depth - 1) for arg in node.args]))

    @cached_property
    def _node_names(self) -> dict[Node, str]:
        return {node: name for name, node, _ in reversed(self.graph.names)} | {
            node: node.name for node in self.graph.inputs
        }

    def _describe_select(self, node: Select) -> str:
        keys, queries = _bare(self.describe(node.k)), _bare(self.describe(node.q))
        body = node.fn.body
        test = str(bool(body.value)) if isinstance(body, Lit) else _bare(_clip(show(body, "kq")))
        return f"select(k={keys}, q={queries}, {test})"

    def table(self, selectors: bool = False, width: int | None = None) -> str:
        """Plain text. Positions that don't fit `width` go on below; named selectors are drawn.

        `selectors` draws those inside of heads as well; the terminal gives the width if None.
        """
        from raspl.trace import text as trace_text

        return trace_text.plain(self, selectors, width)

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        """At a prompt, the table itself."""
        return self.table()

    def rich(self, selectors: bool = False) -> RenderableType:
        """The table in colour, for a rich console."""
        from raspl.trace import text as trace_text

        return trace_text.Coloured(self, selectors)

    def __rich__(self) -> RenderableType:
        return self.rich()

    def _repr_html_(self) -> str:
        from raspl.trace import page as trace_html

        return trace_html.frame(self)


def show_value(value: Value, names: Vocabulary | None = None) -> str:
    """A value as it stands in a table: a token by its name, if there are names."""
    if value is None:
        return NONE
    return str(value) if names is None else names.show(value)


def _shown(trace: Trace, node: Node, value: Value) -> str:
    """A number, and the token's name behind it: what goes wrong is arithmetic."""
    names = trace.names(node)
    name = "" if names is None else names.name(value)
    return f"{show_value(value)} ({name})" if name else show_value(value)


def _clip(text: str) -> str:
    """A scalar function may be a table of any size; a label must not."""
    return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def _bare(text: str) -> str:
    """An expression without the parentheses around the whole of it."""
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def trace(graph: Graph, *sequences: Iterable[Any]) -> Trace:
    """One pass over given sequences, with everything that happened on the way."""
    columns = read_inputs(graph, sequences)
    recorder = _Recorder(graph)
    for tokens in zip(*columns, strict=True):
        if recorder.step(*tokens) is not None:
            break
    return recorder.finish(columns)


def generation(
    graph: Graph, prompt: Iterable[Any], until: int | None = None, limit: int = 1000
) -> Trace:
    """The prompt and what the program writes after it, up to `until` or `limit` new tokens."""
    columns = read_prompt(graph, prompt)
    (tokens,) = columns
    given = len(tokens)
    recorder = _Recorder(graph)
    for position in range(given + limit):
        if position >= given:
            tokens.append(recorder.latest)
            if tokens[-1] == until or len(tokens) == given + limit:
                break
        if recorder.step(tokens[position]) is not None:
            break
    return recorder.finish(columns, given)


class _Recorder:
    """A machine whose selector rows are kept."""

    def __init__(self, graph: Graph) -> None:
        self._machine = Machine(graph)
        self._rows: dict[Node, list[bytes]] = {
            node: [] for node in graph.nodes if isinstance(node, Select)
        }
        self._error: RunError | None = None

    def step(self, *tokens: Value) -> RunError | None:
        """Read one more position, unless the program fails there."""
        try:
            self._machine.step(*tokens)
        except RunError as error:
            self._error = error
        else:
            for node, rows in self._rows.items():
                rows.append(bytes(self._machine.rows[node]))
        return self._error

    @property
    def latest(self) -> Value:
        """The output at the latest position."""
        return self._machine.values[self._machine.graph.output][-1]

    def finish(self, columns: list[list[Value]], prompt: int | None = None) -> Trace:
        """Everything so far. At a position that failed half the values are missing: cut it off."""
        machine = self._machine
        length = machine.position
        done = Trace(
            graph=machine.graph,
            inputs=tuple(map(tuple, columns)),
            values=MappingProxyType(
                {node: tuple(values[:length]) for node, values in machine.values.items()}
            ),
            rows=MappingProxyType({node: tuple(rows) for node, rows in self._rows.items()}),
            length=length,
            prompt=prompt,
        )
        if self._error is None:
            return done
        operands = tuple(
            (done.describe(arg), _shown(done, arg, machine.values[arg][length]))
            for arg in self._error.node.args
            if not isinstance(arg, Select | Full)
        )
        return replace(done, failure=Failure(str(self._error), length, operands))
