"""All positive controls, and forty negative ones. Minutes, so they are marked slow."""

from __future__ import annotations

from pathlib import Path

import pytest

import raspl
from raspl import programs
from raspl.inside.negative import KINDS, negative
from raspl.inside.of_runs import own_program
from raspl.inside.positive import REACHED, positive
from raspl.tasks import find

ALPHABETS = {
    "conjunction": {},
    "sort": {"numbers": 12},
    "copy_unique": {"tokens": 12},
    "count": {"numbers": 14},
    "mode": {"letters": 5},
    "parity_scratchpad": {"hints": 12},
    "addition_reverse": {"hints": 7},
    "addition_forward": {"hints": 7},
}
"""Small ones, as the compiled networks grow with them."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ALPHABETS)
def test_every_variable_that_stands_in_the_stream_is_found(name: str) -> None:
    task = find(name, ALPHABETS[name])
    longest = 3 if name.startswith("addition") else 8
    found = positive(programs.load(name).graph, task, seed=1, longest=longest)
    assert found.agreement == 1.0
    assert found.expected
    assert {one.variable: one.accuracy for one in found.expected if one.accuracy < REACHED} == {}


NETWORKS = ("sort", "conjunction", "count", "parity_scratchpad")
"""Two with one variable each, and two with several."""


@pytest.mark.slow
def test_no_negative_control_runs_the_program(tmp_path: Path) -> None:
    runs = [raspl.train(name, root=tmp_path) for name in NETWORKS]
    tries = [
        negative(kind, run, own_program(run), seed)
        for number, kind in enumerate(KINDS)
        for seed in range(1, 11)
        for run in [runs[(seed + number) % len(runs)]]
    ]
    assert len(tries) == 40
    assert [one for one in tries if one.verdict == "runs this program"] == []
