"""How good probabilities are against what happened: accuracy, AUC, Brier, calibration.

Each score comes with a bootstrap interval over tasks, so that two predictors can be told apart, and
differences of two predictors are taken on the same resampled tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Score: TypeAlias = Callable[[Array, Array], float]
RESAMPLES = 1000
COVERED = 0.95
BINS = 10


def accuracy(chances: Array, outcomes: Array) -> float:
    """How often a probability above one half goes with what happened."""
    return float(((chances > 0.5) == (outcomes > 0.5)).mean())


def auc(chances: Array, outcomes: Array) -> float:
    """The chance that a task that generalises is given more than one that does not."""
    positive, negative = chances[outcomes > 0.5], chances[outcomes <= 0.5]
    if not len(positive) or not len(negative):
        return float("nan")
    order = np.sort(negative)
    below = np.searchsorted(order, positive, side="left")
    upto = np.searchsorted(order, positive, side="right")
    return float((below + upto).sum() / (2 * len(positive) * len(negative)))


def brier(chances: Array, outcomes: Array) -> float:
    """The mean squared distance from what happened."""
    return float(((chances - outcomes) ** 2).mean())


def calibration_error(chances: Array, outcomes: Array) -> float:
    """The expected calibration error over ten bins of equally many tasks.

    Bins of equal width would hang on a few tasks in the middle, where few forecasts are.
    """
    order = np.argsort(chances, kind="stable")
    bins = min(BINS, len(order))
    size, larger = divmod(len(order), bins)
    starts = np.arange(bins) * size + np.minimum(np.arange(bins), larger)
    # A bin's gap between the means, times its size, is the gap between the sums.
    gaps = np.add.reduceat((chances - outcomes)[order], starts)
    return float(np.abs(gaps).sum() / len(order))


SCORES: Mapping[str, Score] = MappingProxyType(
    {
        "accuracy": accuracy,
        "AUC": auc,
        "Brier": brier,
        "calibration error": calibration_error,
    }
)


@dataclass(frozen=True)
class Interval:
    """A score with the interval that covers 95 % of the resamples."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def resamples(tasks: Sequence[str]) -> list[NDArray[np.int64]]:
    """Rows drawn with replacement: tasks, each with all its runs, as those come out alike."""
    _, group = np.unique(np.array(tasks), return_inverse=True)
    rows = [np.flatnonzero(group == number) for number in range(group.max() + 1)]
    rng = np.random.default_rng(0)
    return [
        np.concatenate([rows[at] for at in rng.integers(len(rows), size=len(rows))])
        for _ in range(RESAMPLES)
    ]


@dataclass(frozen=True)
class Resampled:
    """A score of one predictor, on all rows and on every resample of them."""

    value: float
    drawn: Array

    @staticmethod
    def of(
        score: Score, chances: Array, outcomes: Array, rows: Sequence[NDArray[np.int64]]
    ) -> Resampled:
        drawn = np.array([score(chances[at], outcomes[at]) for at in rows])
        return Resampled(score(chances, outcomes), drawn)

    def __sub__(self, other: Resampled) -> Resampled:
        """By how much it is above another's, taken on the same rows."""
        return Resampled(self.value - other.value, self.drawn - other.drawn)

    @property
    def interval(self) -> Interval:
        if np.isnan(self.drawn).all():
            return Interval(self.value, float("nan"), float("nan"))
        tail = (1 - COVERED) / 2
        low, high = np.nanquantile(self.drawn, [tail, 1 - tail])
        return Interval(self.value, float(low), float(high))
