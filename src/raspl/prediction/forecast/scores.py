"""How good probabilities are against what happened: accuracy, AUC, Brier, calibration.

Each score comes with a bootstrap interval over tasks, so that two predictors can be told apart, and
differences of two predictors are taken on the same resampled tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Score: TypeAlias = Callable[[Array, Array], float]
RESAMPLES = 2000
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
    parts = np.array_split(np.argsort(chances, kind="stable"), BINS)
    gaps = [
        len(part) * abs(chances[part].mean() - outcomes[part].mean()) for part in parts if len(part)
    ]
    return float(sum(gaps) / len(chances))


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


def scored(score: Score, chances: Array, outcomes: Array, seed: int = 0) -> Interval:
    """A score of one predictor."""
    return _interval(lambda at: score(chances[at], outcomes[at]), len(outcomes), seed)


def compared(score: Score, ours: Array, theirs: Array, outcomes: Array, seed: int = 0) -> Interval:
    """By how much our score is above theirs, on the same tasks."""
    return _interval(
        lambda at: score(ours[at], outcomes[at]) - score(theirs[at], outcomes[at]),
        len(outcomes),
        seed,
    )


def _interval(of: Callable[[NDArray[np.int64]], float], size: int, seed: int) -> Interval:
    rng = np.random.default_rng(seed)
    drawn = [of(rng.integers(size, size=size)) for _ in range(RESAMPLES)]
    tail = (1 - COVERED) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    return Interval(of(np.arange(size)), float(low), float(high))
