"""Predictions and outcomes that are made up, for tests of what is done with them."""

from __future__ import annotations

import numpy as np

from raspl.benchmark.judging import Case
from raspl.benchmark.ledger import Entry
from raspl.benchmark.outcomes import Trained, own
from raspl.prediction import Prediction
from raspl.prediction.prediction import FOUND, JudgedProgram, Judgement
from raspl.tasks.generalisation import GENERALISES


def found(cost: int, failure: str | None = None) -> JudgedProgram:
    return JudgedProgram(
        origin=FOUND,
        cost=cost,
        source=f"# costs {cost}",
        disciplines=("letter", "strict", "compilable"),
        positions=False,
        weighs=False,
        measures={"depth": 1, "heads": 1},
        exact_match={24: 1.0 if failure is None else 0.5},
        failure=failure,
    )


def entry(task: str, *programs: JudgedProgram, impossible: str | None = None) -> Entry:
    prediction = Prediction(
        task=task,
        made="2026-01-01T00:00:00+00:00",
        verdict="unknown",
        readings={"letter": Judgement(programs=programs, exhausted=2)},
        trained_to=12,
        impossible=impossible,
        answer_length=1.0,
        labelled=True,
    )
    return Entry(family="made up", task=task, prediction=prediction)


def trained(task: Entry, seed: int, near: float, in_distribution: float = 1.0) -> Trained:
    """A run that gets so many right at a quarter more, and none further on."""
    return Trained(
        task=task.task,
        seed=seed,
        predicted=task.hash,
        trained_to=12,
        in_distribution=in_distribution,
        exact={15: near, 24: 0.0},
        exact_without_end={15: near, 24: 0.0},
        cpu_seconds=1.0,
    )


def cases(number: int, seed: int = 0) -> list[Case]:
    """Tasks with a program generalise nine times out of ten, those without one time in ten."""
    rng = np.random.default_rng(seed)
    made = []
    for index in range(number):
        has_program = bool(rng.random() < 0.5)
        one = entry(f"random:program:0:{index}", *([found(2)] if has_program else []))
        runs = []
        for run in range(2):
            generalises = rng.random() < (0.9 if has_program else 0.1)
            runs.append(trained(one, run, GENERALISES if generalises else 0.0))
        outcomes = tuple(outcome for run in runs for outcome in own(run))
        made.append(Case("random", one, outcomes, {}))
    return made
