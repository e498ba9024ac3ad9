"""Value sets: for every node, all the integers that it can ever hold.

Given the tokens that may come in, each Int or Bool node gets a finite set that omits no value
that some input reaches. The compiler sizes its look-ups by these sets, and where no member
overflows or divides by zero, none of the executors has to look.

A set alone would forget that two sequences are functions of the same token (`x - x` is 0, not
every difference), so a tokenwise node is kept as a table over its *sources*: the inputs and heads
that it is computed from. Where a table would grow beyond `limit` cells, the node is first cut
loose from the sources of its arguments, and then known by its least and greatest value only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.analysis.intervals import Interval, bounds
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
    Where,
)
from raspl.language.ir.tables import Rules
from raspl.language.ir.types import BOOL, NULL, int_range

Alphabet = Iterable[int] | Mapping[str, Iterable[int]]
"""The tokens that may come in: of all inputs, or of each by its name."""

Set = NDArray[np.int64]
"""A finite set of integers, in ascending order."""

LIMIT = 1 << 16


@dataclass(frozen=True, slots=True)
class Values:
    """What every node of a program can hold, and what can go wrong."""

    sets: Mapping[Node, Set]
    """For each Int or Bool node. Empty where every input fails before."""
    overflows: frozenset[Node]
    divides: frozenset[Node]
    """Maps and selects that may divide by zero."""
    nullable: frozenset[Node]
    """Index and Count nodes that may be None."""
    selected: Mapping[Aggr, Set]
    """For each aggregate of Int or Bool, the values that it may have to reduce."""
    joint: Callable[[Sequence[Node]], list[Table] | None] = field(repr=False, compare=False)
    """Int or Bool nodes as tables over the same sources; None where that is too large."""

    def __getitem__(self, node: Node) -> Set:
        return self.sets[node]

    @property
    def is_safe(self) -> bool:
        """Whether no input over the alphabet can make the program fail."""
        return not self.overflows and not self.divides


@dataclass(frozen=True, slots=True)
class Table:
    """A node as a function of its sources: one axis a source, one cell an assignment."""

    sources: tuple[Node, ...]
    values: Set
    alive: NDArray[np.bool_]
    """The assignments under which the program has not failed before."""

    @property
    def reached(self) -> Set:
        """The values that occur."""
        return as_set(self.values[self.alive])


def as_set(values: Iterable[int] | Set) -> Set:
    """A set in ascending order."""
    array = np.asarray(values if isinstance(values, np.ndarray) else list(values), dtype=np.int64)
    if array.size < 1024:
        return np.unique(array)
    low, high = int(array.min()), int(array.max())
    if high - low > 4 * array.size + LIMIT:
        return np.unique(array)
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[array - low] = True
    return np.flatnonzero(seen) + low


def infer(graph: Graph, alphabet: Alphabet | None = None, limit: int = LIMIT) -> Values:
    """The value sets of a program; without an alphabet every Int of its width may come in."""
    inference = _Inference(graph, alphabet, limit)
    for node in graph.nodes:
        RULES[type(node)](inference, node)
    return Values(
        inference.sets,
        frozenset(inference.overflows),
        frozenset(inference.divides),
        frozenset(inference.nullable),
        inference.selected,
        inference.joint,
    )


class _Inference:
    """The sets of the nodes so far."""

    def __init__(self, graph: Graph, alphabet: Alphabet | None, limit: int) -> None:
        self.sets: dict[Node, Set] = {}
        self.overflows: set[Node] = set()
        self.divides: set[Node] = set()
        self.nullable: set[Node] = set()
        self.selected: dict[Aggr, Set] = {}
        self.limit = limit
        self._order = {node: number for number, node in enumerate(graph.nodes)}
        self._tables: dict[Node, Table] = {}
        self._alphabet = alphabet
        self.low, self.high = int_range(graph.bits)

    def tokens(self, node: Input) -> Set:
        """What may come in at an input."""
        given = self._alphabet
        if isinstance(given, Mapping):
            given = given.get(node.name)
        if node.type == BOOL:
            return np.arange(2)
        if given is None:
            return np.arange(self.low, self.high + 1)
        tokens = as_set(given)
        return tokens[(tokens >= self.low) & (tokens <= self.high)]

    def source(self, node: Node, values: Set) -> None:
        """A node that stands for itself."""
        self.sets[node] = values
        self._tables[node] = Table((node,), values, np.ones(len(values), dtype=bool))

    def tokenwise(self, node: Node, table: Table) -> None:
        """A node that is a function of its sources."""
        self.sets[node] = table.reached
        self._tables[node] = table

    def joint(self, nodes: Sequence[Node]) -> list[Table] | None:
        """The tables of several nodes over the same sources, or None where that is too large."""
        tables = [self._tables[node] for node in nodes]
        for attempt in (tables, [self._loose(node) for node in nodes]):
            sources = sorted({s for t in attempt for s in t.sources}, key=self._order.__getitem__)
            if math.prod(len(self.sets[s]) for s in sources) <= self.limit:
                return [self._spread(table, tuple(sources)) for table in attempt]
        return None

    def _loose(self, node: Node) -> Table:
        values = self.sets[node]
        return Table((node,), values, np.ones(len(values), dtype=bool))

    def _spread(self, table: Table, sources: tuple[Node, ...]) -> Table:
        full = tuple(len(self.sets[s]) for s in sources)
        shape = tuple(
            size if s in table.sources else 1 for s, size in zip(sources, full, strict=True)
        )
        values = np.broadcast_to(table.values.reshape(shape), full)
        alive = np.broadcast_to(table.alive.reshape(shape), full)
        return Table(sources, values, alive)


def _input(inference: _Inference, node: Input) -> None:
    if node.type.is_index:
        inference.nullable.add(node)
    else:
        inference.source(node, inference.tokens(node))


def _full(inference: _Inference, node: Full) -> None:
    if node.value is None:
        inference.nullable.add(node)
    else:
        inference.source(node, as_set([node.value]))


def _map(inference: _Inference, node: TokMap | SeqMap) -> None:
    if node.args[0].type.is_index:
        _index_map(inference, node)
        return
    tables = inference.joint(node.args)
    if tables is None:
        _bounded_map(inference, node)
        return
    values, failed = arrays.apply(node.fn, [table.values for table in tables])
    alive = np.logical_and.reduce([table.alive for table in tables])
    if failed is not None:
        if (alive & failed).any():
            inference.divides.add(node)
        alive = alive & ~failed
    inside = np.asarray((values >= inference.low) & (values <= inference.high), dtype=bool)
    if (alive & ~inside).any():
        inference.overflows.add(node)
    kept = np.where(inside, values, 0).astype(np.int64)
    inference.tokenwise(node, replace(tables[0], values=kept, alive=alive & inside))


def _bounded_map(inference: _Inference, node: TokMap | SeqMap) -> None:
    # No set is empty here, for a table of no cells would not have been too large.
    known = bounds(node.fn.body, [_hull(inference.sets[arg]) for arg in node.args])
    if known.divides:
        inference.divides.add(node)
    low, high = known.interval.low, known.interval.high
    if low < inference.low or high > inference.high:
        inference.overflows.add(node)
    inference.source(node, np.arange(max(low, inference.low), min(high, inference.high) + 1))


def _index_map(inference: _Inference, node: TokMap | SeqMap) -> None:
    if isinstance(node, TokMap):
        if node.x in inference.nullable:
            inference.nullable.add(node)
    elif NULL in (node.x.type, node.y.type):
        inference.source(node, as_set([int(node.fn.comparison == "!=")]))
    else:
        inference.source(node, as_set([0, 1]))


def _where(inference: _Inference, node: Where) -> None:
    if node.type.is_index:
        if node.a in inference.nullable or node.b in inference.nullable:
            inference.nullable.add(node)
        return
    tables = inference.joint(node.args)
    if tables is None:
        parts = [inference.sets[arg] for arg in (node.a, node.b)]
        inference.source(node, as_set(np.concatenate(parts)))
        return
    c, a, b = tables
    values = np.where(c.values != 0, a.values, b.values)
    # Both branches are computed before one is chosen, so both must have gone well.
    alive = c.alive & a.alive & b.alive
    inference.tokenwise(node, Table(c.sources, values, alive))


def _select(inference: _Inference, node: Select) -> None:
    """A select fails if its predicate does on any key and query."""
    if not bounds(node.fn.body, [_side(inference, side) for side in node.args]).divides:
        return
    if not (node.k.type.is_int and node.q.type.is_int):
        inference.divides.add(node)
        return
    k, q = inference.sets[node.k], inference.sets[node.q]
    if len(k) * len(q) > inference.limit:
        inference.divides.add(node)
        return
    _, failed = arrays.apply(node.fn, np.broadcast_arrays(k[:, None], q))
    if failed is not None and failed.any():
        inference.divides.add(node)


def _side(inference: _Inference, node: Node) -> Interval:
    """The bounds of a key or query; an index stands as 0 where the predicate ignores it."""
    return Interval(0, 0) if node.type.is_index else _hull(inference.sets[node])


def _hull(values: Set) -> Interval:
    return Interval(int(values[0]), int(values[-1])) if len(values) else Interval(0, 0)


def _aggr(inference: _Inference, node: Aggr) -> None:
    reached = REACHED[node.reduction]
    # Without a condition the position itself is selected, so the default never shows.
    is_always = bool(node.s.fn.constant)
    if node.type.is_index:
        if not is_always or node.v in inference.nullable:
            inference.nullable.add(node)
        return
    values = inference.selected[node] = _selectable(inference, node)
    if not node.s.is_lookup:
        values = reached(values)
    assert node.default is not None
    inference.source(node, values if is_always else as_set(np.append(values, node.default)))


def _selectable(inference: _Inference, node: Aggr) -> Set:
    """The values that stand at positions whose key some query can select."""
    k, q = node.s.k, node.s.q
    if not (k.type.is_int and q.type.is_int):
        return inference.sets[node.v]
    tables = inference.joint((k, node.v))
    keys, queries = inference.sets[k], inference.sets[q]
    if tables is None or len(keys) * len(queries) > inference.limit or not len(keys):
        return inference.sets[node.v]
    chosen, failed = arrays.apply(node.s.fn, np.broadcast_arrays(keys[:, None], queries))
    matches = np.asarray(chosen != 0, dtype=bool)
    if failed is not None:
        matches = matches & ~failed
    key, value = tables
    selectable = np.logical_or.reduce(matches, axis=1)
    hit = selectable[np.searchsorted(keys, key.values).clip(0, len(keys) - 1)]
    return as_set(value.values[key.alive & value.alive & hit])


def _between(values: Set) -> Set:
    """A mean lies between the least and the greatest, and truncation keeps it there."""
    return np.arange(values[0], values[-1] + 1) if len(values) else values


REACHED: Rules[Reduction, Callable[[Set], Set]] = Rules(
    "value sets (REACHED)",
    {"mean": _between, "max": lambda values: values, "min": lambda values: values},
)
"""The values that a reduction can make of several selected ones."""
RULES: Rules[type[Node], Callable[[_Inference, Any], None]] = Rules(
    "value sets",
    {
        Input: _input,
        Full: _full,
        Indices: lambda inference, node: None,
        TokMap: _map,
        SeqMap: _map,
        Where: _where,
        Select: _select,
        SelWidth: lambda inference, node: None,
        Aggr: _aggr,
    },
)
