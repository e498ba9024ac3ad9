"""A frozen model is scored on what came out later, and on nothing else."""

from __future__ import annotations

from pathlib import Path

from raspl.benchmark.blind import blind_rows, freeze, read_frozen
from raspl.benchmark.fitting import fit_model
from raspl.benchmark.scoring import OURS
from tests.benchmark.made import cases


def test_only_later_tasks_are_scored(tmp_path: Path) -> None:
    made = cases(120)
    before = made[:80]
    model = fit_model(before)
    freeze(model, before, tmp_path)
    frozen = read_frozen(tmp_path)
    assert frozen is not None
    assert frozen.model == model
    assert blind_rows(before, frozen) == []
    near = [row for row in blind_rows(made, frozen) if row.distance == 1.25]
    assert {row.tasks for row in near} == {40}
    (ours,) = (row for row in near if row.predictor == OURS)
    (base,) = (row for row in near if row.predictor == "base rate")
    assert ours.scores["AUC"].low > 0.75
    assert base.ours_less_this["Brier"].high < 0


def test_later_outcomes_do_not_move_the_frozen_model(tmp_path: Path) -> None:
    """Scores of later tasks are those of the stored coefficients, one by one."""
    made = cases(60)
    model = fit_model(made[:40])
    freeze(model.replace(near={**model.near, "program": -9.0}), made[:40], tmp_path)
    frozen = read_frozen(tmp_path)
    assert frozen is not None
    (ours,) = (r for r in blind_rows(made, frozen) if (r.distance, r.predictor) == (1.25, OURS))
    assert ours.scores["AUC"].value < 0.5


def test_without_a_frozen_model_there_is_nothing(tmp_path: Path) -> None:
    assert read_frozen(tmp_path) is None
