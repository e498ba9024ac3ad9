"""Scores against their definitions, written out."""

from __future__ import annotations

import numpy as np
import pytest

from raspl.prediction.forecast.scores import (
    SCORES,
    Array,
    Resampled,
    accuracy,
    auc,
    brier,
    calibration_error,
    resamples,
)


def drawn(seed: int, size: int = 60) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    chances = rng.choice(np.linspace(0, 1, 7), size=size)
    return chances, (rng.random(size) < chances).astype(float)


@pytest.mark.parametrize("seed", range(10))
def test_auc_is_the_share_of_pairs_in_the_right_order(seed: int) -> None:
    chances, outcomes = drawn(seed)
    pairs = [
        (a > b) + 0.5 * (a == b)
        for a, yes in zip(chances, outcomes, strict=True)
        for b, no in zip(chances, outcomes, strict=True)
        if yes and not no
    ]
    assert auc(chances, outcomes) == pytest.approx(np.mean(pairs))


def test_the_others_on_numbers_done_by_hand() -> None:
    chances, outcomes = np.array([0.9, 0.2, 0.6, 0.4]), np.array([1.0, 0.0, 0.0, 1.0])
    assert accuracy(chances, outcomes) == 0.5
    assert brier(chances, outcomes) == pytest.approx((0.01 + 0.04 + 0.36 + 0.36) / 4)
    assert calibration_error(chances, outcomes) == pytest.approx((0.1 + 0.2 + 0.6 + 0.6) / 4)


@pytest.mark.parametrize("size", [3, 10, 60, 97])
def test_calibration_is_the_gap_between_means_in_ten_groups(size: int) -> None:
    chances, outcomes = drawn(1, size)
    groups = np.array_split(np.argsort(chances, kind="stable"), 10)
    gaps = [len(g) * abs(chances[g].mean() - outcomes[g].mean()) for g in groups if len(g)]
    assert calibration_error(chances, outcomes) == pytest.approx(sum(gaps) / size)


def test_calibrated_chances_have_little_error_and_shifted_ones_much() -> None:
    rng = np.random.default_rng(0)
    chances = rng.random(20_000)
    outcomes = (rng.random(20_000) < chances).astype(float)
    assert calibration_error(chances, outcomes) < 0.01
    assert calibration_error(np.clip(chances + 0.2, 0, 1), outcomes) > 0.15


@pytest.mark.parametrize("name", SCORES)
def test_intervals_hold_the_score_and_repeat(name: str) -> None:
    chances, outcomes = drawn(3)
    tasks = [str(number // 2) for number in range(len(outcomes))]
    found = Resampled.of(SCORES[name], chances, outcomes, resamples(tasks)).interval
    assert found == Resampled.of(SCORES[name], chances, outcomes, resamples(tasks)).interval
    assert found.low <= found.value <= found.high or name == "calibration error"


def test_a_difference_is_taken_on_the_same_tasks() -> None:
    chances, outcomes = drawn(4, size=300)
    rows = resamples([str(number) for number in range(300)])
    ours = Resampled.of(brier, chances, outcomes, rows)
    base = Resampled.of(brier, np.full(300, outcomes.mean()), outcomes, rows)
    assert (ours - base).interval.high < 0
    assert (ours - ours).interval.low == 0


def test_the_runs_of_a_task_are_drawn_together() -> None:
    for rows in resamples(["a", "b", "a", "c"])[:50]:
        assert (rows == 0).sum() == (rows == 2).sum()
