"""The fitted model finds what made the outcomes, and is calibrated where they are its own."""

from __future__ import annotations

import numpy as np

from raspl.prediction.forecast.features import AGAINST, CONSTANT, FEATURES, FOR, Features
from raspl.prediction.forecast.model import DISTANCES, Model, Observation, fit
from raspl.prediction.forecast.scores import auc, calibration_error


def random_features(rng: np.random.Generator) -> Features:
    return {name: 1.0 if name == CONSTANT else float(rng.normal()) for name in FEATURES}


TRUTH = Model(
    near=dict.fromkeys(FEATURES, 0.0) | {CONSTANT: 2.0, "program": 2.0, "answer length": -1.5},
    fading=dict.fromkeys(FEATURES, 0.0) | {CONSTANT: 1.0, "positions": 0.5},
)


def drawn(number: int, seed: int) -> list[Observation]:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(number):
        features = random_features(rng)
        for distance in DISTANCES:
            happened = rng.random() < 1 / (1 + np.exp(-TRUTH.log_odds(features, distance)))
            made.append(Observation(features=features, distance=distance, share=float(happened)))
    return made


def test_it_finds_the_coefficients_that_made_the_outcomes() -> None:
    model = fit(drawn(4000, seed=1))
    for name in FEATURES:
        assert abs(model.near[name] - TRUTH.near[name]) < 0.25, name
        assert abs(model.fading[name] - TRUTH.fading[name]) < 0.2, name


def test_on_new_tasks_it_is_calibrated() -> None:
    model = fit(drawn(2000, seed=2))
    new = [one for one in drawn(2000, seed=3) if one.distance == DISTANCES[0]]
    chances = np.array([model.probability(one.features, one.distance) for one in new])
    outcomes = np.array([one.share for one in new])
    assert calibration_error(chances, outcomes) < 0.05
    assert auc(chances, outcomes) > 0.85


def test_a_forecast_never_rises_with_distance() -> None:
    rng = np.random.default_rng(4)
    odd = Model(near=TRUTH.near, fading=dict.fromkeys(FEATURES, -1.0))
    for _ in range(100):
        chances = list(odd.probabilities(random_features(rng)).values())
        assert chances == sorted(chances, reverse=True)


def test_without_outcomes_that_differ_it_stays_finite() -> None:
    """A ridge keeps what separates perfectly from running away."""
    same = [one.model_copy(update={"share": 1.0}) for one in drawn(20, seed=5)]
    assert all(np.isfinite(value) for value in fit(same).near.values())


def test_no_coefficient_says_the_opposite_of_what_its_feature_stands_for() -> None:
    """Whatever the outcomes are, here those of a world in which dear programs are learned best."""
    odd = Model(
        near=dict.fromkeys(FEATURES, 0.0) | {"cost": 2.0, "program": -2.0},
        fading=dict.fromkeys(FEATURES, 0.0) | {"positions": -2.0},
    )
    rng = np.random.default_rng(6)
    made = []
    for _ in range(500):
        features = random_features(rng)
        for distance in DISTANCES:
            share = 1 / (1 + np.exp(-odd.log_odds(features, distance)))
            made.append(Observation(features=features, distance=distance, share=float(share)))
    model = fit(made)
    assert model.near["cost"] == model.near["program"] == model.fading["positions"] == 0.0
    for name in AGAINST:
        assert model.near[name] <= 0 <= model.fading[name]
    for name in FOR:
        assert model.fading[name] <= 0 <= model.near[name]
