"""The reference executor: the definition of what a program means.

One rule a primitive, each saying what the value at one position is, given all the values at this
position and before. It goes position by position, as a causal Transformer with a cache would, so
generation needs nothing else. A head costs O(n) predicate calls a token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.errors import RasplError
from raspl.executors.inputs import InputError, read_inputs, to_array
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import (
    Aggr,
    Full,
    Indices,
    Input,
    Node,
    Reduction,
    Select,
    SelWidth,
    SeqMap,
    TokMap,
    Value,
    Where,
)
from raspl.language.ir.tables import Rules
from raspl.language.ir.types import int_range


class RunError(RasplError):
    """A program went wrong on an input: which rule, at which operation, position and value."""

    def __init__(self, code: str, node: Node, position: int, value: int | None, text: str) -> None:
        super().__init__(f"{node.origin.span}: {code} {text}")
        self.code = code
        self.node = node
        self.position = position
        self.value = value

    @property
    def identity(self) -> tuple[str, int, Node, int | None]:
        """What executors must agree on when they fail."""
        return self.code, self.position, self.node, self.value


class Machine:
    """A program in the middle of a sequence: `step` reads one more token of each input."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.values: dict[Node, list[Value]] = {
            node: [] for node in graph.nodes if not isinstance(node, Select)
        }
        self.rows: dict[Node, list[bool]] = {}
        """For each selector, which keys the latest query selected."""
        self.position = 0
        self._tokens: dict[str, Value] = {}
        self._range = int_range(graph.bits)

    def step(self, *tokens: Value) -> Value:
        """Read one position and give the program's output there."""
        inputs = self.graph.inputs
        self._tokens = {node.name: t for node, t in zip(inputs, tokens, strict=True)}
        for node in self.graph.nodes:
            value = RULES[type(node)](self, node)
            if not isinstance(node, Select):
                self.values[node].append(value)
        self.position += 1
        return self.values[self.graph.output][-1]

    def now(self, node: Node) -> Value:
        """The value of a node at the current position."""
        return self.values[node][self.position]

    def token(self, node: Input) -> Value:
        """The current token of an input."""
        return self._tokens[node.name]

    def checked(self, node: Node, value: int) -> int:
        """An Int that lies in the range of the program's width, or an overflow."""
        low, high = self._range
        if low <= value <= high:
            return value
        raise overflow(node, self.position, value, self.graph.bits)

    def divided(self, node: Node) -> RunError:
        """The error for a division by zero at the current position."""
        return division(node, self.position)


def overflow(node: Node, position: int, value: int, bits: int) -> RunError:
    """The error for a value that no Int of this width can hold."""
    low, high = int_range(bits)
    wider = "" if bits == 16 else "; declare @program(bits=16) or keep it smaller"
    return RunError(
        "R401",
        node,
        position,
        value,
        f"overflow: {_operation(node)} gives {value} at position {position}, outside of "
        f"{low}…{high}{wider}",
    )


def division(node: Node, position: int) -> RunError:
    """The error for a division by zero."""
    text = f"division by zero: {_operation(node)} at position {position}"
    return RunError("R402", node, position, None, text)


def _operation(node: Node) -> str:
    inside = f", inside of {node.origin.via}," if node.origin.via else ""
    return f"`{node.origin.span.snippet}`{inside}"


def _tok_map(machine: Machine, node: TokMap) -> Value:
    x = machine.now(node.x)
    if node.x.type.is_index:
        # The successor of no index is no index; a shift by a literal can't overflow.
        return None if x is None else node.fn(x)
    assert x is not None
    try:
        return machine.checked(node, node.fn(x))
    except ZeroDivisionError:
        raise machine.divided(node) from None


def _seq_map(machine: Machine, node: SeqMap) -> Value:
    x, y = machine.now(node.x), machine.now(node.y)
    if x is None or y is None:
        # A comparison with None is false; "differs" is the one that is true.
        return int(node.fn.comparison == "!=")
    try:
        return machine.checked(node, node.fn(x, y))
    except ZeroDivisionError:
        raise machine.divided(node) from None


def _where(machine: Machine, node: Where) -> Value:
    return machine.now(node.a if machine.now(node.c) else node.b)


def _select(machine: Machine, node: Select) -> Value:
    query, fn = machine.now(node.q), node.fn
    keys = machine.values[node.k][: machine.position + 1]
    if fn.comparison is not None:
        row = [k is not None and query is not None and bool(fn(k, query)) for k in keys]
    else:
        # A predicate that is no comparison never looks at an index, so None can stand as 0.
        try:
            row = [bool(fn(k or 0, query or 0)) for k in keys]
        except ZeroDivisionError:
            raise machine.divided(node) from None
    machine.rows[node] = row
    return None


def _sel_width(machine: Machine, node: SelWidth) -> Value:
    return sum(machine.rows[node.s])


def _aggr(machine: Machine, node: Aggr) -> Value:
    values = machine.values[node.v]
    selected = [values[j] for j, chosen in enumerate(machine.rows[node.s]) if chosen]
    present = [value for value in selected if value is not None]
    reduced = REDUCED[node.reduction]
    return reduced(present) if present else node.default


def _mean(values: list[int]) -> int:
    """Truncated toward zero."""
    total, count = sum(values), len(values)
    return total // count if total >= 0 else -(-total // count)


REDUCED: Rules[Reduction, Callable[[list[int]], int]] = Rules(
    "the reference executor (REDUCED)", {"mean": _mean, "max": max, "min": min}
)
RULES: Rules[type[Node], Callable[[Machine, Any], Value]] = Rules(
    "the reference executor",
    {
        Input: lambda machine, node: machine.token(node),
        Full: lambda machine, node: node.value,
        Indices: lambda machine, node: machine.position,
        TokMap: _tok_map,
        SeqMap: _seq_map,
        Where: _where,
        Select: _select,
        SelWidth: _sel_width,
        Aggr: _aggr,
    },
)


def run(graph: Graph, *sequences: Iterable[Any]) -> NDArray[np.int64]:
    """One pass over given sequences: the output at every position."""
    columns = read_inputs(graph, sequences)
    machine = Machine(graph)
    return to_array([machine.step(*tokens) for tokens in zip(*columns, strict=True)])


def generate(
    graph: Graph, prompt: Iterable[Any], until: int | None = None, limit: int = 1000
) -> NDArray[np.int64]:
    """The prompt followed by what the program writes, up to `until` or `limit` new tokens."""
    (tokens,) = read_prompt(graph, prompt)
    machine = Machine(graph)
    for token in tokens:
        following = machine.step(token)
    for count in range(limit):
        tokens.append(following)
        if following == until or count + 1 == limit:
            break
        following = machine.step(following)
    return to_array(tokens)


def read_prompt(graph: Graph, prompt: Iterable[Any]) -> list[list[Value]]:
    """The prompt, if the program can generate from it."""
    if len(graph.inputs) != 1:
        raise InputError(f"{graph.name} reads several sequences, so it can't generate one")
    if not graph.output.type.is_int:
        raise InputError(
            f"{graph.name} gives values of type {graph.output.type}, which are not tokens, "
            "so it can't generate"
        )
    columns = read_inputs(graph, [prompt])
    if not columns[0]:
        raise InputError("the prompt is empty: generation starts from at least one token")
    return columns
