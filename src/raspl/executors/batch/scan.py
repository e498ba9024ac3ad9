"""Heads by a walk through time: one step of array operations for all sequences of a block.

What the stream keeps per key value in a dictionary stands here in an array, one row a sequence.
A step costs some microseconds whatever it does, so this pays where many sequences walk together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from raspl.executors.batch.values import SIGN, Array, Found, Values, truncated
from raspl.language.ir.tables import no_rule

STEP = 10_000
"""What the calls of one step cost, in units of one cheap operation on one element."""
ROOM = 1 << 22
"""How many entries the state may have."""


def equal(values: Values, keys: Array, queries: Array, width: int, asked: Array | None) -> Found:
    """Keys that equal the query, both in 0 … width - 1."""
    rows = len(keys)
    start = np.arange(rows, dtype=np.intp)[:, None] * (width + 2)
    # What is not kept is written where no query looks; what does not ask looks where no key is.
    kept = keys if values.keep is None else np.where(values.keep, keys, width)
    asking = queries if asked is None else np.where(asked, queries, width + 1)
    places = np.ascontiguousarray((kept + start).T)
    looks = np.ascontiguousarray((asking + start).T)
    size = rows * (width + 2)
    match values.kind:
        case "count":
            return Found(_counts(places, looks, size), None)
        case "any":
            return Found(values.column, _counts(places, looks, size) > 0)
        case "mean":
            count = _counts(places, looks, size)
            return Found(truncated(_sums(values, places, looks, size), count), count > 0)
        case "max" | "min":
            return _extremes(values, places, looks, size)
        case other:
            raise no_rule("the batch executor (scan.equal)", other)


def _counts(places: Array, looks: Array, size: int) -> Array:
    state = np.zeros(size, dtype=np.int32)
    result = np.empty(places.shape, dtype=np.int32)
    for place, look, out in zip(places, looks, result, strict=True):
        state[place] += 1
        state.take(look, out=out, mode="clip")
    return result.T


def _extremes(values: Values, places: Array, looks: Array, size: int) -> Found:
    sign, never = SIGN[values.kind], int(np.iinfo(np.int32).min)
    state = np.full(size, never, dtype=np.int32)
    result = np.empty(places.shape, dtype=np.int32)
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

    def counted() -> Array:
        return _walk(np.add, pairs, looks, matches.astype(np.int32), 0)

    match values.kind:
        case "count":
            return Found(counted(), None)
        case "any":
            return Found(values.column, counted() > 0)
        case "mean":
            count = counted()
            total = _walk(np.add, pairs, looks, (matches * amounts).astype(np.int64), 0)
            return Found(truncated(total, count), count > 0)
        case "max" | "min":
            return _related_extremes(SIGN[values.kind], pairs, looks, matches, amounts)
        case other:
            raise no_rule("the batch executor (scan.related)", other)


def _related_extremes(
    sign: int, pairs: Array, looks: Array, matches: Array, amounts: Array
) -> Found:
    fits = int(np.abs(amounts).max()) < np.iinfo(np.int16).max
    word = np.int16 if fits else np.int32
    never = int(np.iinfo(word).min)
    rows = np.where(matches, amounts * sign, never).astype(word)
    best = _walk(np.maximum, pairs, looks, rows, never)
    return Found(best.astype(np.int32) * sign, np.not_equal(best, never))


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
