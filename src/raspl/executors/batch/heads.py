"""Heads over a whole block of sequences: no call for a token or a pair.

`keys` is what a query looks for, `values` what its head reduces, both of shape (sequences,
positions). Every function here gives, for each position, what the reduction over the selected
keys at this position and before is, together with whether there were any.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from raspl.executors.batch import scan
from raspl.executors.batch.values import READS_VALUES, SIGN, Array, Found, Values, truncated
from raspl.language.ir.tables import no_rule

Relation = Callable[[Array, Array], Array]
"""Whether a key is selected by a query, for arrays of both that broadcast."""

# What a position costs by each method, in units of one cheap operation on one element.
EVENT = 150
VALUE = 8
PAIR = 4

TABLE = 1 << 20
"""How large a table of key values and query values may be."""
PAIRS = 1 << 22
"""How many pairs of a key and a query are looked at together."""


def running(values: Values, keep: Array | None) -> Found:
    """All keys that are kept are selected: prefix statistics."""
    column = values.column
    match values.kind:
        case "any":
            return _running_any(column, keep)
        case "max" | "min":
            return _running_extreme(values.kind == "max", column, keep)
        case "count":
            return Found(_running_count(column, keep), None)
        case "mean":
            count = _running_count(column, keep)
            kept = column if keep is None else np.where(keep, column, 0)
            total = np.cumsum(kept, axis=1, dtype=np.int64)
            return Found(truncated(total, count), None if keep is None else count > 0)
        case other:
            raise no_rule("the batch executor (running)", other)


def _running_any(column: Array, keep: Array | None) -> Found:
    if keep is None:
        return Found(column, None)
    first = np.where(keep.any(axis=1), keep.argmax(axis=1), keep.shape[1])
    return Found(column, np.arange(keep.shape[1]) >= first[:, None])


def _running_count(column: Array, keep: Array | None) -> Array:
    if keep is None:
        return np.broadcast_to(np.arange(1, column.shape[1] + 1, dtype=np.int32), column.shape)
    return np.cumsum(keep, axis=1, dtype=np.int32)


def _running_extreme(is_max: bool, column: Array, keep: Array | None) -> Found:
    accumulate = np.maximum.accumulate if is_max else np.minimum.accumulate
    if keep is None:
        return Found(accumulate(column, axis=1), None)
    limits = np.iinfo(column.dtype)
    never = limits.min if is_max else limits.max
    best = accumulate(np.where(keep, column, never), axis=1)
    return Found(best, best != never)


def shifted(values: Values, distance: int) -> Found:
    """The value `distance` positions back, where there is one."""
    column = values.column
    length = column.shape[1]
    some = np.broadcast_to(np.arange(length) >= distance, column.shape)
    if not READS_VALUES[values.kind]:
        return Found(column, some)
    moved = np.zeros_like(column)
    if distance < length:
        moved[:, distance:] = column[:, : length - distance]
    return Found(moved, some)


def looked_up(values: Values, places: Array, asked: Array | None) -> Found:
    """The value at a place, unless that lies ahead or before the start."""
    column = values.column
    rows, length = column.shape
    some = (places >= 0) & (places <= np.arange(length, dtype=np.int32))
    if asked is not None:
        some = some & asked
    if not READS_VALUES[values.kind]:
        return Found(column, some)
    start = np.arange(rows, dtype=np.intp)[:, None] * length
    flat = np.where(some, places, 0) + start
    return Found(column.ravel().take(flat), some)


def equal(values: Values, keys: Array, queries: Array, asked: Array | None) -> Found:
    """Keys that equal the query."""
    low = min(int(keys.min()), int(queries.min()))
    width = max(int(keys.max()), int(queries.max())) - low + 1
    is_first = values.kind == "any" or (values.rises and values.kind == "min")
    if is_first and width <= 4 * keys.shape[1]:
        return _first(values, keys - low, queries - low, width, asked)
    rows, length = keys.shape
    if rows * (width + 2) <= scan.ROOM and length * scan.STEP < EVENT * keys.size:
        return scan.equal(values, keys - low, queries - low, width, asked)
    events = Events.of(keys - low, queries - low, width, values.keep, asked)
    return events.reduced(values)


def _first(values: Values, keys: Array, queries: Array, width: int, asked: Array | None) -> Found:
    """Through the position at which each key value is first seen."""
    rows, length = keys.shape
    start = np.arange(rows, dtype=np.intp)[:, None] * (width + 1)
    position = np.broadcast_to(np.arange(length, dtype=np.int32), keys.shape)
    # Keys that are not kept go to a place of their own, at which no query looks.
    kept = keys if values.keep is None else np.where(values.keep, keys, width)
    first = np.full(rows * (width + 1), length, dtype=np.int32)
    # Of several writes to one place the last one stays: the earliest, as they go backwards. The
    # order is that of a flat array; NumPy would go through a view in any order it likes.
    first[(kept + start).ravel()[::-1].copy()] = position.ravel()[::-1]
    found = first.take(queries + start)
    some = found <= position
    if asked is not None:
        some = some & asked
    if values.kind == "any":
        return Found(values.column, some)
    return Found(found + int(values.column[0, 0]), some)


@dataclass(frozen=True, slots=True)
class Events:
    """Keys and queries of each sequence, sorted by value and then by time.

    Keys with the value of a query that came no later stand right before it, in the same group; so
    a running count, sum or extreme within each group is all that a head needs.
    """

    time: Array
    is_key: Array
    start: Array
    """For each event, the place of the first one in its group."""
    group: Array

    @staticmethod
    def of(
        keys: Array, queries: Array, width: int, keep: Array | None, asked: Array | None
    ) -> Events:
        """The events of keys and queries that lie in 0 … width - 1."""
        rows, length = keys.shape
        bits = (2 * length).bit_length()
        fits = (width + 2) << bits < 2**31
        word = np.dtype(np.int32 if fits else np.int64)
        clock = np.arange(length, dtype=word) * 2
        # What is not kept, and what does not ask, meets nothing in a group of its own.
        kept = keys if keep is None else np.where(keep, keys, width)
        asking = queries if asked is None else np.where(asked, queries, width + 1)
        events = np.empty((rows, 2 * length), dtype=word)
        events[:, :length] = (kept.astype(word) << bits) + clock
        events[:, length:] = (asking.astype(word) << bits) + clock + 1
        events.sort(axis=1)
        group = events >> bits
        is_new = np.empty(events.shape, dtype=bool)
        is_new[:, 0] = True
        np.not_equal(group[:, 1:], group[:, :-1], out=is_new[:, 1:])
        place = np.arange(2 * length, dtype=np.int32)
        start = np.maximum.accumulate(np.where(is_new, place, 0), axis=1)
        time = events & ((1 << bits) - 1)
        return Events(time >> 1, (time & 1) == 0, start, np.cumsum(is_new, axis=1))

    def reduced(self, values: Values) -> Found:
        """The reduction at each position."""
        count = self._since_start(self.is_key.astype(np.int32))
        match values.kind:
            case "count":
                return Found(self._at_queries(count), None)
            case "any":
                return Found(values.column, self._at_queries(count) > 0)
            case "mean":
                column = np.where(self.is_key, self._in_order(values.column), 0)
                total = self._since_start(column.astype(np.int64))
                reduced = self._at_queries(truncated(total, count))
            case "max" | "min":
                reduced = self._extreme(self._in_order(values.column), SIGN[values.kind])
            case other:
                raise no_rule("the batch executor (Events)", other)
        return Found(reduced, self._at_queries(count) > 0)

    def _in_order(self, column: Array) -> Array:
        """A column in the order of the events."""
        return np.take_along_axis(column, self.time.astype(np.intp), axis=1)

    def _extreme(self, column: Array, sign: int) -> Array:
        # Later groups are lifted above all values of earlier ones, which ends each at its start.
        signed = column.astype(np.int64) * sign
        low, high = int(signed.min()), int(signed.max())
        lift = self.group.astype(np.int64) * (high - low + 2)
        lifted = np.where(self.is_key, signed - low + 1, 0) + lift
        best = np.maximum.accumulate(lifted, axis=1) - lift - 1 + low
        return self._at_queries(best) * sign

    def _since_start(self, values: Array) -> Array:
        """Running sums that begin anew with each group."""
        total = np.cumsum(values, axis=1)
        before = np.take_along_axis(total - values, self.start.astype(np.intp), axis=1)
        since: Array = total - before
        return since

    def _at_queries(self, values: Array) -> Array:
        """What stands at the queries, back in the order of time."""
        rows, twice = values.shape
        length = twice // 2
        is_query = ~self.is_key
        start = np.broadcast_to(np.arange(rows, dtype=np.intp)[:, None] * length, values.shape)
        result = np.empty(rows * length, dtype=values.dtype)
        result[(self.time + start)[is_query]] = values[is_query]
        return result.reshape(rows, length)


def related(
    values: Values, keys: Array, queries: Array, asked: Array | None, relation: Relation
) -> Found:
    """Keys in any relation to the query: by query values if those are few, else by pairs."""
    distinct, numbers = _numbered(queries)
    rows, length = keys.shape
    by_value, by_pairs = VALUE * keys.size * len(distinct), PAIR * keys.size * length
    table: scan.Table | None = None
    if length * (scan.STEP + rows * len(distinct)) < min(by_value, by_pairs):
        table = _table(values, keys, numbers, distinct, relation)
    if table is not None:
        found = scan.related(values, table)
    elif by_value < by_pairs:
        found = _by_value(values, keys, queries, distinct, relation)
    else:
        found = _by_pairs(values, keys, queries, relation)
    if asked is None:
        return found
    if values.kind == "count":
        return Found(np.where(asked, found.values, 0), None)
    return Found(found.values, asked if found.some is None else found.some & asked)


def _numbered(column: Array) -> tuple[Array, Array]:
    """The values that occur, in ascending order, and the number of the one at each position."""
    low, high = int(column.min()), int(column.max())
    if high - low > 4 * column.size + 1024:
        distinct, numbers = np.unique(column, return_inverse=True)
        return distinct, numbers.reshape(column.shape)
    seen = np.zeros(high - low + 1, dtype=bool)
    seen[column - low] = True
    return np.flatnonzero(seen) + low, (np.cumsum(seen) - 1).take(column - low)


def _table(
    values: Values, keys: Array, queries: Array, distinct: Array, relation: Relation
) -> scan.Table | None:
    """The relation of the pairs of a key and a value that occur, unless these are too many."""
    keys_seen, pairs = _numbered(keys)
    of_key, amounts = np.arange(len(keys_seen)), np.zeros(len(keys_seen), dtype=np.int64)
    if READS_VALUES[values.kind]:
        values_seen, numbers = _numbered(values.column)
        both, pairs = _numbered(pairs * len(values_seen) + numbers)
        of_key, amounts = both // len(values_seen), values_seen[both % len(values_seen)]
    if len(of_key) * len(distinct) > TABLE:
        return None
    if values.keep is not None:
        pairs = np.where(values.keep, pairs, -1)
    matches = relation(keys_seen[:, None], distinct[None, :])
    return scan.Table(pairs, queries, matches[of_key], amounts)


def _by_value(
    values: Values, keys: Array, queries: Array, distinct: Array, relation: Relation
) -> Found:
    """Prefix statistics for each query value, of which each position takes its own."""
    result = np.zeros(keys.shape, dtype=np.int64)
    some = np.zeros(keys.shape, dtype=bool)
    for query in distinct:
        keep = relation(keys, query)
        if values.keep is not None:
            keep = keep & values.keep
        found = running(values, keep)
        mine = queries == query
        np.copyto(result, found.values, where=mine)
        np.copyto(some, True if found.some is None else found.some, where=mine)
    return Found(result, some)


def _by_pairs(values: Values, keys: Array, queries: Array, relation: Relation) -> Found:
    """A masked matrix of queries and keys, some queries at a time."""
    rows, length = keys.shape
    result = np.zeros(keys.shape, dtype=np.int64)
    some = np.zeros(keys.shape, dtype=bool)
    size = max(1, PAIRS // (rows * length))
    for begin in range(0, length, size):
        end = min(begin + size, length)
        mask = relation(keys[:, None, :end], queries[:, begin:end, None])
        mask = mask & (np.arange(end) <= np.arange(begin, end)[:, None])
        if values.keep is not None:
            mask = mask & values.keep[:, None, :end]
        count = np.count_nonzero(mask, axis=2)
        some[:, begin:end] = count > 0
        result[:, begin:end] = _matrix(values, mask, count, values.column[:, None, :end])
    if values.kind == "any":
        return Found(values.column, some)
    return Found(result, None if values.kind == "count" else some)


def _matrix(values: Values, mask: Array, count: Array, column: Array) -> Array:
    limits = np.iinfo(column.dtype)
    match values.kind:
        case "count" | "any":
            return count
        case "mean":
            return truncated(np.where(mask, column, 0).sum(axis=2, dtype=np.int64), count)
        case "max":
            return np.asarray(np.where(mask, column, limits.min).max(axis=2))
        case "min":
            return np.asarray(np.where(mask, column, limits.max).min(axis=2))
        case other:
            raise no_rule("the batch executor (_matrix)", other)
