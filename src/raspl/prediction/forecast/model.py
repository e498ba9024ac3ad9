"""The model behind a forecast: a logistic regression small enough to read.

    logit P(exact match >= 90 % at d times the training length) = a·f - log2(min(d, 4) / 1.25) b·f

for the features f of a task (`features.py`). `a` is what speaks for generalising at all, `b` what
speaks for its fading with distance. Both are fitted at once, with a ridge on all but the constant;
coefficients that would say the opposite of what a feature stands for are 0, as they would be if
their sign were a constraint.
Beyond four times the training length nothing fades any more: what fades has failed by then, and
what is left does not look at positions. A forecast never rises with distance: the least up to a
distance counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from raspl.prediction.forecast.features import AGAINST, CONSTANT, FOR, Features
from raspl.validated import Record

Array: TypeAlias = NDArray[np.float64]

DISTANCES = (1.25, 2.0, 3.0, 10.0)
"""Times the training length."""
RIDGE = 1.0
"""In units of one observation, on features of unit spread."""
ROUNDS = 50
SMALLEST_SPREAD = 0.5
"""Of a feature in its own units. One that hardly varies gets no large coefficient: it would speak
loudly of tasks that are unlike all that were seen."""
TINY = 1e-9
FADED = 4.0
"""The distance from which on nothing fades any more."""


class Observation(Record):
    """What became of a task at one distance."""

    features: Features
    distance: float
    share: float
    """Of its runs, those that generalise."""
    weight: float = 1.0


class Model(Record):
    """Coefficients by feature, on the features as they are."""

    near: Mapping[str, float]
    """What a feature adds to the log-odds at 1.25 times."""
    fading: Mapping[str, float]
    """What it takes away with every doubling of the distance."""
    provenance: Mapping[str, str | int | float] = {}
    """From how many outcomes of what it was fitted."""

    def log_odds(self, features: Features, distance: float) -> float:
        return sum(self.parts(features, distance).values())

    def parts(self, features: Features, distance: float) -> dict[str, float]:
        """What each feature adds to the log-odds at a distance."""
        doublings = _doublings(distance)
        return {
            name: value * (self.near[name] - doublings * self.fading[name])
            for name, value in features.items()
        }

    def probability(self, features: Features, distance: float) -> float:
        """At one distance, given the nearer ones."""
        nearer = [d for d in DISTANCES if d < distance]
        return min(_sigmoid(self.log_odds(features, d)) for d in (*nearer, distance))

    def probabilities(self, features: Features) -> dict[float, float]:
        return {distance: self.probability(features, distance) for distance in DISTANCES}


def fit(observations: Sequence[Observation], ridge: float = RIDGE) -> Model:
    """The maximum of the penalised likelihood, by Newton's method.

    Of the coefficients with a sign that their feature can't have, the furthest off is set to 0, and
    the others are fitted again, until there is none.
    """
    names = list(observations[0].features)
    design = np.array([_row(one.features, one.distance) for one in observations])
    shares = np.array([one.share for one in observations])
    weights = np.array([one.weight for one in observations])
    spread = design.std(axis=0)
    scale = np.maximum(spread, SMALLEST_SPREAD)
    is_constant = np.array([name == CONSTANT for name in names] + [False] * len(names))
    penalty = ridge * np.where(is_constant, 0.0, 1.0)
    near = [_sign(name) for name in names]
    # What speaks for generalising speaks for it the more the further, and all fades by itself.
    far = [-1.0 if name == CONSTANT else sign for name, sign in zip(names, near, strict=True)]
    signs = np.array([*near, *far])
    free = np.ones(len(signs), dtype=np.bool_)
    beta = np.zeros(len(signs))
    while True:
        beta[free] = _newton((design / scale)[:, free], shares, weights, penalty[free])
        beta[~free] = 0.0
        off = signs * beta
        if off.min() >= 0:
            break
        free[np.argmin(off)] = False
    beta = beta / scale
    return Model(
        near=dict(zip(names, beta[: len(names)].tolist(), strict=True)),
        fading=dict(zip(names, (-beta[len(names) :]).tolist(), strict=True)),
    )


def _sign(name: str) -> float:
    """Of what a feature adds near the training length; 0 if it may be either."""
    return float(name in FOR) - float(name in AGAINST)


def _row(features: Features, distance: float) -> list[float]:
    values = list(features.values())
    return [*values, *(value * _doublings(distance) for value in values)]


def _newton(design: Array, shares: Array, weights: Array, penalty: Array) -> Array:
    beta = np.zeros(design.shape[1])
    for _ in range(ROUNDS):
        chances = 1 / (1 + np.exp(-np.clip(design @ beta, -30, 30)))
        gradient = design.T @ (weights * (shares - chances)) - penalty * beta
        curvature = (design.T * (weights * chances * (1 - chances))) @ design
        step = np.linalg.solve(curvature + np.diag(penalty + TINY), gradient)
        beta = beta + step
        if np.abs(step).max() < 1e-8:
            break
    return beta


def _doublings(distance: float) -> float:
    return float(np.log2(min(distance, FADED) / DISTANCES[0]))


def _sigmoid(log_odds: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(log_odds, -30, 30))))
