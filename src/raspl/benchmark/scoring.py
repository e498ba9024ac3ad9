"""The table of scores: each predictor on each suite at each distance, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from raspl.benchmark.judging import (
    BASE_RATE,
    PREDICTORS,
    Case,
    Judged,
    Split,
    by_family,
    by_task,
    cross_validated,
)
from raspl.prediction.forecast.model import DISTANCES
from raspl.prediction.forecast.scores import SCORES, Array, Interval, Resampled, resamples
from raspl.validated import Record

OURS = "forecast"
FAMILY_OUT = "forecast, family left out"
RANKS = "AUC"
UNKNOWN = Interval(float("nan"), float("nan"), float("nan"))
COMPARED = (RANKS, "Brier")
"""Scores whose difference from ours is looked at: how well tasks are ranked, and a proper score,
which also counts how well probabilities are calibrated."""
LEAST = 5
"""Tasks that a score is taken of, at the least."""


class Row(Record):
    """One predictor on one suite at one distance."""

    suite: str
    distance: float
    predictor: str
    tasks: int
    happened: float
    """The share of runs that generalise."""
    scores: Mapping[str, Interval]
    ours_less_this: Mapping[str, Interval]
    """By how much our score is above this one's, on the same tasks."""


@dataclass(frozen=True)
class Board:
    """Every predictor's cross-validated probabilities, and their scores."""

    judged: dict[str, list[Judged]]
    rows: list[Row]

    def of(self, suite: str, distance: float, predictor: str = OURS) -> Row | None:
        return next(
            (
                row
                for row in self.rows
                if (row.suite, row.distance, row.predictor) == (suite, distance, predictor)
            ),
            None,
        )


def board(cases: Sequence[Case]) -> Board:
    """Fitted on all suites together, scored on each."""
    splits: dict[str, Split] = {FAMILY_OUT: by_family}
    judged = {
        name: cross_validated(
            cases, PREDICTORS.get(name, PREDICTORS[OURS]), splits.get(name, by_task)
        )
        for name in (*PREDICTORS, FAMILY_OUT)
    }
    return Board(judged, list(rows_of(judged)))


def rows_of(judged: Mapping[str, Sequence[Judged]]) -> Iterator[Row]:
    """A row for each suite, distance and predictor, as far as there are tasks enough."""
    mine = {_key(one): one.chance for one in judged[OURS]}
    places = {(one.case.suite, one.outcome.column) for one in judged[OURS]}
    for suite in dict.fromkeys(one.case.suite for one in judged[OURS]):
        for distance in (d for d in DISTANCES if (suite, d) in places):
            for name, every in judged.items():
                some = at_place(every, suite, distance)
                if len({one.case.entry.task for one in some}) >= LEAST:
                    ours = np.array([mine[_key(one)] for one in some])
                    yield _row(suite, distance, name, some, ours)


def _row(suite: str, distance: float, name: str, some: Sequence[Judged], ours: Array) -> Row:
    chances, outcomes = columns(some)
    tasks = [one.case.entry.task for one in some]
    rows = resamples(tasks)
    # The base rate ranks nothing: its folds differ, and its tasks don't.
    taken = {key: score for key, score in SCORES.items() if (key, name) != (RANKS, BASE_RATE)}
    scores = {key: Resampled.of(score, chances, outcomes, rows) for key, score in taken.items()}
    differences = {
        key: (Resampled.of(taken[key], ours, outcomes, rows) - scores[key]).interval
        for key in COMPARED
        if key in taken and name != OURS
    }
    return Row(
        suite=suite,
        distance=distance,
        predictor=name,
        tasks=len(set(tasks)),
        happened=float(outcomes.mean()),
        scores={key: scores[key].interval if key in scores else UNKNOWN for key in SCORES},
        ours_less_this=differences,
    )


def best_rival(rows: Sequence[Row], ours: Row) -> Row | None:
    """The one with the smallest Brier score, at the place of one of our rows."""
    rivals = (
        row
        for row in rows
        if (row.suite, row.distance) == (ours.suite, ours.distance)
        and row.predictor not in (OURS, FAMILY_OUT)
    )
    return min(rivals, key=lambda row: row.scores["Brier"].value, default=None)


def at_place(judged: Sequence[Judged], suite: str, distance: float) -> list[Judged]:
    """Those of one suite at one distance."""
    return [one for one in judged if (one.case.suite, one.outcome.column) == (suite, distance)]


def columns(judged: Sequence[Judged]) -> tuple[Array, Array]:
    """Probabilities and outcomes, as scores take them."""
    return (
        np.array([one.chance for one in judged]),
        np.array([float(one.outcome.generalises) for one in judged]),
    )


def _key(one: Judged) -> tuple[str, float, int]:
    seed = -1 if one.outcome.run is None else one.outcome.run.seed
    return one.case.entry.task, one.outcome.distance, seed
