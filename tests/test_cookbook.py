"""The cookbook's programs do what they say, compared with plain Python on random inputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import raspl
from raspl import Program
from tests.markdown import blocks

PROGRAMS: dict[str, Program] = {}
for block in blocks("docs/reference.md"):
    if block.info[:2] == ("python", "legal"):
        PROGRAMS |= raspl.parse(block.text)


def runner_up(x: list[int]) -> set[int]:
    """Any token with the greatest count among those that are not the winner."""
    counts = Counter(x)
    best = max(counts.values())
    # Of several, the winner is the one that reached its count last.
    last = {token: max(i for i, t in enumerate(x) if t == token) for token in counts}
    winner = max((token for token in counts if counts[token] == best), key=lambda t: last[t])
    others = {token: count for token, count in counts.items() if token != winner}
    if not others:
        return {-1}
    return {token for token, count in others.items() if count == max(others.values())}


def latest_rise(x: list[int]) -> int:
    places = [i for i in range(len(x) - 1) if x[i] == x[-1] and x[i + 1] > x[i]]
    return max(places, default=-1)


ORACLES: dict[str, Callable[[list[int]], object]] = {
    "sign": lambda x: (x[-1] > 0) - (x[-1] < 0),
    "first_token": lambda x: x[0],
    "is_first": lambda x: len(x) == 1,
    "occurred_before": lambda x: x[-1] in x[:-1],
    "has_seven_before": lambda x: 7 in x[:-1],
    "three_sevens": lambda x: x.count(7) >= 3,
    "third_time": lambda x: x.count(x[-1]) >= 3,
    "pair_seen_before": lambda x: (x[-1], ([0, *x])[-2]) in zip(x[:-1], [0, *x][:-2], strict=True),
    "latest_rise": latest_rise,
    "second_most_frequent": runner_up,
    "has_seven": lambda x: 7 in x,
    "all_positive": lambda x: all(t > 0 for t in x),
}


@pytest.mark.parametrize("name", ORACLES)
@given(x=st.lists(st.sampled_from([0, 1, 2, 7, 7, 9]), min_size=1, max_size=14))
def test_recipe(name: str, x: list[int]) -> None:
    output = PROGRAMS[name](x)
    for position in range(len(x)):
        expected = ORACLES[name](x[: position + 1])
        found = int(output[position])
        assert found in expected if isinstance(expected, set) else found == expected
