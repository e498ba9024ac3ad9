"""Every library function equals a naive specification on random sequences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import raspl
from raspl.language.parsing.scope import library

Column = list[int | None]
TOKENS = st.lists(st.integers(-3, 3), max_size=12)
PAIRS = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=12)
BITS = st.lists(st.integers(0, 1), max_size=12)


def matches(x: Sequence[Any], q: Any, i: int) -> list[int]:
    """The positions up to i at which x holds q."""
    return [j for j in range(i + 1) if x[j] == q]


def at(x: Sequence[Any], j: int | None, i: int, default: Any) -> Any:
    """x[j] if j is an index that position i can see."""
    return x[j] if j is not None and 0 <= j <= i else default


def every(n: int, value: Callable[[int], Any]) -> Column:
    return [value(i) for i in range(n)]


def shown(column: Column) -> list[int]:
    return [-1 if value is None else value for value in column]


def first_or_none(found: list[int]) -> int | None:
    return found[0] if found else None


def last_or_none(found: list[int]) -> int | None:
    return found[-1] if found else None


UNARY: dict[str, Callable[[list[int], int], Any]] = {
    "cumsum": lambda x, i: sum(b != 0 for b in x[: i + 1]),
    "maximum": lambda x, i: max(x[: i + 1]),
    "minimum": lambda x, i: min(x[: i + 1]),
    "argmax": lambda x, i: max(range(i + 1), key=lambda j: (x[j], j)),
    "argmin": lambda x, i: max(range(i + 1), key=lambda j: (-x[j], j)),
    "first_true": lambda x, i: first_or_none([j for j in range(i + 1) if x[j]]),
}
BINARY: dict[str, Callable[[list[int], list[int], int], Any]] = {
    "num_prev": lambda x, q, i: len(matches(x, q[i], i)),
    "has_seen": lambda x, q, i: int(q[i] in x[: i + 1]),
    "firsts": lambda x, q, i: first_or_none(matches(x, q[i], i)),
    "lasts": lambda x, q, i: last_or_none(matches(x, q[i], i)),
}


@pytest.mark.parametrize("name", UNARY)
@given(x=TOKENS)
def test_functions_of_one_sequence(name: str, x: list[int]) -> None:
    function = getattr(raspl, name)
    assert function(x).tolist() == shown(every(len(x), lambda i: UNARY[name](x, i)))


@pytest.mark.parametrize("name", BINARY)
@given(pairs=PAIRS)
def test_functions_of_two_sequences(name: str, pairs: list[tuple[int, int]]) -> None:
    x, q = [list(column) for column in zip(*pairs, strict=True)] or [[], []]
    function = getattr(raspl, name)
    assert function(x, q).tolist() == shown(every(len(x), lambda i: BINARY[name](x, q, i)))


@given(x=TOKENS, n=st.integers(-3, 5), default=st.none() | st.integers(-9, 9))
def test_shift_right(x: list[int], n: int, default: int | None) -> None:
    expected = every(len(x), lambda i: at(x, i - n, i, default or 0))
    assert raspl.shift_right(x, n=n, default=default).tolist() == expected


@given(pairs=PAIRS, mask_val=st.integers(-9, 9))
def test_mask(pairs: list[tuple[int, int]], mask_val: int) -> None:
    x, keep = [list(column) for column in zip(*pairs, strict=True)] or [[], []]
    expected = every(len(x), lambda i: x[i] if keep[i] else mask_val)
    assert raspl.mask(x, keep, mask_val=mask_val).tolist() == expected


INDEX_PAIRS = st.lists(st.tuples(st.integers(-3, 3), st.none() | st.integers(0, 12)), max_size=12)


@given(pairs=INDEX_PAIRS, default=st.none() | st.integers(-9, 9))
def test_index_select(pairs: list[tuple[int, int | None]], default: int | None) -> None:
    x = [token for token, _ in pairs]
    index = [j for _, j in pairs]
    expected = every(len(x), lambda i: at(x, index[i], i, default or 0))
    assert raspl.index_select(x, index, default=default).tolist() == expected


def induct(k: list[int], q: list[int], v: list[int], offset: int, default: int, i: int) -> int:
    found = first_or_none(matches(k, q[i], i))
    return int(at(v, None if found is None else found + offset, i, default))


TRIPLES = st.lists(st.tuples(*[st.integers(-3, 3)] * 3), max_size=12)
OFFSETS = st.integers(-4, 4)
DEFAULTS = st.integers(-9, 9)


@given(triples=TRIPLES, offset=OFFSETS, default=DEFAULTS)
def test_induct_kqv(triples: list[tuple[int, ...]], offset: int, default: int) -> None:
    k, q, v = [list(column) for column in zip(*triples, strict=True)] or [[], [], []]
    expected = every(len(k), lambda i: induct(k, q, v, offset, default, i))
    assert raspl.induct_kqv(k, q, v, offset=offset, default=default).tolist() == expected


@pytest.mark.parametrize("name", ["induct", "induct_prev"])
@given(pairs=PAIRS, offset=OFFSETS, default=DEFAULTS)
def test_induct(name: str, pairs: list[tuple[int, int]], offset: int, default: int) -> None:
    k, q = [list(column) for column in zip(*pairs, strict=True)] or [[], []]
    expected = every(len(k), lambda i: induct(k, q, k, offset, default, i))
    assert getattr(raspl, name)(k, q, offset=offset, default=default).tolist() == expected


ON_INDICES = raspl.parse(
    """
