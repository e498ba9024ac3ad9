"""The scores beside the predictions, so that a report need not take them again.

FOLDER/scores.json   a list of rows, as `scoring.Row` has them; null where there is no score
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from raspl.benchmark.scoring import Row
from raspl.files import write_text
from raspl.prediction.forecast.scores import Interval

NAME = "scores.json"
DIGITS = 4
BOUNDS = ("value", "low", "high")


def write_scores(rows: Sequence[Row], folder: Path) -> None:
    text = ",\n".join(json.dumps(_plain(row), ensure_ascii=False) for row in rows)
    write_text(folder / NAME, f"[\n{text}\n]\n")


def read_scores(folder: Path) -> list[Row]:
    """Of a folder of results; none if it was never scored."""
    path = folder / NAME
    if not path.exists():
        return []
    return [
        Row(**{**plain, **{key: _intervals(plain[key]) for key in ("scores", "ours_less_this")}})
        for plain in json.loads(path.read_text(encoding="utf-8"))
    ]


def _plain(row: Row) -> dict[str, Any]:
    return {
        **dict(row),
        "happened": round(row.happened, DIGITS),
        "scores": {name: _bounds(one) for name, one in row.scores.items()},
        "ours_less_this": {name: _bounds(one) for name, one in row.ours_less_this.items()},
    }


def _bounds(interval: Interval) -> list[float | None]:
    values = (getattr(interval, name) for name in BOUNDS)
    return [None if math.isnan(value) else round(value, DIGITS) for value in values]


def _intervals(plain: Mapping[str, Sequence[float | None]]) -> dict[str, Interval]:
    return {
        name: Interval(*(math.nan if value is None else value for value in bounds))
        for name, bounds in plain.items()
    }
