"""Vectorised rules: what heads and maps give for a whole block of candidates.

They say the same as `executors.reference`, column by column; the tests compare the two. NONE stands
for "no such index". Blocks have shape (positions, candidates); one candidate broadcasts to many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raspl.language.ir.primitives import Reduction
from raspl.language.ir.tables import Rules, no_rule
from raspl.synthesis.columns import Block, Bools, Step

COMPARE: dict[str, Callable[..., Bools]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def none_of(dtype: np.dtype[np.signedinteger]) -> int:
    """What stands for None, and for an empty selection before its default is filled in."""
    return int(np.iinfo(dtype).min)


def comparable(block: Block, pred: str, is_key: bool) -> Block:
    """An index block in which None is replaced so that a bare comparison with it is false."""
    info = np.iinfo(block.dtype)
    if pred == "==":
        stand_in = info.max if is_key else info.max - 1
    else:
        below = (pred in ("<", "<=")) != is_key
        stand_in = info.min if below else info.max
    return np.where(block == info.min, stand_in, block).astype(block.dtype)


def compare_indices(a: Block, b: Block, op: str) -> Bools:
    """A comparison of indices: with None it is false, but for `!=`."""
    none = none_of(a.dtype)
    result = COMPARE[op](a, b)
    present = (a != none) & (b != none)
    combined: Bools = ~present | result if op == "!=" else present & result
    return combined


class Selected:
    """Which queries selected key j, one key place after the other."""

    def __init__(self, k: Block, q: Block, pred: str, steps: Sequence[Step]) -> None:
        self._k, self._q, self._compare, self.steps = k, q, COMPARE[pred], steps
        self.width = max(k.shape[1], q.shape[1])
        self.queries = len(q)
        self.dtype = k.dtype

    def part(self, part: slice) -> Selected:
        """Some of the selectors."""
        few = copy(self)
        few._k = self._k if self._k.shape[1] == 1 else self._k[:, part]
        few._q = self._q if self._q.shape[1] == 1 else self._q[:, part]
        few.width = part.stop - part.start
        return few

    def at(self, step: Step) -> Bools:
        """Whether key j is selected, for the queries that see it."""
        return self._compare(self._k[step.keys], self._q[: step.count])


class Everything(Selected):
    """Every key that the causal mask allows."""

    def __init__(self, queries: int, dtype: np.dtype[np.signedinteger], steps: Sequence[Step]):
        self.steps, self.width, self.queries, self.dtype = steps, 1, queries, dtype

    def part(self, part: slice) -> Selected:
        return self

    def at(self, step: Step) -> Bools:
        return np.ones((step.count, 1), dtype=np.bool_)


HeadReduction = Reduction | Literal["width"]
"""What a head does with the selected values; `width` counts them and ignores what they are."""


def reduce(selected: Selected, wanted: Sequence[tuple[HeadReduction, Block]]) -> list[Block]:
    """Aggregates of one block of selectors: (reduction, values) each; NONE where nothing matches.

    Of W selectors and N values the result has W·N columns, the values of the first selector first.
    """
    none, top = none_of(selected.dtype), int(np.iinfo(selected.dtype).max)
    sums = np.dtype(
        np.int16 if selected.dtype == np.int8 and len(selected.steps) < 256 else np.int32
    )
    fills: Rules[HeadReduction, int] = Rules(
        "the search (reduce)", {"max": none, "min": top, "width": 0, "mean": 0}
    )
    results = [
        np.full(
            (selected.queries, selected.width, 1 if reduction == "width" else values.shape[1]),
            fills[reduction],
            dtype=sums if reduction == "mean" else selected.dtype,
        )
        for reduction, values in wanted
    ]
    has_mean = any(reduction == "mean" for reduction, _ in wanted)
    count = np.zeros((selected.queries, selected.width, 1), dtype=sums)
    for step in selected.steps:
        if not step.count:
            continue
        # All bits set where a key is selected: masks work at the speed of memory, choices don't.
        chosen = np.negative(selected.at(step).view(np.int8))[:, :, None]
        if selected.dtype != np.int8:
            chosen = chosen.astype(selected.dtype)
        unchosen: dict[HeadReduction, Block] = {"max": ~chosen & none, "min": ~chosen & top}
        if has_mean:
            count[: step.count] -= chosen
        for (reduction, values), result in zip(wanted, results, strict=True):
            _accumulate(reduction, result[: step.count], chosen, unchosen, values[step.keys])
    return [
        _finished(reduction, result, count, selected.dtype).reshape(selected.queries, -1)
        for (reduction, _), result in zip(wanted, results, strict=True)
    ]


def _accumulate(
    reduction: HeadReduction,
    result: Block,
    chosen: Block,
    unchosen: Mapping[HeadReduction, Block],
    values: Block,
) -> None:
    value = values[:, None, :]
    match reduction:
        case "width":
            np.subtract(result, chosen, out=result)
        case "mean":
            np.add(result, value & chosen, out=result)
        case "max":
            np.maximum(result, _masked(value, chosen, unchosen["max"]), out=result)
        case "min":
            # Min passes over None, which is the least of all numbers here.
            info = np.iinfo(values.dtype)
            value = np.where(value == info.min, values.dtype.type(info.max), value)
            np.minimum(result, _masked(value, chosen, unchosen["min"]), out=result)
        case other:
            raise no_rule("the search (_accumulate)", other)


def _masked(value: Block, chosen: Block, unchosen: Block) -> Block:
    masked = value & chosen
    np.bitwise_or(masked, unchosen, out=masked)
    return masked


def _finished(
    reduction: HeadReduction, result: Block, count: Block, dtype: np.dtype[np.signedinteger]
) -> Block:
    none = dtype.type(none_of(dtype))
    match reduction:
        case "width" | "max":
            return result
        case "min":
            return np.where(result == np.iinfo(dtype).max, none, result)
        case "mean":
            # A quotient of such small integers is never rounded up to the next integer.
            real = np.float32 if result.dtype == np.int16 else np.float64
            quotient = result.astype(real) / np.maximum(count, 1).astype(real)
            return np.where(count > 0, np.trunc(quotient).astype(dtype), none)
        case other:
            raise no_rule("the search (_finished)", other)


def lookup(values: Block, index: Block, rows: NDArray[np.int64], table: NDArray[np.int64]) -> Block:
    """Values at an index: `table[row, place]` is the row of a place in the sequence of a row.

    NONE where the index is None or lies ahead. One of `values` and `index` may be a single column.
    """
    places = table.shape[1]
    inside = (index >= 0) & (index < places)
    key = table[rows[:, None], np.where(inside, index, 0)]
    found = inside & (key >= 0)
    key = np.where(found, key, 0)
    if index.shape[1] == 1:
        result = values[key[:, 0]]
    elif values.shape[1] == 1:
        result = values[:, 0][key]
    else:
        result = values[key, np.arange(values.shape[1])]
    return np.where(found, result, none_of(values.dtype)).astype(values.dtype)


def filled(block: Block, default: int) -> Block:
    """The block with its empty selections set to the default."""
    empty = np.negative((block == none_of(block.dtype)).view(np.int8)).astype(
        block.dtype, copy=False
    )
    result: Block = block & ~empty
    if default:
        result |= empty & block.dtype.type(default)
    return result


def successor(index: Block, number: int) -> Block:
    """So many places later; the successor of no index is no index."""
    if number == 0:
        return index
    return np.where(index == none_of(index.dtype), index, index + index.dtype.type(number))


def added(a: Block, b: Block, sign: int) -> tuple[Block, Bools]:
    """The sum or difference, and which columns stay inside the range of their width."""
    wide = a.astype(np.int32) + sign * b.astype(np.int32)
    info = np.iinfo(a.dtype)
    fits: Bools = np.all((wide > info.min + 1) & (wide < info.max - 1), axis=0)
    return wide.astype(a.dtype), fits
