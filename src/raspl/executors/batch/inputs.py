"""Batches as they come in and go out: ragged lists or padded arrays, in blocks of like length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.executors.inputs import NO_INDEX, InputError, read_inputs, to_array, token_range
from raspl.executors.reference import RunError
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Input, Value

Array = NDArray[Any]
WORD = np.dtype(np.int32)
NONE = int(np.iinfo(WORD).min)
"""How None stands in a column; no index comes near it."""
LARGEST = 1 << 30
"""The largest index that a column holds."""
POSITIONS = 1 << 16
"""About how many positions make a block: its columns then stay in the cache."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The sequences of every input, padded to one length."""

    columns: tuple[Array, ...]
    lengths: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Block:
    """Some sequences of a batch, of like length."""

    columns: tuple[Array, ...]
    lengths: NDArray[np.int64]
    numbers: NDArray[np.int64]
    """Their places in the batch."""

    @property
    def longest(self) -> int:
        return int(self.columns[0].shape[1])


@dataclass(frozen=True)
class Results:
    """The outputs of a batch: a sequence of arrays, in which a failed run raises its error."""

    values: NDArray[np.int64]
    """Padded to one length; None is -1, as everywhere outside."""
    absent: NDArray[np.bool_]
    """Where the value is None."""
    lengths: NDArray[np.int64]
    errors: dict[int, RunError] = field(default_factory=dict)
    """By number of the sequence."""

    @staticmethod
    def empty(lengths: NDArray[np.int64]) -> Results:
        """Room for the outputs of sequences of these lengths."""
        shape = len(lengths), int(lengths.max(initial=0))
        return Results(np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=bool), lengths)

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, number: int) -> NDArray[np.int64]:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} sequences")
        number %= len(self)
        if number in self.errors:
            raise self.errors[number]
        return self.values[number, : self.lengths[number]]

    def outputs(self, number: int) -> list[Value]:
        """The output of one sequence, with None as None."""
        absent = self.absent[number]
        return [None if absent[i] else int(v) for i, v in enumerate(self[number])]

    def put(self, number: int, output: Sequence[Value]) -> None:
        """Take the output of one sequence."""
        self.values[number, : len(output)] = to_array(output)
        self.absent[number, : len(output)] = [value is None for value in output]

    def put_block(self, block: Block, output: Array, failed: Mapping[int, RunError]) -> None:
        """Take the outputs of a block, and the errors by row."""
        absent = output == NONE
        has_none = bool(absent.any())
        width = output.shape[1]
        if has_none:
            output = np.where(absent, NO_INDEX, output)
            self.absent[block.numbers, :width] = absent
        self.values[block.numbers, :width] = output
        for row, error in failed.items():
            self.errors[int(block.numbers[row])] = error


def blocks(batch: Batch) -> Iterator[Block]:
    """The batch in blocks of sequences of like length, so that little is computed on padding."""
    order = np.argsort(batch.lengths, kind="stable")
    lengths = batch.lengths[order]
    begin = 0
    while begin < len(order):
        # The last sequence of a block is its longest, and sets its width.
        sizes = (np.arange(len(order) - begin) + 1) * lengths[begin:]
        end = begin + max(1, int(np.searchsorted(sizes, POSITIONS, side="right")))
        numbers, width = order[begin:end], int(lengths[end - 1])
        whole = len(numbers) == len(order) and bool((numbers[1:] > numbers[:-1]).all())
        columns = tuple(
            column[:, :width] if whole else column[numbers, :width] for column in batch.columns
        )
        yield Block(columns, lengths[begin:end], numbers)
        begin = end


def read_batch(
    graph: Graph, inputs: Sequence[Iterable[Any] | Array], lengths: Sequence[int] | None
) -> Batch:
    """What was given, checked as `read_inputs` checks each sequence."""
    if len(inputs) != len(graph.inputs):
        read_inputs(graph, inputs)
    if all(isinstance(given, np.ndarray) and given.ndim == 2 for given in inputs):
        return _read_padded(graph, inputs, lengths)
    if lengths is not None:
        raise InputError("lengths belong to a 2-D array; lists have their own")
    batches = [list(given) for given in inputs]
    if len({len(batch) for batch in batches}) > 1:
        raise InputError("the inputs hold different numbers of sequences")
    rows = [_read_row(graph, row) for row in zip(*batches, strict=True)]
    sizes = np.array([len(row[0]) for row in rows], dtype=np.int64)
    shape = len(rows), int(sizes.max(initial=0))
    # Only an index that was given can be too long for a word; such a batch goes by the stream.
    word = np.dtype(object) if any(c.dtype == object for row in rows for c in row) else WORD
    columns = tuple(np.zeros(shape, dtype=word) for _ in graph.inputs)
    for number, row in enumerate(rows):
        for column, tokens in zip(columns, row, strict=True):
            column[number, : len(tokens)] = tokens
    return Batch(columns, sizes)


def _read_row(graph: Graph, row: Sequence[Any]) -> list[Array]:
    """One sequence for each input: at once if it is plain integers, else item by item."""
    found = [np.asarray(s) if isinstance(s, list | tuple | np.ndarray) else None for s in row]
    columns = [
        column
        for column, node in zip(found, graph.inputs, strict=True)
        if column is not None and column.ndim == 1 and _is_plain(column, node, graph.bits)
    ]
    if len(columns) == len(row) and len({len(column) for column in columns}) == 1:
        return [
            _with_none(column, node) for column, node in zip(columns, graph.inputs, strict=True)
        ]
    return [_column(values) for values in read_inputs(graph, row)]


def _column(values: Sequence[Value]) -> Array:
    integers = [NONE if value is None else value for value in values]
    return np.array(integers, dtype=WORD if max(integers, default=0) <= LARGEST else object)


def _is_plain(column: Array, node: Input, bits: int) -> bool:
    if column.dtype.kind not in "iub" or not column.size:
        return False
    if node.type.is_index:
        return bool(column.max() <= LARGEST)
    low, high = token_range(node, bits)
    return bool(column.min() >= low and column.max() <= high)


def _with_none(column: Array, node: Input) -> Array:
    """A negative index is none at all."""
    return np.where(column < 0, NONE, column) if node.type.is_index else column


def _read_padded(graph: Graph, inputs: Sequence[Any], lengths: Sequence[int] | None) -> Batch:
    shape = inputs[0].shape
    if any(given.shape != shape for given in inputs):
        raise InputError("the inputs are arrays of different shapes")
    sizes = np.asarray([shape[1]] * shape[0] if lengths is None else lengths, dtype=np.int64)
    if sizes.shape != shape[:1] or (len(sizes) and not 0 <= sizes.min() <= sizes.max() <= shape[1]):
        raise InputError(f"lengths must be {shape[0]} numbers from 0 to {shape[1]}")
    columns = []
    for given, node in zip(inputs, graph.inputs, strict=True):
        if lengths is not None and given.dtype.kind in "iub":
            given = np.where(np.arange(shape[1]) < sizes[:, None], given, 0)
        if given.size and not _is_plain(given, node, graph.bits):
            rows = [[row[:size] for row, size in zip(g, sizes, strict=True)] for g in inputs]
            return read_batch(graph, rows, None)
        columns.append(_with_none(given, node).astype(WORD, copy=False))
    return Batch(tuple(columns), sizes)
