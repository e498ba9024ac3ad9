"""The conjecture's scorecard: what was predicted of each task, and what training showed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from raspl.runs.records import Record
from raspl.studies.catalogue import (
    ADDITION,
    ADDITION_FORWARD,
    ADDITION_PLAIN,
    CONJUNCTION,
    COUNT,
    MODE,
    MODE_APPEARANCE,
    MODE_FREQUENCY,
    PARITY,
    PARITY_PLAIN,
    PARITY_SUM,
    REPEAT,
    SORT,
    UNIQUE,
    study_of,
)
from raspl.studies.checks import FAILS, GENERALISES
from raspl.studies.evidence import Evidence, Sample
from raspl.studies.predictions import Prediction, stored
from raspl.studies.study import Arm
from raspl.training.configuration import Scale

TASKS = (
    COUNT, MODE, UNIQUE, SORT, ADDITION, ADDITION_FORWARD, PARITY, CONJUNCTION,
    MODE_FREQUENCY, MODE_APPEARANCE, REPEAT, ADDITION_PLAIN, PARITY_SUM, PARITY_PLAIN,
)  # fmt: skip


DECIDED = ("generalises", "does not")


@dataclass(frozen=True)
class Line:
    task: str
    prediction: Prediction | None
    program: bool
    """Whether a RASP-L program ships for it: the paper's own prediction."""
    sample: Sample
    outcome: str

    @property
    def predicted(self) -> str:
        if self.prediction is not None:
            return self.prediction.verdict
        return "none stored"

    @property
    def agrees(self) -> bool | None:
        """None if there is nothing to compare: what was not learned says nothing of either."""
        said = {"will generalise": "generalises", "will not": "does not"}.get(self.predicted)
        return None if said is None or self.outcome not in DECIDED else self.outcome == said


def outcome_of(sample: Sample, guess: float, guess_inside: float) -> str:
    """In two words; `guess` is what one is worth at the test length, and inside training."""
    if not sample.values:
        return "not run"
    if sample.shows(GENERALISES):
        return "generalises"
    if not sample.settled:
        at_chance = median(sample.fitted) <= guess_inside + FAILS
        return "not learned" if at_chance else "not converged"
    return "does not" if sample.median <= guess + FAILS else "in part"


def scorecard(
    scale: Scale,
    seeds: int,
    records: Mapping[str, Record],
    folders: tuple[Path, ...],
    arms: tuple[Arm, ...] = TASKS,
) -> list[Line]:
    """A line a task. Of its predictions in the folders the earliest counts: all runs came later."""
    evidence = Evidence(study_of("headline"), scale, seeds, records)
    lines = []
    for arm in arms:
        lengths = evidence.lengths(arm)
        sample = evidence.sample(arm, lengths.own, lengths.target)
        config = arm.configuration(scale, lengths.own, 0)
        found = [one for folder in folders if (one := stored(folder, config)) is not None]
        prediction = min(found, key=lambda one: one.made, default=None)
        guesses = (evidence.guess(arm, lengths.own, at) for at in (lengths.target, lengths.own))
        lines.append(Line(arm.task, prediction, arm.program, sample, outcome_of(sample, *guesses)))
    return lines
