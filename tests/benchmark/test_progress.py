"""Lines on work that takes hours say how much of it is left."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from raspl.benchmark import training
from raspl.benchmark.cases import Home
from raspl.benchmark.pace import left_in_words
from raspl.benchmark.predicting import progress_of
from raspl.benchmark.random_suite import most_tried, wanted
from raspl.benchmark.training import train_entries
from raspl.fleet.status import Outcome, Watch
from raspl.training.configuration import Configuration
from tests.benchmark.made import entry


@pytest.mark.parametrize(
    ("done", "of", "seconds", "said"),
    [
        (1, 3, 10.0, "2 left, about 20 s"),
        (16, 240, 960.0, "224 left, about 3.7 h"),
        (3, 3, 10.0, "none left"),
    ],
)
def test_what_is_left_at_the_pace_so_far(done: int, of: int, seconds: float, said: str) -> None:
    assert left_in_words(done, of, seconds) == said


def test_random_tasks_are_counted_against_the_most_that_are_tried() -> None:
    kinds = ("transducer",)
    drawn = [entry("random:transducer:1:1"), entry("random:automaton:1:1")]
    lacking, ruled_out = wanted()["transducer"] - 1, wanted()["transducer, ruled out"]
    assert progress_of(kinds, drawn) == (
        f"1 of at most {most_tried(kinds)} (transducer), still wanted: {lacking} of transducer, "
        f"{ruled_out} of transducer, ruled out"
    )


class Nowhere:
    """A fleet that gives every run up."""

    def run(self, configs: Iterable[Configuration], watch: Watch) -> Outcome:
        return Outcome({config.name: "it was not tried" for config in configs})


def test_training_says_how_many_runs_are_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "AT_ONCE", 4)
    entries = [entry(f"random:transducer:999:{index}") for index in (0, 2, 3)]
    said: list[str] = []
    outcomes = Home(tmp_path).outcomes("random")
    train_entries(entries, outcomes, tmp_path, Nowhere(), lambda runs, left: None, said.append)
    first, last = said
    assert first.startswith("4 of 6 runs done, 4 of them given up; 2 left, about ")
    assert last == "6 of 6 runs done, 6 of them given up; none left."
