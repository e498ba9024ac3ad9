"""Vectorised rules: what heads and maps give for a whole block of candidates.

They say the same as `meaning.reference`, column by column; the tests compare the two. NONE stands
for "no such index". Blocks have shape (positions, candidates); one candidate broadcasts to many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .layout import Block, Bools, Step

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
    return ~present | result if op == "!=" else present & result


class Selected:
    """Which queries selected key j, one key place after the other."""

    def __init__(self, k: Block, q: Block, pred: str, steps: Sequence[Step]) -> None:
        self._k, self._q, self._compare, self.steps = k, q, COMPARE[pred], steps
        self.width = max(k.shape[1], q.shape[1])
        self.queries = len(q)
        self.dtype = k.dtype

    def at(self, step: Step) -> Bools:
        return self._compare(self._k[step.keys], self._q[: step.count])


class Everything(Selected):
    """Every key that the causal mask allows."""

    def __init__(self, queries: int, dtype: np.dtype[np.signedinteger], steps: Sequence[Step]):
        self.steps, self.width, self.queries, self.dtype = steps, 1, queries, dtype

    def at(self, step: Step) -> Bools:
        return np.ones((step.count, 1), dtype=np.bool_)


def reduce(selected: Selected, wanted: Sequence[tuple[str, Block]]) -> list[Block]:
    """Aggregates of one block of selectors: (reduction, values) each; NONE where nothing matches.

    The reductions are max, min, mean, `width`, whose values are ignored, and `sum`, which the
    search uses to tell selectors apart.
    """
    none = none_of(selected.dtype)
    top = int(np.iinfo(selected.dtype).max)
    results = []
    for reduction, values in wanted:
        shape = (selected.queries, max(selected.width, values.shape[1]))
        if reduction in ("mean", "sum"):
            results.append(np.zeros(shape, dtype=np.int64 if reduction == "sum" else np.int32))
        else:
            fill = {"max": none, "min": top, "width": 0}[reduction]
            results.append(np.full(shape, fill, dtype=selected.dtype))
    needs_count = any(reduction == "mean" for reduction, _ in wanted)
    count = np.zeros((selected.queries, selected.width), dtype=np.int32) if needs_count else None
    for step in selected.steps:
        if not step.count:
            continue
        chosen = selected.at(step)
        if count is not None:
            count[: step.count] += chosen
        for (reduction, values), result in zip(wanted, results, strict=True):
            _accumulate(reduction, result[: step.count], chosen, values, step)
    for (reduction, values), result, at in zip(wanted, results, range(len(results)), strict=True):
        if reduction == "min":
            result[result == top] = none
        elif reduction == "mean":
            assert count is not None
            mean = np.trunc(result / np.maximum(count, 1)).astype(values.dtype)
            results[at] = np.where(count > 0, mean, none).astype(values.dtype)
    return results


def _accumulate(
    reduction: str, result: Block, chosen: Bools, values: Block, step: Step
) -> None:
    if reduction == "width":
        np.add(result, chosen, out=result)
        return
    value = values[step.keys]
    if reduction in ("mean", "sum"):
        np.add(result, value * chosen.astype(result.dtype), out=result)
    elif reduction == "max":
        low = none_of(values.dtype)
        np.maximum(result, np.where(chosen, value, values.dtype.type(low)), out=result)
    else:
        # Min passes over None, which is the least of all numbers here.
        info = np.iinfo(values.dtype)
        usable = chosen & (value != info.min)
        np.minimum(result, np.where(usable, value, values.dtype.type(info.max)), out=result)


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
    return np.where(block == none_of(block.dtype), default, block).astype(block.dtype)


def added(a: Block, b: Block, sign: int) -> tuple[Block, Bools]:
    """The sum or difference, and which columns stay inside the range of their width."""
    wide = a.astype(np.int32) + sign * b.astype(np.int32)
    info = np.iinfo(a.dtype)
    fits = ((wide > info.min + 1) & (wide < info.max - 1)).all(axis=0)
    return wide.astype(a.dtype), fits