def shifted(x: Index): return shift_right(x, 1)
def masked(x: Index, keep): return mask(x, keep, mask_val=None)
def greatest(x: Index): return maximum(x)
def least(x: Index): return minimum(x)
def where_greatest(x: Index): return argmax(x)
def first_equal(x: Index, q: Index): return firsts(x, q)
def last_equal(x: Index, q: Index): return lasts(x, q)
def seen(x: Index, q: Index): return has_seen(x, q)
def looked_up(x: Index, j: Index): return index_select(x, j)
def inducted(k: Index, q: Index): return induct(k, q, offset=1)
"""
)
INDICES = st.lists(st.none() | st.integers(0, 6), max_size=10)


def present(x: Column, i: int) -> list[int]:
    return [value for value in x[: i + 1] if value is not None]


def same(x: Column, q: int | None, i: int) -> list[int]:
    """None equals nothing, not even None."""
    return [] if q is None else matches(x, q, i)


@given(x=INDICES)
def test_on_one_sequence_of_indices(x: Column) -> None:
    n = len(x)
    greatest: Column = every(n, lambda i: max(present(x, i), default=None))
    assert ON_INDICES["shifted"](x).tolist() == shown(every(n, lambda i: at(x, i - 1, i, None)))
    assert ON_INDICES["greatest"](x).tolist() == shown(greatest)
    least = every(n, lambda i: min(present(x, i), default=None))
    assert ON_INDICES["least"](x).tolist() == shown(least)
    winners = every(n, lambda i: last_or_none(same(x, greatest[i], i)))
    assert ON_INDICES["where_greatest"](x).tolist() == shown(winners)


@given(pairs=st.lists(st.tuples(*[st.none() | st.integers(0, 6)] * 2), max_size=10))
def test_on_two_sequences_of_indices(pairs: list[tuple[int | None, int | None]]) -> None:
    x, q = [p for p, _ in pairs], [p for _, p in pairs]
    n = len(x)

    def check(name: str, value: Callable[[int], Any]) -> None:
        assert ON_INDICES[name](x, q).tolist() == shown(every(n, value)), name

    check("first_equal", lambda i: first_or_none(same(x, q[i], i)))
    check("last_equal", lambda i: last_or_none(same(x, q[i], i)))
    check("seen", lambda i: int(bool(same(x, q[i], i))))
    check("looked_up", lambda i: at(x, q[i], i, None))
    keep = [0 if value is None else value % 2 for value in q]
    masked = every(n, lambda i: x[i] if keep[i] else None)
    assert ON_INDICES["masked"](x, keep).tolist() == shown(masked)

    def inducted(i: int) -> int | None:
        found = first_or_none(same(x, q[i], i))
        return None if found is None else at(x, found + 1, i, None)

    check("inducted", inducted)


def test_every_library_function_is_specified_here() -> None:
    others = {"shift_right", "mask", "index_select", "induct_kqv", "induct", "induct_prev"}
    assert set(library()) == {*UNARY, *BINARY, *others}
    assert all(name in vars(raspl)["__all__"] for name in library())


def test_the_running_argmax_of_the_page() -> None:
    assert raspl.argmax([1, 3, 2, 3, 0]).tolist() == [0, 1, 1, 3, 3]
