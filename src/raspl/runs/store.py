"""Runs on disk, and the small part of them that ships.

runs/NAME/…                     a run as `raspl train` leaves it, weights included
runs/predictions/…              what was predicted before training began
results/SCALE/runs/NAME.json    a finished run without weights, one line
results/SCALE/predictions/…     the same predictions
results/SCALE/figures/…         figures, and scorecard.md beside them
"""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from raspl.files import write_text
from raspl.runs.costs import twin
from raspl.runs.records import Record
from raspl.studies.scales import FIRST_SEED
from raspl.training.configuration import RESULT, Configuration, Scale, TrainingError

LOGGED = 400
"""Lines of a training curve that ship: all of the evaluations, and as many losses as this."""


def finished(root: Path, config: Configuration) -> Record | None:
    """A run that is done, or None."""
    from raspl.runs.folder import Run

    folder = root / config.name
    result = Run(config, folder).finished()
    if result is None:
        return None
    curve, costs = lines(folder / "metrics.jsonl"), lines(folder / "cost.jsonl")
    return Record(
        config=config,
        result=result,
        curve=thinned(curve),
        seconds=round(spent(costs, config.steps), 3),
        sittings=len(costs),
        threads=max((one["threads"] for one in costs), default=1),
        device=costs[-1]["device"] if costs else "cpu",
    )


def spent(costs: list[dict[str, Any]], steps: int) -> float:
    """Seconds of all sittings. A killed one left no line: its steps cost what the others did."""
    covered = sum(one["to"] - one["from"] for one in costs)
    seconds = float(sum(one["seconds"] for one in costs))
    return seconds * steps / covered if 0 < covered < steps else seconds


def lines(path: Path) -> list[dict[str, Any]]:
    """A file of JSON lines; a torn one is as good as none."""
    found: list[dict[str, Any]] = []
    try:
        content = path.read_text()
    except FileNotFoundError:
        return found
    for line in content.splitlines():
        with suppress(ValueError):
            found.append(json.loads(line))
    return found


def last_step(root: Path, config: Configuration) -> int:
    """How far a run has come, from the end of its metrics file."""
    path = root / config.name / "metrics.jsonl"
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - 4096, 0))
            tail = file.read().splitlines()
    except FileNotFoundError:
        return 0
    for line in reversed(tail):
        try:
            return int(json.loads(line)["step"])
        except (ValueError, KeyError, TypeError):
            continue
    return 0


def last_scores(root: Path, config: Configuration) -> str:
    """The newest exact matches of a run on its way, in words."""
    for line in reversed(lines(root / config.name / "metrics.jsonl")):
        if "scores" in line:
            scores = line["scores"]
            several = len({one["on"] for one in scores}) > 1
            return ", ".join(
                f"{one['exact']:.0%} at {one['length']}" + (f" {one['on']}" if several else "")
                for one in scores
            )
    return ""


def thinned(curve: list[dict[str, Any]]) -> list[dict[str, Any]]:
    every = max(len(curve) // LOGGED, 1)
    return [one for place, one in enumerate(curve) if place % every == 0 or "scores" in one]


def shipped(results: Path, config: Configuration) -> Record | None:
    """A run that ships, or None; one of another version is as good as none."""
    path = results / config.scale / "runs" / f"{config.name}.json"
    try:
        record = Record.from_json(json.loads(path.read_text()))
        return record if record.result.keys() >= RESULT else None
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise TrainingError(f"{path} is damaged; `git checkout` mends it, or delete it.") from None


def ship(results: Path, record: Record) -> Path:
    path = results / record.config.scale / "runs" / f"{record.config.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(record.as_json(), separators=(",", ":")) + "\n")
    return path


def collect(
    configs: Iterable[Configuration], root: Path | None, results: Path | None
) -> dict[str, Record]:
    """Finished runs by name: the user's own, else those that ship."""
    found = {}
    for config in configs:
        record = finished(root, config) if root is not None else None
        if record is None and results is not None:
            record = shipped(results, config)
        if record is not None:
            found[config.name] = record
    return found


def drop_stale(results: Path, scale: Scale, wanted: Iterable[Configuration]) -> list[Path]:
    """Delete shipped runs that no study asks for any more, whatever the number of seeds."""
    twins = {twin(config) for config in wanted}
    stale = []
    for path in sorted((results / scale / "runs").glob("*.json")):
        try:
            config = Record.from_json(json.loads(path.read_text())).config
            asked_for = twin(config) in twins and config.seed >= FIRST_SEED
        except (ValueError, KeyError, TypeError, AttributeError, TrainingError):  # of an older one
            asked_for = False
        if not asked_for:
            path.unlink()
            stale.append(path)
    return stale
