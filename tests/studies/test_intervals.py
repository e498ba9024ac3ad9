"""Intervals hold what they promise, by an independent count, and seeds are stretched evenly."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raspl.studies.intervals import LEVEL, coverage, interval, stretched


@pytest.mark.parametrize("number", [1, 2, 3, 5, 8, 10])
def test_coverage_is_the_share_of_all_ways_to_fall_around_the_median(number: int) -> None:
    """Each value is above or below the true median with equal chance: count every way."""
    for k in range(1, (number + 1) // 2 + 1):
        ways = [sum(way) for way in product((0, 1), repeat=number)]
        inside = sum(k <= above <= number - k for above in ways) / len(ways)
        assert coverage(number, k) == pytest.approx(inside)


@pytest.mark.parametrize(
    ("number", "k", "least"), [(3, 1, 0.75), (5, 1, 0.9375), (8, 2, 0.92), (20, 6, 0.95)]
)
def test_which_seeds_bound_the_interval(number: int, k: int, least: float) -> None:
    values = [float(value) for value in range(1, number + 1)]
    found = interval(values)
    assert (found.low, found.high) == (k, number + 1 - k)
    assert found.coverage >= least
    assert found.coverage >= LEVEL or number < 5


@given(st.lists(st.floats(0, 1), min_size=1, max_size=25))
def test_the_median_is_inside_and_no_narrower_interval_has_the_level(values: list[float]) -> None:
    found, ordered = interval(values), sorted(values)
    assert found.low <= found.middle <= found.high
    assert found.middle == np.median(values)
    k = next(k for k in range(1, len(values) + 1) if coverage(len(values), k + 1) < LEVEL)
    assert (found.low, found.high) == (ordered[k - 1], ordered[-k])


def test_of_bimodal_seeds_the_interval_covers_as_often_as_it_says() -> None:
    """Seeds that generalise or don't: two in three do, so the median is near 1."""
    rng = np.random.default_rng(0)
    draws = np.where(rng.random((4000, 5)) < 2 / 3, 1 - 0.01 * rng.random((4000, 5)), 0.3)
    middle = 0.9925  # of the distribution: a quarter of its upper part lies below
    covered = [(one.low <= middle <= one.high) for one in map(interval, draws)]
    assert np.mean(covered) >= coverage(5, 1) - 0.01


def test_a_difference_has_both_intervals_in_it() -> None:
    found = interval([0.9, 0.95, 1.0]) - interval([0.1, 0.2, 0.3])
    assert [found.low, found.high] == pytest.approx([0.6, 0.9])
    assert found.middle == pytest.approx(0.75)
    assert found.coverage == pytest.approx(0.5)


@given(st.integers(1, 8), st.integers(0, 20))
def test_stretching_keeps_shares(number: int, more: int) -> None:
    chosen = stretched(number, number + more)
    assert chosen == sorted(chosen)
    counts = np.bincount(chosen, minlength=number)
    assert len(chosen) == number + more
    assert counts.max() - counts.min() <= 1
    assert stretched(number, number) == list(range(number))
