"""What heads remember, against a look at every key."""

from __future__ import annotations

import operator
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from raspl.executors.stream.memory import COUNT_BITS, Matches, OrderTree, Others, gathered, mean

PAIRS = st.lists(st.tuples(st.integers(-40, 40), st.integers(-9, 9)), max_size=30)


@given(pairs=PAIRS, far=st.sampled_from((1, 10**6, 10**30)))
def test_an_order_tree_combines_all_keys_on_one_side(
    pairs: list[tuple[int, int]], far: int
) -> None:
    total, greatest = OrderTree(operator.add, False), OrderTree(max, True)
    for key, value in pairs:
        total.add(key * far, value)
        greatest.add(key * far, value)
    for query in [q * far + d for q in range(-42, 43) for d in (-1, 0, 1)]:
        below = [value for key, value in pairs if key * far < query]
        above = [value for key, value in pairs if key * far > query]
        assert total.below(query) == (sum(below) if below else None)
        assert total.above(query) == (sum(above) if above else None)
        assert greatest.below(query) == max(below, default=None)
        assert greatest.above(query) == max(above, default=None)


@given(pairs=PAIRS)
def test_others_are_those_under_another_key(pairs: list[tuple[int, int]]) -> None:
    greatest, least = Others(is_max=True), Others(is_max=False)
    for number, (key, value) in enumerate(pairs):
        greatest.add(key, value)
        least.add(key, value)
        for query in range(-41, 42):
            others = [v for k, v in pairs[: number + 1] if k != query]
            assert greatest.best(query) == max(others, default=None)
            assert least.best(query) == min(others, default=None)


@given(pairs=PAIRS)
def test_a_mean_is_packed_into_one_integer(pairs: list[tuple[int, int]]) -> None:
    values = [value for _, value in pairs]
    if values:
        packed = sum((value << COUNT_BITS) + 1 for value in values)
        assert mean(packed) == int(sum(values) / len(values))


def test_matches_are_bounded_and_exact() -> None:
    rng = Random(0)
    matches = Matches(lambda k, q: (k * q) % 3 == 1)
    matches.LIMIT = 20
    seen: set[int] = set()
    for _ in range(300):
        key, query = rng.randint(-20, 20), rng.randint(-20, 20)
        matches.add(key)
        seen.add(key)
        assert set(matches.row(query)) == {k for k in seen if (k * query) % 3 == 1}
    kept = {key: key for key in seen}
    assert gathered(kept, matches.row(1), max) == max(k for k in seen if k % 3 == 1)
    assert gathered(kept, (), max) is None
