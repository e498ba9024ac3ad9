"""The batch executor: many sequences through a program at once, node by node.

Every node becomes a column for all sequences of a block, by array operations alone; heads are in
`batch.heads`. An error does not stop the others: what a sequence does up to its first error is
not touched by what comes after it, since programs are causal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.executors import stream
from raspl.executors.batch.inputs import NONE, WORD, Block, Results, blocks, read_batch
from raspl.executors.batch.selects import Selected, head_column, selected
from raspl.executors.reference import RunError, division, overflow
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import (
    Aggr,
    Full,
    Indices,
    Input,
    Node,
    Select,
    SelWidth,
    SeqMap,
    TokMap,
    Value,
    Where,
)
from raspl.language.ir.scalar import Expr, Fn
from raspl.language.ir.tables import Rules
from raspl.language.ir.types import int_range

Array = NDArray[Any]
LONGEST = 1 << 13
"""Longer sequences go through the stream, which never looks at pairs."""


def run(
    graph: Graph, *inputs: Iterable[Iterable[Any]] | Array, lengths: Sequence[int] | None = None
) -> Results:
    """A batch for each input of the program: sequences of any lengths, or a padded 2-D array."""
    batch = read_batch(graph, inputs, lengths)
    results = Results.empty(batch.lengths)
    for block in blocks(batch):
        if block.longest > LONGEST or not _fits(graph, block):
            _by_stream(graph, block, results)
        elif block.longest:
            _Evaluation(graph, block).into(results)
    return results


def _fits(graph: Graph, block: Block) -> bool:
    """Whether every index stays far from the ends of a machine word."""
    shifts = sum(
        abs(node.fn.shift or 0)
        for node in graph.nodes
        if isinstance(node, TokMap) and node.type.is_index
    )
    given = [
        int(column.max(initial=0))
        for node, column in zip(graph.inputs, block.columns, strict=True)
        if node.type.is_index
    ]
    return shifts + block.longest + max(given, default=0) < 2**30


def _by_stream(graph: Graph, block: Block, results: Results) -> None:
    for row, number in enumerate(block.numbers):
        length = int(block.lengths[row])
        columns = [
            [None if value == NONE else int(value) for value in column[row, :length]]
            for column in block.columns
        ]
        try:
            results.put(int(number), stream.outputs(graph, columns))
        except RunError as error:
            results.errors[int(number)] = error


class _Evaluation:
    """One block of sequences on its way through a program."""

    def __init__(self, graph: Graph, block: Block) -> None:
        self.graph = graph
        self.bits = graph.bits
        self.shape = block.columns[0].shape
        self.position = np.arange(self.shape[1], dtype=WORD)
        self.columns: dict[Node, Array] = {}
        self.selects: dict[Select, Selected] = {}
        self._block = block
        self._range = int_range(graph.bits)
        self._nullable: dict[Node, bool] = {}
        self._failed: dict[int, RunError] = {}
        self._users: dict[Node, int] = {}
        for node in graph.nodes:
            for arg in node.args:
                self._users[arg] = self._users.get(arg, 0) + 1

    def into(self, results: Results) -> None:
        """Evaluate every node, and hand over the output."""
        for node in self.graph.nodes:
            RULES[type(node)](self, node)
            for arg in node.args:
                self._users[arg] -= 1
                if not self._users[arg]:
                    # What no later node needs makes room in the cache.
                    self.columns.pop(arg, None)
        results.put_block(self._block, self.columns[self.graph.output], self._failed)

    def given(self, node: Input) -> Array:
        """The tokens of an input."""
        return self._block.columns[self.graph.inputs.index(node)]

    def is_nullable(self, node: Node) -> bool:
        """Whether None occurs in the column of an index."""
        known = self._nullable.get(node)
        if known is None:
            known = node.type.is_index and bool((self.columns[node] == NONE).any())
            self._nullable[node] = known
        return known

    def full(self, value: Value) -> Array:
        """The same value everywhere."""
        word = NONE if value is None else value
        return np.broadcast_to(np.asarray(word, dtype=WORD), self.shape)

    def indices(self) -> Array:
        """The positions."""
        return np.broadcast_to(self.position, self.shape)

    def mapped(self, node: Node, expr: Expr, columns: Sequence[Array]) -> Array:
        """A scalar function of columns; where it divides by zero the node has failed."""
        values, failed = arrays.tabulated(Fn(len(columns), expr), columns)
        if failed is not None:
            self._fail(node, failed, None)
            values = np.where(failed, 0, values)
        return values

    def checked(self, node: Node, values: Array) -> Array:
        """Values of the program's width; where others stand the node has failed."""
        low, high = self._range
        if values.size and (values.min() < low or values.max() > high):
            outside = np.asarray((values < low) | (values > high), dtype=bool)
            self._fail(node, outside, values)
            values = np.where(outside, 0, values)
        return values.astype(WORD, copy=False)

    def failed(self, node: Node, where: Array) -> None:
        """Record a division by zero."""
        self._fail(node, where, None)

    def _fail(self, node: Node, where: Array, values: Array | None) -> None:
        """Keep the error of each sequence that comes first: by position, then by node."""
        where = where & (self.position < self._block.lengths[:, None])
        for row in np.flatnonzero(where.any(axis=1)).tolist():
            position = int(where[row].argmax())
            known = self._failed.get(row)
            if known is not None and known.position <= position:
                continue
            if values is None:
                self._failed[row] = division(node, position)
            else:
                value = int(values[row, position])
                self._failed[row] = overflow(node, position, value, self.graph.bits)


def _tok_map(block: _Evaluation, node: TokMap) -> None:
    x = block.columns[node.x]
    if not node.x.type.is_index:
        block.columns[node] = block.checked(node, block.mapped(node, node.fn.body, [x]))
        return
    moved = x + WORD.type(node.fn.shift or 0)
    block.columns[node] = np.where(x == NONE, NONE, moved) if block.is_nullable(node.x) else moved


def _seq_map(block: _Evaluation, node: SeqMap) -> None:
    x, y = block.columns[node.x], block.columns[node.y]
    values = block.mapped(node, node.fn.body, [x, y])
    for arg in node.args:
        if block.is_nullable(arg):
            is_none = block.columns[arg] == NONE
            values = np.where(is_none, int(node.fn.comparison == "!="), values)
    block.columns[node] = block.checked(node, values)


def _where(block: _Evaluation, node: Where) -> None:
    c, a, b = (block.columns[arg] for arg in node.args)
    block.columns[node] = np.where(c != 0, a, b)


def _select(block: _Evaluation, node: Select) -> None:
    block.selects[node] = selected(block, node)


def _head(block: _Evaluation, node: SelWidth | Aggr) -> None:
    block.columns[node] = head_column(block, block.selects[node.s], node)


RULES: Rules[type[Node], Callable[[_Evaluation, Any], None]] = Rules(
    "the batch executor",
    {
        Input: lambda block, node: block.columns.__setitem__(node, block.given(node)),
        Full: lambda block, node: block.columns.__setitem__(node, block.full(node.value)),
        Indices: lambda block, node: block.columns.__setitem__(node, block.indices()),
        TokMap: _tok_map,
        SeqMap: _seq_map,
        Where: _where,
        Select: _select,
        SelWidth: _head,
        Aggr: _head,
    },
)
