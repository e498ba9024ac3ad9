"""Will a Transformer that is trained on short examples of a task get long ones right?

The verdict follows the paper's conjecture, made before any training: a program must exist
(realizability), be short in RASP-L (simplicity), and be the shortest that fits the training data
(diversity). It is what the conjecture says, not what is true: see the docs for where they differ.

The paper types counts so that they can't stand in for the index arithmetic that it forbids, and
says that its rules may not achieve this. Where they don't, the letter of the language and what it
was meant to be differ, and a prediction has two readings. If those disagree it is "unknown".
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from raspl.files import write_text
from raspl.prediction.rivals.sensitivity import predictors
from raspl.prediction.survival import longer_lengths
from raspl.prediction.verdict import Judged, Reading, Verdict, compares_counts, reading
from raspl.synthesis.engine import Result, Settings, search
from raspl.synthesis.examples import Source

THRESHOLD = 0.9
"""The exact match at +25 % of the training length from which a run counts as generalising."""
BEYOND = 1.25
CONVERGED = 0.99
LETTER, INTENT = "letter", "intent"


@dataclass(frozen=True)
class Prediction:
    """A verdict with its reasons, written down before training."""

    task: str
    made: str
    verdict: Verdict
    readings: Mapping[str, Reading]
    """`letter`: all that the language allows; `intent`: without selectors that compare counts,
    where the letter's program has one."""
    trained_from: int
    trained_to: int
    looked_at: tuple[int, ...]
    """The lengths of the test distribution at which programs were tried, and nothing else was."""
    threshold: float
    predictors: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]

    def compare(self, exact: Mapping[int, float]) -> bool | None:
        """Whether a training run bears the prediction out, given its exact match by length.

        None where nothing can be said: the verdict is unknown, the run did not fit the training
        lengths (it has not converged), or the length that counts is missing.
        """
        length = round(BEYOND * self.trained_to)
        if self.verdict == "unknown" or exact.get(self.trained_to, 0.0) < CONVERGED:
            return None
        if length not in exact:
            return None
        return (exact[length] >= self.threshold) == (self.verdict == "will generalise")


def predict(
    source: Source, settings: Settings, run: Callable[[Source, Settings], Result] = search
) -> Prediction:
    """Search a task's training lengths and say what the conjecture makes of it."""
    result = run(source, settings)
    readings = {LETTER: reading(source, result)}
    if result.finds and compares_counts(result.finds[0].term):
        strict = run(source, replace(settings, count_selects=False))
        readings[INTENT] = reading(source, strict)
    verdicts = {one.verdict for one in readings.values()}
    lowest = settings.min_length or source.lengths[0]
    lengths = sorted({lowest, settings.max_length})
    return Prediction(
        task=source.name,
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        verdict=verdicts.pop() if len(verdicts) == 1 else "unknown",
        readings=readings,
        trained_from=lowest,
        trained_to=settings.max_length,
        looked_at=tuple(longer_lengths(source, settings.max_length)),
        threshold=THRESHOLD,
        predictors=tuple(asdict(predictors(source, n, settings.seed)) for n in lengths),
        settings=asdict(settings),
    )


def write(prediction: Prediction, folder: Path) -> Path:
    """A file of its own for each prediction, by date and task; none is ever overwritten."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = prediction.made[:10]
    number = 1
    while (path := folder / f"{stamp}-{prediction.task}-{number}.json").exists():
        number += 1
    write_text(path, json.dumps(asdict(prediction), indent=2, ensure_ascii=False) + "\n")
    return path


def read(path: Path) -> Prediction:
    """A prediction that was written down."""
    data = json.loads(path.read_text(encoding="utf-8"))
    for name, one in data["readings"].items():
        one["programs"] = tuple(
            Judged(**{**program, "exact": {int(n): v for n, v in program["exact"].items()}})
            for program in one["programs"]
        )
        data["readings"][name] = Reading(**one)
    for name in ("looked_at", "predictors"):
        data[name] = tuple(data[name])
    return Prediction(**data)
