"""The model behind forecasts: fitted to all that came out, and written with its provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from raspl.benchmark.judging import Case, fitted
from raspl.files import write_text
from raspl.prediction.forecast import forecast
from raspl.prediction.forecast.model import RIDGE, Model

DIGITS = 4


def fit_model(cases: Sequence[Case]) -> Model:
    """Coefficients to four digits (adding 0.0 makes -0.0 0.0), with what they were fitted on."""
    model = fitted(cases)
    tasks = Counter(case.suite for case in cases)
    runs = sum(len(case.outcomes) for case in cases)
    return model.replace(
        near={name: round(value, DIGITS) + 0.0 for name, value in model.near.items()},
        fading={name: round(value, DIGITS) + 0.0 for name, value in model.fading.items()},
        provenance={
            "fitted": datetime.now(UTC).isoformat(timespec="seconds"),
            **{f"tasks, {suite}": number for suite, number in tasks.items()},
            "outcomes": runs,
            "ridge": RIDGE,
        },
    )


def write_model(model: Model, path: Path | None = None) -> Path:
    """Where forecasts look for it, unless told otherwise."""
    path = path or Path(forecast.__file__).with_name(forecast.MODEL)
    write_text(path, model.model_dump_json(indent=2) + "\n")
    return path
