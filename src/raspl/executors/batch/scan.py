"""Heads by a walk through time: one step of array operations for all sequences of a block.

What the stream keeps per key value in a dictionary stands here in an array, one row a sequence.
A step costs some microseconds whatever it does, so this pays where many sequences walk together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from raspl.executors.batch.values import Array, Found, Values, truncated

STEP = 10_000
"""What the calls of one step cost, in units of one cheap operation on one element."""
ROOM = 1 << 22
"""How many entries the state may have."""


def equal(values: Values, keys: Array, queries: Array, width: int, asked: Array | None) -> Found:
    """Keys that equal the query, both in 0 … width - 1."""
    rows, length = keys.shape
    start = np.arange(rows, dtype=np.intp)[:, None] * (width + 2)
    # What is not kept is written where no query looks; what does not ask looks where no key is.
    kept = keys if values.keep is None else np.where(values.keep, keys, width)
    asking = queries if asked is None else np.where(asked, queries, width + 1)
    places = np.ascontiguousarray((kept + start).T)
    looks = np.ascontiguousarray((asking + start).T)
    state = np.zeros(rows * (width + 2), dtype=np.int32)
    result = np.empty((length, rows), dtype=np.int32)
    if values.reduction in ("count", "mean", "any"):
        for place, look, out in zip(places, looks, result, strict=True):
            state[place] += 1
            state.take(look, out=out, mode="clip")
        count = result.T
        if values.reduction == "count":
            return Found(count, None)
        if values.reduction == "any":
            return Found(values.column, np.greater(count, 0))
        total = _sums(values, places, looks, len(state))
        return Found(truncated(total, count), np.greater(count, 0))
    sign = 1 if values.reduction == "max" else -1
    never = int(np.iinfo(np.int32).min)
    state[:] = never
    column = np.ascontiguousarray((values.column * sign).T)
    for place, look, value, out in zip(places, looks, column, result, strict=True):
        state[place] = value if values.rises and sign > 0 else np.maximum(state[place], value)
        state.take(look, out=out, mode="clip")
    return Found(result.T * sign, np.not_equal(result.T, never))


def _sums(values: Values, places: Array, looks: Array, size: int) -> Array:
    state = np.zeros(size, dtype=np.int64)
    result = np.empty(places.shape, dtype=np.int64)
    column = np.ascontiguousarray(values.column.T)
    for place, look, value, out in zip(places, looks, column, result, strict=True):
        state[place] += value
        state.take(look, out=out, mode="clip")
    return result.T


@dataclass(frozen=True, slots=True)
class Table:
    """What each position adds to the state: one row for each pair of a key and a value."""

    pairs: Array
    """For each position the number of its key and value; -1 where the key is not kept."""
    queries: Array
    """For each position the number of its query value."""
    matches: Array
    """Whether the key of a pair (row) is selected by a query value (column)."""
    amounts: Array
    """The value of each pair."""


def related(values: Values, table: Table) -> Found:
    """The state holds, for each sequence and query value, the reduction over the keys so far."""
    # The last row matches nothing; -1 finds it.
    matches = np.vstack([table.matches, np.zeros_like(table.matches[:1])])
    amounts = np.append(table.amounts, 0)[:, None]
    pairs = np.ascontiguousarray(table.pairs.T) % len(matches)
    row = np.arange(pairs.shape[1], dtype=np.intp) * matches.shape[1]
    looks = np.ascontiguousarray(table.queries.T) + row
    if values.reduction in ("max", "min"):
        # The least is the greatest of the negatives.
        sign = 1 if values.reduction == "max" else -1
        fits = int(np.abs(amounts).max()) < np.iinfo(np.int16).max
        never = int(np.iinfo(np.int16 if fits else np.int32).min)
        rows = np.where(matches, amounts * sign, never).astype(np.int16 if fits else np.int32)
        best = _walk(np.maximum, pairs, looks, rows, never)
        return Found(best.astype(np.int32) * sign, np.not_equal(best, never))
    count = _walk(np.add, pairs, looks, matches.astype(np.int32), 0)
    if values.reduction == "count":
        return Found(count, None)
    some = np.greater(count, 0)
    if values.reduction == "any":
        return Found(values.column, some)
    total = _walk(np.add, pairs, looks, (matches * amounts).astype(np.int64), 0)
    return Found(truncated(total, count), some)


def _walk(combine: np.ufunc, pairs: Array, looks: Array, rows: Array, first: int) -> Array:
    length, size = pairs.shape
    state = np.full((size, rows.shape[1]), first, dtype=rows.dtype)
    added = np.empty_like(state)
    result = np.empty((length, size), dtype=rows.dtype)
    flat = state.reshape(-1)
    for pair, look, out in zip(pairs, looks, result, strict=True):
        rows.take(pair, axis=0, out=added, mode="clip")
        combine(state, added, out=state)
        flat.take(look, out=out, mode="clip")
    return result.T
