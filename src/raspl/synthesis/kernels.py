"""Vectorised rules: what heads and maps give for a whole block of candidates.

They say the same as `executors.reference`, column by column; the tests compare the two. NONE stands
for "no such index". Blocks have shape (positions, candidates); one candidate broadcasts to many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raspl.language.ir.primitives import Reduction
from raspl.language.ir.tables import no_rule
from raspl.synthesis.columns import Block, Bools, Step

COMPARE: dict[str, Callable[..., Bools]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@cache
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
    folds = [_Fold(reduction, values, selected) for reduction, values in wanted]
    most = max(fold.size for fold in folds)
    count = np.zeros((selected.queries, selected.width), dtype=selected.dtype)
    for step in selected.steps:
        if not step.count:
            continue
        # Masks work at the speed of memory, choices don't.
        chosen = _all_bits(selected.at(step), selected.dtype)
        count[: step.count] -= chosen
        spread = _for_each(chosen, most)
        for fold in folds:
            fold.add(step, chosen if fold.size == 1 else spread)
    return [fold.result(count) for fold in folds]


def _all_bits(where: Bools, dtype: np.dtype[np.signedinteger]) -> Block:
    """Numbers with all bits set where something holds, and none elsewhere."""
    return np.negative(where.view(np.int8)).astype(dtype, copy=False)


def _for_each(block: Block, values: int) -> Block:
    """The column of each selector, once for each of so many values.

    One column broadcasts. But rows are written out rather than broadcast in pieces of a few values.
    """
    return block if values == 1 or block.shape[1] == 1 else np.repeat(block, values, axis=1)


class _Fold:
    """One aggregate, as a total of terms that are 0 where a key is not selected.

    The terms of an extreme are unsigned numbers, of which the greatest is looked for.
    """

    def __init__(self, reduction: HeadReduction, values: Block, selected: Selected) -> None:
        self._reduction, self._width, self._dtype = reduction, selected.width, selected.dtype
        self._terms = _terms(reduction, values)
        self.size = self._terms.shape[1]
        shape = (selected.queries, selected.width * self.size)
        self._total: NDArray[np.integer] = np.zeros(shape, dtype=self._total_dtype(selected))

    def _total_dtype(self, selected: Selected) -> np.dtype[np.integer]:
        if self._reduction != "mean":
            return np.dtype(f"u{self._dtype.itemsize}")
        # The narrower the sums, the more of them are added at once.
        largest = max(int(self._terms.max(initial=0)), -int(self._terms.min(initial=0)))
        return np.promote_types(self._dtype, np.min_scalar_type(-largest * len(selected.steps) - 1))

    def add(self, step: Step, chosen: Block) -> None:
        """Take in one key; all bits are set in `chosen` where it is selected."""
        if self._reduction == "width":  # the count
            return
        terms = self._terms[step.keys]
        if self.size > 1 and self._width > 1:
            terms = np.tile(terms, self._width)
        total, masked = self._total[: step.count], terms & chosen
        if self._reduction == "mean":
            np.add(total, masked, out=total)
        else:
            np.maximum(total, masked.view(total.dtype), out=total)

    def result(self, count: Block) -> Block:
        """The aggregate, given how many keys each query selected."""
        none, top = none_of(self._dtype), int(np.iinfo(self._dtype).max)
        match self._reduction:
            case "width":
                return count
            case "max":
                return self._total.view(self._dtype) ^ none
            case "min":
                least = self._total.view(self._dtype) ^ top
                return least ^ _all_bits(self._total == 0, self._dtype)
            case "mean":
                return self._mean(count)
            case other:
                raise no_rule("the search (result)", other)

    def _mean(self, count: Block) -> Block:
        # A quotient of such small integers is never rounded up to the next integer.
        real = np.dtype(np.float32 if self._total.dtype.itemsize <= 2 else np.float64)
        counts = _for_each(np.maximum(count, 1), self.size).astype(real)
        quotient = np.divide(self._total.astype(real), counts)
        empty = _all_bits(count == 0, self._dtype) & none_of(self._dtype)
        return quotient.astype(self._dtype) | _for_each(empty, self.size)


def _terms(reduction: HeadReduction, values: Block) -> Block:
    """What a selected key adds to an aggregate."""
    none, top = none_of(values.dtype), int(np.iinfo(values.dtype).max)
    match reduction:
        case "width":
            return values[:, :1]
        case "mean":
            return values
        case "max":
            # Unsigned, None is 0, and the greatest number the greatest.
            return values ^ none
        case "min":
            # Unsigned, the least number is the greatest. Min passes over None.
            return (values ^ top) & ~empty_in(values)
        case other:
            raise no_rule("the search (_terms)", other)


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


def empty_in(block: Block) -> Block:
    """All bits set at the empty selections of a block."""
    return _all_bits(block == none_of(block.dtype), block.dtype)


def filled(block: Block, empty: Block, default: int) -> Block:
    """The block with its empty selections set to the default."""
    # Of None, the bits that the default lacks are taken away and those that it has are added.
    return block ^ (empty & block.dtype.type(none_of(block.dtype) ^ default))


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
