"""What `raspl predict` says of a task, written down before its training starts.

There is one a task and scale, and a later one of the same parameters never replaces it, so that no
outcome can influence it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from raspl.files import write_text
from raspl.tasks.registry import Value
from raspl.training.configuration import Configuration

TERMS = ("realizability", "simplicity", "diversity")
"""The conjecture's three conditions."""


@dataclass(frozen=True)
class Prediction:
    task: str
    scale: str
    verdict: str
    """will generalise, will not, or unknown."""
    reasons: tuple[str, ...]
    made: str
    """When, in UTC."""
    parameters: Mapping[str, Value]
    """The task's, such as the size of its alphabet."""
    searched_to: int
    """The length up to which examples had to be explained: short ones, whatever runs train on."""


def path_of(folder: Path, task: str, scale: str) -> Path:
    return folder / "predictions" / f"{task}-{scale}.json"


def stored(folder: Path, config: Configuration) -> Prediction | None:
    """What was predicted of a run's task with the run's parameters, whatever its lengths."""
    found = read(path_of(folder, config.task, config.scale))
    return found if found is not None and found.parameters == dict(config.parameters) else None


def read(path: Path) -> Prediction | None:
    try:
        record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Prediction(**{**record, "reasons": tuple(record["reasons"])})
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None


def store(folder: Path, prediction: Prediction) -> None:
    """Write a prediction down, unless an earlier one of the same task and parameters is there."""
    path = path_of(folder, prediction.task, prediction.scale)
    there = read(path)
    same = prediction.parameters
    if there is not None and there.parameters == same and there.made <= prediction.made:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {**vars(prediction), "reasons": list(prediction.reasons)}
    write_text(path, json.dumps(record, indent=2) + "\n")


def predict_before(root: Path, configs: Iterable[Configuration], budget: float) -> list[str]:
    """Predict every task that has no prediction and no training yet; what could not be predicted.

    A task whose training has begun is left without: a prediction after the fact is none.
    """
    by_task: dict[str, list[Configuration]] = {}
    for config in configs:
        by_task.setdefault(config.task, []).append(config)
    wanted = [
        runs[0]
        for runs in by_task.values()
        if stored(root, runs[0]) is None and not begun(root, runs[0])
    ]
    if not wanted:
        return []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = pool.map(lambda config: predict(root, config, budget), wanted)
        return [sentence for sentence in said if sentence]


def begun(root: Path, config: Configuration) -> bool:
    """Has any run of the task at this scale, started?"""
    for path in root.glob(f"{config.task}-*/config.json"):
        with suppress(ValueError):
            record = json.loads(path.read_text(encoding="utf-8"))
            if all(record.get(key) == getattr(config, key) for key in ("task", "scale")):
                return True
    return False


def predict(root: Path, config: Configuration, budget: float) -> str:
    """`raspl predict` in a process of its own, as its search may take much memory."""
    folder = root / "predictions" / "full" / config.task
    folder.mkdir(parents=True, exist_ok=True)
    values = [f"--set={name}={value}" for name, value in config.parameters.items()]
    options = ["--budget", f"{budget:g}s", "--folder", str(folder), *values]
    command = [sys.executable, "-m", "raspl", "predict", config.task, *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    if ended.returncode or not files:
        reason = (ended.stderr.strip().splitlines() or ["no reason given"])[-1]
        return f"No prediction for {config.task}: {reason}"
    store(root, short(json.loads(files[-1].read_text(encoding="utf-8")), config))
    return ""


def short(record: dict[str, Any], config: Configuration) -> Prediction:
    """The verdict and its reasons, of all that a prediction's file says."""
    readings = record.get("readings") or {"": record}
    reasons = [
        f"{name}: {term}: {reading[term]}" if len(readings) > 1 else f"{term}: {reading[term]}"
        for name, reading in readings.items()
        for term in TERMS
        if reading.get(term)
    ]
    return Prediction(
        config.task,
        config.scale,
        str(record["verdict"]),
        tuple(reasons),
        str(record["made"]),
        dict(config.parameters),
        int(record["trained_to"]),
    )
