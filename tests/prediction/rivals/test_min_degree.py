"""The min-degree interpolator: against brute force, the paper's lemma, the conjunction section."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl import programs
from raspl.errors import RasplError
from raspl.prediction.rivals.min_degree import Point, interpolate

BITS = 4
CUBE = list(product((0, 1), repeat=BITS))


def profile(values: Mapping[Point, Fraction]) -> tuple[Fraction, ...]:
    """The degree profile of a function on the whole cube, by the definition."""
    weights = [Fraction(0)] * (BITS + 1)
    for size in range(BITS + 1):
        for subset in combinations(range(BITS), size):
            coefficient = sum(
                Fraction(values[x]) * (-1) ** sum(x[i] for i in subset) for x in CUBE
            ) / len(CUBE)
            weights[size] += coefficient**2
    return tuple(reversed(weights))


partial = st.dictionaries(st.sampled_from(CUBE), st.integers(-2, 2), min_size=1, max_size=10)


@settings(max_examples=40, deadline=None)
@given(partial)
def test_it_interpolates_and_its_profile_is_that_of_its_values(values: dict[Point, int]) -> None:
    found = interpolate(values)
    assert all(found(point) == value for point, value in values.items())
    assert found.profile == profile({x: found(x) for x in CUBE})


@settings(max_examples=40, deadline=None)
@given(partial, st.lists(st.integers(-2, 2), min_size=16, max_size=16))
def test_no_other_interpolator_has_a_lower_profile(
    values: dict[Point, int], changes: list[int]
) -> None:
    found = interpolate(values)
    other = {
        x: found(x) + (0 if x in values else change)
        for x, change in zip(CUBE, changes, strict=True)
    }
    assert found.profile <= profile(other)
    if any(other[x] != found(x) for x in CUBE):
        assert found.profile < profile(other)


@settings(max_examples=40, deadline=None)
@given(partial, st.dictionaries(st.integers(0, BITS - 1), st.integers(0, 1), max_size=3))
def test_the_lemma_of_the_paper(values: dict[Point, int], fixed: dict[int, int]) -> None:
    """It depends on no coordinate that is constant on the seen set."""
    seen = {tuple(fixed.get(i, bit) for i, bit in enumerate(x)): y for x, y in values.items()}
    constant = {i for i in range(BITS) if len({x[i] for x in seen}) == 1}
    assert not constant & set(interpolate(seen).variables)


@settings(max_examples=40, deadline=None)
@given(partial)
def test_variables_are_those_that_change_the_value(values: dict[Point, int]) -> None:
    found = interpolate(values)
    flipped = {
        i for i in range(BITS) for x in CUBE
        if found(x) != found(tuple(b ^ (j == i) for j, b in enumerate(x)))
    }  # fmt: skip
    assert set(found.variables) == flipped


def test_conjunction_section() -> None:
    """It ignores the last five of twenty bits; the one-head program does not."""
    bits, unseen = 20, 5
    ones = (1,) * bits

    def without(i: int) -> Point:
        return tuple(int(j != i) for j in range(bits))

    seen = {ones: 1} | {without(i): 0 for i in range(bits - unseen)}
    found = interpolate(seen)
    assert found.degree == 1
    assert found.variables == tuple(range(bits - unseen))
    program = programs.load("conjunction_paper")
    for i in range(bits - unseen, bits):
        assert found(without(i)) == 1
        assert program(without(i))[-1] == 0
    assert all(program(point)[-1] == value for point, value in seen.items())


def test_user_mistakes() -> None:
    with pytest.raises(RasplError, match="at least one"):
        interpolate({})
    with pytest.raises(RasplError, match="tuples of bits"):
        interpolate({(0, 2): 1})
    rng = np.random.default_rng(0)
    with pytest.raises(RasplError, match="128"):
        interpolate({tuple(map(int, rng.integers(0, 2, 20))): 1 for _ in range(400)})
