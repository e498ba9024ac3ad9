"""How good forecasts are, for the report: from the scores that `raspl bench score` wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from raspl.benchmark.cases import Home
from raspl.benchmark.scores_file import read_scores
from raspl.benchmark.scoring import OURS, Row, best_rival
from raspl.prediction.forecast.scores import Interval
from raspl.words import percent


def shown(results: Path | None) -> dict[str, Any] | None:
    """Tables and figures of the forecasts that ship with some results; None if there are none."""
    if results is None:
        return None
    home = Home(results / "forecast")
    rows = read_scores(home.folder)
    if not rows:
        return None
    return {
        "rows": list(_lines(rows)),
        "pictures": [
            path.read_text(encoding="utf-8") for path in sorted(home.figures.glob("*.svg"))
        ],
    }


def _lines(rows: Sequence[Row]) -> Iterator[dict[str, str]]:
    """A line for each suite and distance, ours beside the best of the rivals."""
    for ours in (row for row in rows if row.predictor == OURS):
        best = best_rival(rows, ours)
        yield {
            "suite": ours.suite,
            "distance": f"{ours.distance:g} ×",
            "tasks": str(ours.tasks),
            "happened": percent(ours.happened),
            "accuracy": _with_interval(ours.scores["accuracy"]),
            "auc": _with_interval(ours.scores["AUC"]),
            "calibration": f"{ours.scores['calibration error'].value:.2f}",
            "rival": "–" if best is None else _rival(best),
        }


def _rival(row: Row) -> str:
    auc = row.scores["AUC"].value
    ranked = "" if auc != auc else f", AUC {auc:.2f}"  # not a number where all came out alike
    return f"{row.predictor}: {percent(row.scores['accuracy'].value)}{ranked}"


def _with_interval(score: Interval) -> str:
    if score.value != score.value:
        return "–"
    return f"{score.value:.2f} ({score.low:.2f} to {score.high:.2f})"
