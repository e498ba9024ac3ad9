"""Conditions on runs, of which claims are made. Each gives a verdict with its numbers.

A condition that most runs can't decide, since they did not learn their own training distribution,
is "not converged": neither refuted nor, however good they are beyond it, met. A model that has
learned little but to carry gets all hard carries right. A condition on which the seeds don't agree
is "undecided": an interval around the median has its threshold inside (studies/intervals.py).
"""

from dataclasses import dataclass
from math import inf, isinf
from typing import Literal

from raspl.studies.conditions import (
    Check,
    Far,
    Place,
    Samples,
    apart,
    beside,
    sample_of,
    trained_to,
)
from raspl.studies.evidence import Evidence, Sample, Where
from raspl.studies.intervals import FEWEST
from raspl.studies.study import Arm
from raspl.studies.verdicts import Outcome, Verdict
from raspl.studies.wording import described, shortly, steps_described, steps_shortly
from raspl.tasks.generalisation import FAILS, GENERALISES
from raspl.words import percent

FITTED = 0.9
"""Exact match at the longest training length whose first time is a run's training speed."""
NEAR = 0.05
"""A claim about every seed hangs on one of them. So near to the threshold that one decides nothing:
the same seed got 89 % on one processor and 94 % on another."""
SOME = 0.2
"""That some runs do what a claim says is refuted only where fewer than one in five would."""
DOUBT = 0.1
"""How likely it may be that no seed shows what so many should, before that counts against it."""


@dataclass(frozen=True)
class OfOneArm(Check):
    """What one arm does at one place."""

    arm: Arm
    place: Place = "own"
    far: Far = "target"

    @property
    def task(self) -> str:
        return self.arm.task if self.arm.is_as_predicted else ""

    def samples(self, evidence: Evidence) -> Samples:
        return (sample_of(evidence, self.arm, self.place, self.far),)

    def part(self, samples: Samples) -> str:
        return samples[0].short_name


@dataclass(frozen=True)
class AtLeast(OfOneArm):
    """An arm generalises: the median of its seeds, all of them, or some."""

    share: float = GENERALISES
    of: Literal["median", "all", "some"] = "median"
    paper: str = ""
    expected: Outcome | None = "generalises"

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        who = {"median": "median", "all": "every seed", "some": "at least one seed"}[self.of]
        return f"{samples[0].name}: {who} ≥ {percent(self.share)}"

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        (sample,) = samples
        if self.of == "median":
            return reaches(sample, self.share)
        return (all_reach if self.of == "all" else some_reach)(sample, self.share)


def reaches(sample: Sample, share: float) -> Verdict:
    if not sample.settled:
        return Verdict.NOT_CONVERGED
    return Verdict.UNDECIDED if sample.has_few else beside(sample.interval, share)


def all_reach(sample: Sample, share: float) -> Verdict:
    worst = min(sample.completed, default=inf)
    if worst < share - NEAR:
        return Verdict.NOT_REPRODUCED
    if not all(sample.converged):
        return Verdict.NOT_CONVERGED
    clear = worst >= share + NEAR and not sample.has_few
    return Verdict.REPRODUCED if clear else Verdict.UNDECIDED


def some_reach(sample: Sample, share: float) -> Verdict:
    best = max(sample.completed, default=-inf)
    if best >= share + NEAR or sum(value >= share for value in sample.completed) >= FEWEST:
        return Verdict.REPRODUCED
    if not all(sample.converged):
        return Verdict.NOT_CONVERGED
    none = best < share - NEAR and (1 - SOME) ** len(sample.values) <= DOUBT
    return Verdict.NOT_REPRODUCED if none else Verdict.UNDECIDED


@dataclass(frozen=True)
class AtMost(OfOneArm):
    """An arm does not generalise: no better than a guess, within a tolerance."""

    share: float = FAILS
    of: Literal["median", "all"] = "median"
    fits: bool = True
    """False where the claim is that a model does not even fit its training distribution."""
    paper: str = ""
    expected: Outcome | None = "does not"

    def guess(self, evidence: Evidence, sample: Sample) -> float:
        return evidence.guess(self.arm, sample.trained_to, sample.tested_at)

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        guess = self.guess(evidence, samples[0])
        words = f" (a guess gets {percent(guess)})" if guess >= 0.005 else ""
        excuse = "" if self.fits else "; not expected to fit its training data"
        who = {"median": "median", "all": "every seed"}[self.of]
        return f"{samples[0].name}: {who} ≤ {percent(guess + self.share)}{words}{excuse}"

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        (sample,) = samples
        most = self.guess(evidence, sample) + self.share
        if self.of == "all":
            return self.none_exceeds(sample, most)
        if self.fits and not sample.settled:
            return Verdict.NOT_CONVERGED
        if sample.has_few:
            return Verdict.UNDECIDED
        if sample.interval.high <= most:
            return Verdict.REPRODUCED
        return Verdict.NOT_REPRODUCED if sample.interval.low > most else Verdict.UNDECIDED

    def none_exceeds(self, sample: Sample, most: float) -> Verdict:
        if max(sample.completed, default=-inf) > most + NEAR:
            return Verdict.NOT_REPRODUCED
        if max(sample.values) > most + NEAR or (self.fits and not sample.settled):
            return Verdict.NOT_CONVERGED
        clear = max(sample.values) <= most - NEAR and len(sample.values) >= FEWEST
        return Verdict.REPRODUCED if clear else Verdict.UNDECIDED


