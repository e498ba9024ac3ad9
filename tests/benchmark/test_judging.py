"""Cross-validation: no task is judged by a model that saw it, and what is better scores better."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from raspl.benchmark import judging
from raspl.benchmark.conjecture import (
    KINDS,
    REASONS,
    Share,
    failure_lines,
    failures,
    kind,
    rates,
    rates_by_kind,
)
from raspl.benchmark.judging import Case, by_task, cross_validated, observations
from raspl.benchmark.outcomes import own
from raspl.benchmark.scores_file import read_scores, write_scores
from raspl.benchmark.scoring import OURS, board
from raspl.prediction.forecast.model import Model, Observation
from tests.benchmark.made import cases, entry, found, trained


def test_no_task_is_judged_by_a_fit_that_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The features are numbered, so that a fit shows which tasks it saw."""
    made = cases(40)
    number = {case.entry.task: float(place) for place, case in enumerate(made)}
    fits: list[set[float]] = []

    def fit(seen: list[Observation]) -> Model:
        fits.append({one.features["task"] for one in seen})
        return Model(near={"task": 0.0}, fading={"task": 0.0})

    monkeypatch.setattr(judging, "fit", fit)
    judged = cross_validated(made, lambda case: {"task": number[case.entry.task]})
    assert len(judged) == sum(len(case.outcomes) for case in made)
    folds = sorted({by_task(case) for case in made}, key=str)
    for fold, seen in zip(folds, fits, strict=True):
        held_out = {number[case.entry.task] for case in made if by_task(case) == fold}
        assert not held_out & seen
        assert held_out | seen == set(number.values())


def test_a_task_weighs_the_same_with_one_run_or_two() -> None:
    one = entry("random:program:0:0")
    runs = [trained(one, seed, near=1.0) for seed in (0, 1)]
    for some in (runs[:1], runs):
        outcomes = tuple(outcome for run in some for outcome in own(run))
        seen = observations([Case("random", one, outcomes, {})], judging.ours)
        assert sum(each.weight for *_, each in seen if each.distance == 1.25) == 1.0


def test_what_knows_more_scores_better_by_the_interval() -> None:
    made = board(cases(150))
    ours, base = made.of("random", 1.25), made.of("random", 1.25, "base rate")
    assert ours is not None
    assert base is not None
    assert ours.scores["AUC"].low > 0.8
    assert base.ours_less_this["Brier"].high < 0
    assert ours.scores["calibration error"].value < 0.1
    assert OURS not in {row.predictor for row in made.rows if row.ours_less_this}


def test_the_share_that_generalises_is_that_of_the_runs() -> None:
    made = cases(200, seed=1)
    by_place = {(rate.stratum, rate.distance): rate.every for rate in rates(made)}
    near = by_place["cost 2", 1.25]
    assert near.interval[0] < 0.9 < near.interval[1]
    assert by_place["no program found", 1.25].value < 0.25
    assert by_place["cost 2", 2.0].value == 0.0


def test_the_best_program_that_survives_says_what_kind_a_task_is() -> None:
    exact, weighing, positional, missing, impossible = KINDS
    counts, looks = found(2).replace(weighs=True), found(3).replace(positions=True)
    shortcut = found(1, failure="`a b`")
    for programs, expected in (
        ((counts, looks, found(9)), exact),
        ((looks, counts, shortcut), weighing),
        ((shortcut, looks), positional),
        ((shortcut,), missing),
    ):
        assert kind(entry("random:program:0:1", *programs).prediction) == expected
    assert kind(entry("random:program:0:1", impossible="`a b`").prediction) == impossible
    shares = rates_by_kind(cases(200, seed=1))
    assert list(shares) == [exact, missing]
    assert shares[exact][1.25].value > 0.8 > 0.2 > shares[missing][1.25].value


@pytest.mark.parametrize(("number", "of"), [(0, 10), (3, 10), (10, 10), (50, 100)])
def test_intervals_of_shares_cover_the_share(number: int, of: int) -> None:
    """Against many draws: the true share is in the interval about 95 times in 100."""
    low, high = Share(number, of).interval
    assert 0 <= low <= number / of <= high <= 1
    rng = np.random.default_rng(0)
    draws = rng.binomial(of, 0.4, size=2000)
    inside = [a <= 0.4 <= b for a, b in (Share(int(one), of).interval for one in draws)]
    assert np.mean(inside) > 0.9


def test_each_failure_has_one_reason() -> None:
    plain = entry("random:program:0:1", found(2))
    tempting = entry("random:program:0:2", found(2), found(1, failure="`a b`"))
    end_only = trained(plain, 2, near=0.2).replace(exact_without_end={15: 1.0, 24: 0.0})
    runs = [
        trained(plain, 0, near=0.2),
        trained(plain, 1, near=0.2, in_distribution=0.9),
        trained(tempting, 0, near=0.2),
        end_only,
        trained(plain, 3, near=0.95),
    ]
    made = [
        Case("random", one, tuple(o for run in runs if run.task == one.task for o in own(run)), {})
        for one in (plain, tempting)
    ]
    assert failures(made, 1.25) == dict.fromkeys(REASONS, 1)
    assert failures(made, 2.0).total() == len(runs)
    *_, last = failure_lines(made)
    assert last.endswith("| 25% (5%–70%) | 60% (23%–88%) |")


def test_scores_are_read_as_they_were_written(tmp_path: Path) -> None:
    """To four digits; what is not a number, as where nothing generalises, stays none."""
    rows = board(cases(60)).rows
    assert any(np.isnan(row.scores["AUC"].value) for row in rows)
    write_scores(rows, tmp_path)
    again = read_scores(tmp_path)
    assert [(one.suite, one.distance, one.predictor, one.tasks) for one in again] == [
        (one.suite, one.distance, one.predictor, one.tasks) for one in rows
    ]
    for before, after in zip(rows, again, strict=True):
        for name, interval in before.scores.items():
            assert after.scores[name].value == pytest.approx(interval.value, abs=1e-4, nan_ok=True)
    assert read_scores(tmp_path / "nowhere") == []


def test_what_is_not_settled_is_near_the_share_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here every task has a program or is impossible, so nothing else tells of the others."""
    made = []
    for index in range(60):
        does = index % 3 > 0
        one = entry(f"random:program:0:{index}", *([found(2)] if does else []),
                    impossible=None if does else "No program.")  # fmt: skip
        made.append(Case("random", one, own(trained(one, 0, near=float(does))), {}))
    unknown = judging.ours(Case("random", entry("random:program:1:0"), (), {}))

    def off() -> float:
        return abs(judging.fitted(made).probability(unknown, 1.25) - 2 / 3)

    expecting = off()
    assert expecting < 0.15
    monkeypatch.setattr(judging, "UNSETTLED", 1e-9)
    assert off() > 2 * expecting
