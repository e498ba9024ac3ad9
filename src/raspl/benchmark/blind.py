"""Blind scores: of a model that was frozen before the outcomes that it is scored on were there.

FOLDER/frozen.json   the coefficients, and the tasks whose outcomes were known when they were fitted

Cross-validation guards the coefficients. It does not guard the choice of features and of the
model's form, which is made by looking at scores. What came out after that choice does.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from raspl.benchmark.judging import PREDICTORS, Case, Judged, Predictor, fitted, observations
from raspl.benchmark.scoring import OURS, Row, rows_of
from raspl.files import write_text
from raspl.prediction.forecast.model import Model
from raspl.validated import Record

NAME = "frozen.json"


class Frozen(Record):
    """A model, and the tasks that it may have been chosen on."""

    model: Model
    tasks: tuple[str, ...]


def freeze(model: Model, cases: Sequence[Case], folder: Path) -> Path:
    """What comes out from now on is scored by this model too."""
    frozen = Frozen(model=model, tasks=tuple(case.entry.task for case in cases))
    path = folder / NAME
    write_text(path, frozen.model_dump_json(indent=1) + "\n")
    return path


def read_frozen(folder: Path) -> Frozen | None:
    path = folder / NAME
    if not path.exists():
        return None
    return Frozen.model_validate_json(path.read_text(encoding="utf-8"))


def blind_rows(cases: Sequence[Case], frozen: Frozen) -> list[Row]:
    """The frozen model on the tasks that came later, beside rivals fitted to the same tasks."""
    known = set(frozen.tasks)
    before = [case for case in cases if case.entry.task in known]
    after = [case for case in cases if case.entry.task not in known]
    if not before or not after:
        return []
    judged = {OURS: _judged(after, PREDICTORS[OURS], frozen.model)}
    for name, predictor in PREDICTORS.items():
        # Some rivals have nothing to say of most tasks.
        if name != OURS and observations(before, predictor):
            judged[name] = _judged(after, predictor, fitted(before, predictor))
    return list(rows_of(judged))


def _judged(cases: Sequence[Case], predictor: Predictor, model: Model) -> list[Judged]:
    return [
        Judged(case, outcome, model.probability(seen.features, seen.distance))
        for case, outcome, seen in observations(cases, predictor)
    ]