@dataclass(frozen=True)
class Below(Check):
    """One arm does worse than another, by a margin; a negative one allows for a little better."""

    worse: Arm
    better: Arm
    place: Place = "own"
    far: Far = "target"
    margin: float = 0.1
    paper: str = ""

    def samples(self, evidence: Evidence) -> Samples:
        arms = (self.worse, self.better)
        return tuple(sample_of(evidence, arm, self.place, self.far) for arm in arms)

    def part(self, samples: Samples) -> str:
        return self.worse.label

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        by = f"by {percent(self.margin)} or more" if self.margin >= 0 else "or hardly better"
        return f"{samples[0].name} is below {samples[1].name}, {by}"

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        worse, better = samples
        return apart(worse, better, self.margin)


@dataclass(frozen=True)
class Rises(Check):
    """Longer training examples carry further, or all the way."""

    arm: Arm
    far: Far = "farthest"
    paper: str = ""

    def samples(self, evidence: Evidence) -> Samples:
        places: tuple[Place, ...] = ("longest", "shortest")
        return tuple(sample_of(evidence, self.arm, place, self.far) for place in places)

    def part(self, samples: Samples) -> str:
        return f"{self.arm.label}, longer training carries further"

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        high, low = samples
        return f"{high.name} is above {low.name}, or ≥ {percent(GENERALISES)}"

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        high, low = samples
        if reaches(high, GENERALISES) is Verdict.REPRODUCED:
            return Verdict.REPRODUCED
        if not (low.settled and high.settled):
            return Verdict.NOT_CONVERGED
        if low.has_few or high.has_few:
            return Verdict.UNDECIDED
        gain = high.interval - low.interval
        if gain.low > 0:
            return Verdict.REPRODUCED
        return Verdict.NOT_REPRODUCED if gain.high <= 0 else Verdict.UNDECIDED


@dataclass(frozen=True)
class Faster(Check):
    """One format is learned in fewer steps than another."""

    fast: Arm
    slow: Arm
    paper: str = ""

    def samples(self, evidence: Evidence) -> Samples:
        return tuple(evidence.steps(arm, FITTED) for arm in (self.fast, self.slow))

    def part(self, samples: Samples) -> str:
        return f"{self.fast.label} before {self.slow.label}"

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        return (
            f"{self.fast.label} reaches {percent(FITTED)} at its longest training length "
            f"in fewer steps than {self.slow.label}"
        )

    def numbers(self, samples: Samples) -> str:
        return " against ".join(map(steps_described, samples))

    def ours(self, samples: Samples) -> str:
        return " against ".join(map(steps_shortly, samples))

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        fast, slow = (sample.interval for sample in samples)
        if isinf(fast.middle) and isinf(slow.middle):
            return Verdict.NOT_CONVERGED
        if any(sample.has_few for sample in samples):
            return Verdict.UNDECIDED
        if fast.high < slow.low:
            return Verdict.REPRODUCED
        return Verdict.NOT_REPRODUCED if fast.low >= slow.high else Verdict.UNDECIDED


@dataclass(frozen=True)
class NeverFits(Check):
    """A format is not even learned in distribution."""

    arm: Arm
    paper: str = ""

    def samples(self, evidence: Evidence) -> Samples:
        return (evidence.steps(self.arm, FITTED),)

    def part(self, samples: Samples) -> str:
        return f"{self.arm.label} never fits"

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        return f"{self.arm.label} never reaches {percent(FITTED)} at its longest training length"

    def numbers(self, samples: Samples) -> str:
        return steps_described(samples[0])

    def ours(self, samples: Samples) -> str:
        return steps_shortly(samples[0])

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        (sample,) = samples
        if not all(map(isinf, sample.values)):
            return Verdict.NOT_REPRODUCED
        return Verdict.UNDECIDED if sample.has_few else Verdict.REPRODUCED


@dataclass(frozen=True)
class PassesTest(Check):
    """A counterfactual test is passed, in or out of distribution."""

    arm: Arm
    test: str
    where: Where
    share: float = GENERALISES
    paper: str = ""

    def samples(self, evidence: Evidence) -> Samples:
        trained = trained_to(evidence, self.arm, "longest")
        return (evidence.passed(self.arm, trained, self.test, self.where),)

    def part(self, samples: Samples) -> str:
        words = self.arm.counterfactual_tests[self.test]
        return f"“{words}” {self.where} the training lengths"

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        return (
            f"{self.arm.label} (trained to {samples[0].trained_to}) {self.test.replace('_', ' ')} "
            f"on random sequences, {self.where} the training lengths: median ≥ "
            f"{percent(self.share)}"
        )

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        return reaches(samples[0], self.share)


@dataclass(frozen=True)
class Follows(Check):
    """Where a shortcut is wrong, a model says what the shortcut says rather than what is right."""

    arm: Arm
    further: int
    """The test length, counted from the training length."""
    margin: float = 0.1
    paper: str = ""

    def samples(self, evidence: Evidence) -> Samples:
        trained = trained_to(evidence, self.arm, "own")
        return evidence.compared(self.arm, trained, trained + self.further)

    def part(self, samples: Samples) -> str:
        return samples[0].short_name

    def sentence(self, evidence: Evidence, samples: Samples) -> str:
        return (
            f"{samples[0].name}: where the shortcut is wrong, the model says what the shortcut "
            f"says more often than what is right, by {percent(self.margin)} or more"
        )

    def numbers(self, samples: Samples) -> str:
        return f"as the shortcut: {described(samples[0])}; right: {described(samples[1])}"

    def ours(self, samples: Samples) -> str:
        return f"{shortly(samples[0])} as the shortcut, {shortly(samples[1])} right"

    def decided(self, evidence: Evidence, samples: Samples) -> Verdict:
        like_program, like_truth = samples
        return apart(like_truth, like_program, self.margin)
