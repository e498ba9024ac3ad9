"""The conjecture's scorecard: what was predicted of each task, and what training showed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from raspl.prediction.prediction import Prediction
from raspl.prediction.store import stored
from raspl.runs.records import RunRecord
from raspl.studies.catalogue import study_of
from raspl.studies.claims import Claim
from raspl.studies.evidence import Evidence, Sample
from raspl.studies.study import Arm
from raspl.tasks import SHIPPED, Scale

SAID = {"will generalise": "generalises", "will not": "does not"}
"""What a prediction says of the outcome; one that is unknown says nothing."""


@dataclass(frozen=True)
class Line:
    task: str
    prediction: Prediction | None
    has_program: bool
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
        said = SAID.get(self.predicted)
        return None if said is None or self.outcome not in SAID.values() else self.outcome == said


def arms_of_all_tasks() -> tuple[Arm, ...]:
    """Every task that ships, at its own training length."""
    return tuple(Arm(name, name) for name in SHIPPED)


def scorecard(
    scale: Scale,
    seeds: int,
    records: Mapping[str, RunRecord],
    folders: tuple[Path, ...],
    arms: tuple[Arm, ...],
) -> list[Line]:
    """A line a task: the paper's, and others that were run.

    Of a task's predictions in the folders the earliest counts: all runs came later.
    """
    evidence = Evidence(study_of("headline"), scale, seeds, records)
    lines = [line_of(arm, evidence, folders) for arm in arms]
    return [line for line in lines if line.sample.values or SHIPPED[line.task].is_of_the_paper]


def line_of(arm: Arm, evidence: Evidence, folders: tuple[Path, ...]) -> Line:
    lengths = evidence.lengths(arm)
    sample = evidence.sample(arm, lengths.own, lengths.target)
    values = arm.configuration(evidence.scale, lengths.own, 0).parameters
    found = (stored(folder, arm.task, values, evidence.scale) for folder in folders)
    made = [prediction for prediction in found if prediction is not None]
    prediction = min(made, key=lambda one: one.made, default=None)
    return Line(arm.task, prediction, arm.has_program, sample, evidence.outcome(sample))


def stands(claim: Claim, lines: Sequence[Line]) -> str:
    """Whether what was predicted of a claim's tasks is what its runs show: yes, no, or nothing.

    Only conditions about whether a task generalises count, and only those that are decided.
    """
    predicted = {line.task: SAID.get(line.predicted) for line in lines}
    compared = [
        (finding.task, finding.outcome == predicted[finding.task])
        for finding in claim.findings
        if predicted.get(finding.task) is not None and finding.outcome in SAID.values()
    ]
    wrong = dict.fromkeys(task for task, agrees in compared if not agrees)
    if wrong:
        return f"no: {', '.join(wrong)}"
    return "yes" if compared else ""
