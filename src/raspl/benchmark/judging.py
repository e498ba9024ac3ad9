"""Forecasts against outcomes: cross-validated probabilities, ours and those of rivals.

Every predictor is a logistic model of its own features and of the distance, fitted on other tasks
than those that it is judged on. So rivals are calibrated as well as they can be.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from raspl.benchmark.ledger import Entry
from raspl.benchmark.outcomes import NEAR, Outcome
from raspl.prediction.forecast.features import (
    CONSTANT,
    EXHAUSTED,
    FROM_THE_SEARCH,
    MOST_SENSITIVE,
    Features,
    features_of,
    measured_sensitivity,
)
from raspl.prediction.forecast.model import DISTANCES, Model, Observation, fit

FOLDS = 10
UNSETTLED = 5.0
"""How many tasks the expectation weighs that what is not settled comes out as often as anything."""
Split: TypeAlias = Callable[["Case"], int | str]
"""Which part of the cases a case is judged in; it is fitted on the others."""


@dataclass(frozen=True)
class Case:
    """A task with what was predicted of it and what came out."""

    suite: str
    entry: Entry
    outcomes: tuple[Outcome, ...]
    labels: Features
    """What others say of it, for rivals: decided classes."""


def by_task(case: Case) -> int:
    """Ten folds; the same whatever other tasks there are."""
    return int(hashlib.sha256(case.entry.task.encode()).hexdigest(), 16) % FOLDS


def by_family(case: Case) -> str:
    return case.entry.family


BASE_RATE = "base rate"
Predictor: TypeAlias = Callable[[Case], Features | None]
"""The features that a predictor looks at; None where it has nothing to say."""


def ours(case: Case) -> Features:
    return features_of(case.entry.prediction)


def base_rate(case: Case) -> Features:
    return {CONSTANT: 1.0}


def a_program_exists(case: Case) -> Features:
    """The conjecture as the paper states it, as far as a search can tell."""
    return {CONSTANT: 1.0, "program": float(case.entry.prediction.cheapest is not None)}


def cost_alone(case: Case) -> Features:
    program = case.entry.prediction.cheapest
    cost = 0.0 if program is None else float(program.cost)
    return {CONSTANT: 1.0, "program": float(program is not None), "cost": cost}


def average_sensitivity(case: Case) -> Features:
    measured = measured_sensitivity(case.entry.prediction)
    return {CONSTANT: 1.0, "sensitivity": min(measured or 0.0, MOST_SENSITIVE)}


def labelled(name: str) -> Predictor:
    """What others decided of a task, where they did."""

    def predictor(case: Case) -> Features | None:
        return {CONSTANT: 1.0, name: case.labels[name]} if name in case.labels else None

    return predictor


PREDICTORS: Mapping[str, Predictor] = MappingProxyType(
    {
        "forecast": ours,
        BASE_RATE: base_rate,
        "a program exists": a_program_exists,
        "cost alone": cost_alone,
        "sensitivity": average_sensitivity,
        "R-trivial": labelled("R-trivial"),
        "C-RASP": labelled("C-RASP"),
    }
)


def observations(
    cases: Iterable[Case], predictor: Predictor
) -> list[tuple[Case, Outcome, Observation]]:
    """What a predictor saw of each outcome. A task counts alike, however many runs it has."""
    found = []
    for case in cases:
        features = predictor(case)
        if features is None:
            continue
        places = Counter(outcome.distance for outcome in case.outcomes)
        for outcome in case.outcomes:
            seen = Observation(
                features=features,
                distance=outcome.distance,
                share=float(outcome.generalises),
                weight=1 / places[outcome.distance],
            )
            found.append((case, outcome, seen))
    return found


def fitted(cases: Iterable[Case], predictor: Predictor = ours) -> Model:
    """The model of all cases."""
    return _fit([seen for *_, seen in observations(cases, predictor)], predictor)


def _fit(seen: Sequence[Observation], predictor: Predictor) -> Model:
    """Ours takes it that what a search does not settle comes out as often as anything, as far as
    outcomes don't show otherwise."""
    return fit([*seen, *unsettled(seen)] if predictor is ours else seen)


def unsettled(seen: Sequence[Observation]) -> Iterator[Observation]:
    """A few tasks of which nothing is known, as many of which generalise as of all."""
    # What order and single tokens do to an answer counts where no program was found.
    alike = [one for one in seen if not one.features["program"]] or seen
    features = {
        name: 0.0
        if name in FROM_THE_SEARCH
        else float(np.mean([one.features[name] for one in alike]))
        for name in seen[0].features
    }
    # A search that finds nothing has ruled something out.
    ruled_out = [one.features[EXHAUSTED] for one in seen if one.features[EXHAUSTED] > 0]
    features[EXHAUSTED] = float(np.mean(ruled_out)) if ruled_out else 0.0
    for distance in DISTANCES:
        near = [one for one in seen if 1 / NEAR < one.distance / distance < NEAR]
        if near:
            share = np.average([one.share for one in near], weights=[one.weight for one in near])
            yield Observation(
                features=features, distance=distance, share=float(share), weight=UNSETTLED
            )


@dataclass(frozen=True)
class Judged:
    """A probability with what came out at a distance."""

    case: Case
    outcome: Outcome
    chance: float


def cross_validated(
    cases: Sequence[Case], predictor: Predictor = ours, split: Split = by_task
) -> list[Judged]:
    """Every outcome, with the probability from a fit that did not see its part of the cases."""
    seen = observations(cases, predictor)
    judged = []
    for part in sorted({split(case) for case, *_ in seen}, key=str):
        others = [one for case, _, one in seen if split(case) != part]
        if not others:
            continue
        model = _fit(others, predictor)
        for case, outcome, one in seen:
            if split(case) == part:
                chance = model.probability(one.features, one.distance)
                judged.append(Judged(case, outcome, chance))
    return judged
