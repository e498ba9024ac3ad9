"""Every way to reduce a head over a block gives what looking at each pair gives."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from raspl.executors.batch import heads, scan
from raspl.executors.batch.values import Array, Found, Values
from raspl.executors.reductions import HEAD_KINDS, HeadKind

RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    ">=": operator.ge,
    "!=": operator.ne,
    "sum is even": lambda k, q: (k + q) % 2 == 0,
}


REDUCED: dict[HeadKind, Callable[[list[int]], int]] = {
    "count": len,
    "any": lambda chosen: chosen[0],
    "mean": lambda chosen: int(sum(chosen) / len(chosen)),
    "max": max,
    "min": min,
}


def drawn(seed: int, kind: HeadKind, rises: bool = False) -> tuple[Values, Array, Array]:
    """A block of keys, queries and values, some of which are not kept."""
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(1, 6)), int(rng.integers(1, 15))
    keys, queries = (rng.integers(-3, 4, shape, dtype=np.int32) for _ in range(2))
    column = rng.integers(-9, 10, shape, dtype=np.int32)
    keep = rng.random(shape) < 0.7 if seed % 3 else None
    if rises:
        column = np.broadcast_to(np.arange(shape[1], dtype=np.int32) + 2, shape)
    if kind in ("count", "any"):
        column = np.ones(shape, dtype=np.int32)
    return Values(kind, column, keep, rises), keys, queries


def naive(
    values: Values, keys: Array, queries: Array, relation: Callable[[Any, Any], Any]
) -> list[list[int]]:
    """The reduction pair by pair; 77 where nothing is selected."""
    rows, length = keys.shape
    result: list[list[int]] = []
    for b in range(rows):
        result.append([])
        for i in range(length):
            chosen = [
                int(values.column[b, j])
                for j in range(i + 1)
                if relation(int(keys[b, j]), int(queries[b, i]))
                and (values.keep is None or values.keep[b, j])
            ]
            is_empty = not chosen and values.kind != "count"
            result[-1].append(77 if is_empty else REDUCED[values.kind](chosen))
    return result


def shown(found: Found) -> list[list[int]]:
    """The values, with 77 where nothing is selected."""
    rows: list[list[int]] = np.asarray(found.filled(77)).tolist()
    return rows


@pytest.mark.parametrize("kind", HEAD_KINDS)
@pytest.mark.parametrize("rises", [False, True])
def test_equal_keys(kind: HeadKind, rises: bool) -> None:
    for seed in range(60):
        values, keys, queries = drawn(seed, kind, rises)
        expected = naive(values, keys, queries, operator.eq)
        assert shown(heads.equal(values, keys, queries, None)) == expected
        assert shown(scan.equal(values, keys + 3, queries + 3, 7, None)) == expected
        events = heads.Events.of(keys + 3, queries + 3, 7, values.keep, None)
        assert shown(events.reduced(values)) == expected


@pytest.mark.parametrize("kind", HEAD_KINDS)
@pytest.mark.parametrize("name", RELATIONS)
def test_related_keys(kind: HeadKind, name: str) -> None:
    relation = RELATIONS[name]
    for seed in range(40):
        values, keys, queries = drawn(seed, kind)
        expected = naive(values, keys, queries, relation)
        distinct, numbers = heads._numbered(queries)
        table = heads._table(values, keys, numbers, distinct, relation)
        assert table is not None
        assert shown(scan.related(values, table)) == expected
        assert shown(heads._by_value(values, keys, queries, distinct, relation)) == expected
        assert shown(heads._by_pairs(values, keys, queries, relation)) == expected


def test_queries_that_do_not_ask_select_nothing() -> None:
    for kind in HEAD_KINDS:
        values, keys, queries = drawn(1, kind)
        asked = np.arange(keys.size).reshape(keys.shape) % 2 == 0
        empty = 0 if kind == "count" else 77
        for found, relation in (
            (heads.equal(values, keys, queries, asked), operator.eq),
            (heads.related(values, keys, queries, asked, operator.lt), operator.lt),
        ):
            expected = np.where(asked, naive(values, keys, queries, relation), empty)
            assert np.asarray(found.filled(empty)).tolist() == expected.tolist()
