"""What `raspl predict` says of a task, written down before its training starts.

A prediction is stored once and never overwritten, so that no outcome can influence it.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

from raspl.files import write_text
from raspl.learning.configuration import Configuration

ABSENT = "This installation can't predict: it has no raspl.theory.predict."


@dataclass(frozen=True)
class Prediction:
    task: str
    scale: str
    verdict: str
    """will generalise, will not, or unknown."""
    reasons: tuple[str, ...]
    made: str
    """When, in UTC."""


def path_of(folder: Path, task: str, scale: str) -> Path:
    return folder / "predictions" / f"{task}-{scale}.json"


def stored(folder: Path, task: str, scale: str) -> Prediction | None:
    try:
        record: dict[str, Any] = json.loads(path_of(folder, task, scale).read_text())
    except (FileNotFoundError, ValueError):
        return None
    return Prediction(**{**record, "reasons": tuple(record["reasons"])})


def store(folder: Path, prediction: Prediction) -> None:
    path = path_of(folder, prediction.task, prediction.scale)
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {**vars(prediction), "reasons": list(prediction.reasons)}
    write_text(path, json.dumps(record, indent=2) + "\n")


def predict_before(root: Path, configs: Iterable[Configuration]) -> str:
    """Predict every task that has no prediction and no training yet; a sentence if that can't be.

    A task whose training has begun is left without: a prediction after the fact is none.
    """
    by_task: dict[str, list[Configuration]] = {}
    for config in configs:
        by_task.setdefault(config.task, []).append(config)
    open_tasks = [
        task
        for task, runs in by_task.items()
        if stored(root, task, runs[0].scale) is None
        and not any((root / run.name).exists() for run in runs)
    ]
    if not open_tasks:
        return ""
    try:
        predict = import_module("raspl.theory.predict").predict
    except ModuleNotFoundError:
        return ABSENT
    for task in open_tasks:
        config = by_task[task][0]
        said = predict(config.build_task(), max_length=config.max_length)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        verdict, reasons = str(said.verdict), tuple(map(str, said.reasons))
        store(root, Prediction(task, config.scale, verdict, reasons, now))
    return ""
