"""What a condition on runs is, and what conditions are made of."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Literal, TypeAlias

from raspl.studies.evidence import Evidence, Sample
from raspl.studies.intervals import FEWEST, Interval
from raspl.studies.study import Arm
from raspl.studies.verdicts import DECIDED, Finding, Outcome, Verdict
from raspl.studies.wording import described, shortly

Place: TypeAlias = int | Literal["own", "shortest", "longest", "three quarters", "speed"]
Far: TypeAlias = int | Literal["target", "beyond", "farthest"]
Samples: TypeAlias = tuple[Sample, ...]


class Check(ABC):
    """A condition. Its verdict follows from its samples, which may be stretched to more seeds."""

    paper: str
    expected: Outcome | None = None

    @abstractmethod
    def samples(self, evidence: Evidence) -> Samples:
        """What it looks at."""

    @abstractmethod
    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        """The verdict, given every run."""

    @abstractmethod
    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        """The condition with its threshold."""

    @abstractmethod
    def part(self, samples: Samples) -> str:
        """What it is about, in a few words."""

    @property
    def task(self) -> str:
        """The task that the conjecture says something of, if this is about that."""
        return ""

    def middle(self, samples: Samples) -> float | None:
        """The median that it is about, of a condition on whether a task generalises."""
        return samples[0].median if self.expected and samples[0].values else None

    def numbers(self, samples: Samples) -> str:
        return " against ".join(map(described, samples))

    def ours(self, samples: Samples) -> str:
        return " against ".join(map(shortly, samples))

    def verdict(self, evidence: Evidence, samples: Samples) -> Verdict:
        if any(sample.missing for sample in samples):
            return Verdict.NOT_RUN
        return self.decided(evidence, samples)

    def judge(self, evidence: Evidence) -> Finding:
        samples = self.samples(evidence)
        verdict = self.verdict(evidence, samples)
        says = self.expected is not None and verdict in DECIDED
        return Finding(
            verdict,
            self.part(samples),
            self.sentence(evidence, samples),
            self.numbers(samples),
            self.ours(samples),
            self.paper,
            self.task,
            self.expected,
            evidence.outcome(samples[0]) if says else "",
            self.middle(samples),
            all(sample.is_at_the_papers_lengths for sample in samples),
        )

    def seeds_needed(self, evidence: Evidence, most: int) -> int | None:
        """With how many seeds it would be decided if they went on as they began; None if not."""
        samples = self.samples(evidence)
        if any(not sample.values for sample in samples):
            return FEWEST
        for seeds in range(evidence.seeds, most + 1):
            more = tuple(one.stretched(max(seeds, len(one.values))) for one in samples)
            if self.verdict(evidence, more) is not Verdict.UNDECIDED:
                return seeds
        return None


def beside(found: Interval, least: float) -> Verdict:
    """Whether all of an interval reaches a number, or nothing of it does."""
    if found.low >= least:
        return Verdict.REPRODUCED
    return Verdict.NOT_REPRODUCED if found.high < least else Verdict.UNDECIDED


def apart(lower: Sample, upper: Sample, margin: float) -> Verdict:
    """Whether one median is below another by a margin, as far as runs converged."""
    if not (lower.settled and upper.settled):
        return Verdict.NOT_CONVERGED
    if lower.has_few or upper.has_few:
        return Verdict.UNDECIDED
    return beside(upper.interval - lower.interval, margin)


def trained_to(evidence: Evidence, arm: Arm, place: Place) -> int:
    lengths = evidence.lengths(arm)
    trained = arm.trained(evidence.scale)
    if isinstance(place, int):
        return place
    return {
        "own": lengths.own if arm.only is None else arm.only,
        "shortest": trained[0],
        "longest": trained[-1],
        "three quarters": trained[-2] if len(trained) > 1 else trained[-1],
        "speed": lengths.speed,
    }[place]


def sample_of(evidence: Evidence, arm: Arm, place: Place, far: Far) -> Sample:
    lengths, trained = evidence.lengths(arm), trained_to(evidence, arm, place)
    if isinstance(far, int):
        return evidence.sample(arm, trained, far)
    tested = {
        "target": lengths.target,
        "beyond": lengths.beyond(trained),
        "farthest": lengths.tested[-1],
    }[far]
    return evidence.sample(arm, trained, tested)


def needed(checks: Sequence[Check], evidence: Evidence, most: int) -> int | None:
    """Seeds with which each of some conditions would be decided; None if one would not be."""
    found = [check.seeds_needed(evidence, most) for check in checks]
    return None if None in found else max((one for one in found if one is not None), default=0)
