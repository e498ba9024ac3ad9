"""Where predictions are written and read.

FOLDER/predictions/TASK-SCALE.json   of a run's root or of results/SCALE: one for a task and scale,
                                     which no later one of the same parameters replaces, so that
                                     no outcome can influence it
FOLDER/DATE-TASK-NUMBER.json         of `raspl predict`: a file of its own for every prediction
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from raspl.errors import RasplError
from raspl.files import write_text
from raspl.prediction.prediction import Prediction
from raspl.prediction.wording import forecast_lengths
from raspl.tasks.shipped import Value
from raspl.validated import what_is_wrong
from raspl.words import file_name


def path_of(folder: Path, task: str, scale: str) -> Path:
    """The file of what was predicted of a task at a scale."""
    return folder / "predictions" / f"{task}-{scale}.json"


def stored(
    folder: Path, task: str, parameters: Mapping[str, Value], scale: str
) -> Prediction | None:
    """What was predicted of a task with these parameters; None if it can't be read."""
    found = _there(path_of(folder, task, scale))
    return found if found is not None and found.parameters == dict(parameters) else None


def store(folder: Path, prediction: Prediction, scale: str) -> None:
    """Write a prediction down, unless an earlier one of the same task and parameters is there."""
    path = path_of(folder, prediction.task, scale)
    there = _there(path)
    same = there is not None and there.parameters == prediction.parameters
    if there is not None and same and there.made <= prediction.made:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, _text(prediction))


def write(prediction: Prediction, folder: Path) -> Path:
    """A file of its own for each prediction, by date and task; none is ever overwritten."""
    folder.mkdir(parents=True, exist_ok=True)
    date = prediction.made[:10]
    task, number = file_name(prediction.task), 1
    while (path := folder / f"{date}-{task}-{number}.json").exists():
        number += 1
    write_text(path, _text(prediction))
    return path


def read(path: str | Path) -> Prediction:
    """A prediction that was written down."""
    try:
        return Prediction.model_validate_json(Path(path).read_text(encoding="utf-8"))
    except ValidationError as error:
        raise RasplError(
            f"{path} is not a prediction that this version reads: {what_is_wrong(error)}"
        ) from None


def brief(prediction: Prediction) -> str:
    """The forecast and what it rests on, as JSON for other programs."""
    made, program, shortcut = prediction.forecast, prediction.cheapest, prediction.shortcut
    lengths = {} if made is None else forecast_lengths(prediction, made)
    chances = {} if made is None else made.probability
    return json.dumps(
        {
            "task": prediction.task,
            "trained_to": prediction.trained_to,
            "probability": {
                f"{d:g}": None if length is None else round(chances[d], 4)
                for d, length in lengths.items()
            },
            "lengths": {f"{d:g}": length for d, length in lengths.items()},
            "reach": None if made is None else made.reach,
            "program": None if program is None else program.source,
            "shortcut": None if shortcut is None else shortcut.source,
            "counterexample": None if shortcut is None else shortcut.failure,
            "impossible": prediction.impossible,
            "exhausted": prediction.exhausted,
            "conjecture": prediction.verdict,
            "seconds": prediction.seconds,
        },
        indent=2,
        ensure_ascii=False,
    )


def _there(path: Path) -> Prediction | None:
    try:
        return read(path)
    except (FileNotFoundError, UnicodeDecodeError, RasplError):
        return None


def _text(prediction: Prediction) -> str:
    # Unset fields stay out: a later version may well know a better default for what was not kept.
    return prediction.model_dump_json(indent=2, exclude_unset=True) + "\n"
