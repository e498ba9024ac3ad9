"""Conditions on runs, of which claims are made. Each gives a verdict with its numbers.

A condition that most runs can't decide, since they did not learn their own training distribution,
is "not converged": neither "fails" nor, however good they are beyond it, "holds". A model that has
learned little but to carry gets all hard carries right.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import inf, isinf
from statistics import median
from typing import Literal, Protocol, TypeAlias

from raspl.studies.evidence import Evidence, Sample, Where
from raspl.studies.study import Arm
from raspl.tasks.generalisation import FAILS, GENERALISES
from raspl.words import percent

FITTED = 0.9
"""Exact match at the longest training length whose first time is a run's training speed."""

Place: TypeAlias = int | Literal["own", "shortest", "longest", "three quarters", "speed"]
Far: TypeAlias = int | Literal["target", "beyond", "farthest"]


class Verdict(StrEnum):
    HOLDS = "holds"
    FAILS = "fails"
    NOT_CONVERGED = "not converged"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True)
class Finding:
    """One condition, judged."""

    verdict: Verdict
    sentence: str
    """The condition with its threshold."""
    numbers: str
    """What was measured: median, every seed, in-distribution exact match."""
    paper: str = ""
    """The paper's number for the same."""


class Check(Protocol):
    def judge(self, evidence: Evidence) -> Finding: ...


def describe(sample: Sample) -> str:
    if not sample.values:
        return "no run yet"
    seeds = ", ".join(percent(value) for value in sample.values)
    text = f"median {percent(sample.median)} (seeds: {seeds}; {in_distribution(sample)})"
    if sample.without_end and sample.without_end != sample.values:
        text += f"; without the end token {', '.join(map(percent, sample.without_end))}"
    return text + (f"; {sample.missing} runs missing" if sample.missing else "")


def in_distribution(sample: Sample) -> str:
    """Exact match on what was trained on, and at its greatest length alone."""
    fitted, longest = (
        ", ".join(map(percent, values)) for values in (sample.fitted, sample.longest)
    )
    alone = "" if longest == fitted else f"; at length {sample.trained_to}: {longest}"
    return f"in distribution: {fitted}{alone}"


def trained_to(evidence: Evidence, arm: Arm, place: Place) -> int:
    lengths = evidence.lengths(arm)
    trained = arm.trained(evidence.scale)
    if isinstance(place, int):
        return place
    return {
        "own": lengths.own,
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


@dataclass(frozen=True)
class AtLeast:
    """An arm generalises: the median of its seeds, all of them, or at least one."""

    arm: Arm
    place: Place = "own"
    far: Far = "target"
    share: float = GENERALISES
    of: Literal["median", "all", "some"] = "median"
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        sample = sample_of(evidence, self.arm, self.place, self.far)
        who = {"median": "median", "all": "every seed", "some": "at least one seed"}[self.of]
        sentence = f"{sample.name}: {who} ≥ {percent(self.share)}"
        return Finding(self.verdict(sample), sentence, describe(sample), self.paper)

    def verdict(self, sample: Sample) -> Verdict:
        if sample.missing:
            return Verdict.INCOMPLETE
        met = [value >= self.share for value in sample.completed]
        everyone = all(sample.converged)
        shown, refuted = {
            "median": (sample.shows(self.share), sample.settled),
            "all": (everyone and all(met), not all(met)),
            "some": (any(met), everyone),
        }[self.of]
        if shown:
            return Verdict.HOLDS
        return Verdict.FAILS if refuted else Verdict.NOT_CONVERGED


@dataclass(frozen=True)
class AtMost:
    """An arm does not generalise: no better than a guess, within a tolerance."""

    arm: Arm
    place: Place = "own"
    far: Far = "target"
    share: float = FAILS
    of: Literal["median", "all"] = "median"
    fits: bool = True
    """False where the claim is that a model does not even fit its training distribution."""
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        sample = sample_of(evidence, self.arm, self.place, self.far)
        guess = evidence.guess(self.arm, sample.trained_to, sample.tested_at)
        most = guess + self.share
        words = f" (a guess gets {percent(guess)})" if guess >= 0.005 else ""
        excuse = "" if self.fits else "; not expected to fit its training data"
        who = {"median": "median", "all": "every seed"}[self.of]
        sentence = f"{sample.name}: {who} ≤ {percent(most)}{words}{excuse}"
        return Finding(self.verdict(sample, most), sentence, describe(sample), self.paper)

    def verdict(self, sample: Sample, most: float) -> Verdict:
        if sample.missing:
            return Verdict.INCOMPLETE
        above = self.of == "all" and any(value > most for value in sample.values)
        if above and any(value > most for value in sample.completed):
            return Verdict.FAILS
        if above or (self.fits and not sample.settled):
            return Verdict.NOT_CONVERGED
        return Verdict.HOLDS if sample.median <= most else Verdict.FAILS


@dataclass(frozen=True)
class Below:
    """One arm does worse than another, by a margin; a negative one allows for a little better."""

    worse: Arm
    better: Arm
    place: Place = "own"
    far: Far = "target"
    margin: float = 0.1
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        worse, better = (
            sample_of(evidence, arm, self.place, self.far) for arm in (self.worse, self.better)
        )
        by = f"by {percent(self.margin)} or more" if self.margin >= 0 else "or hardly better"
        sentence = f"{worse.name} is below {better.name}, {by}"
        numbers = f"{describe(worse)} against {describe(better)}"
        return Finding(self.verdict(worse, better), sentence, numbers, self.paper)

    def verdict(self, worse: Sample, better: Sample) -> Verdict:
        if worse.missing or better.missing:
            return Verdict.INCOMPLETE
        if not (worse.settled and better.settled):
            return Verdict.NOT_CONVERGED
        lower = worse.median <= better.median - self.margin
        return Verdict.HOLDS if lower else Verdict.FAILS


@dataclass(frozen=True)
class Rises:
    """Longer training examples carry further, or all the way."""

    arm: Arm
    far: Far = "farthest"
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        low, high = (
            sample_of(evidence, self.arm, place, self.far) for place in ("shortest", "longest")
        )
        sentence = f"{high.name} is above {low.name}, or ≥ {percent(GENERALISES)}"
        numbers = f"{describe(high)} against {describe(low)}"
        return Finding(self.verdict(low, high), sentence, numbers, self.paper)

    def verdict(self, low: Sample, high: Sample) -> Verdict:
        if low.missing or high.missing:
            return Verdict.INCOMPLETE
        if high.shows(GENERALISES):
            return Verdict.HOLDS
        if not (low.settled and high.settled):
            return Verdict.NOT_CONVERGED
        return Verdict.HOLDS if high.median > low.median else Verdict.FAILS


@dataclass(frozen=True)
class Faster:
    """One format is learned in fewer steps than another."""

    fast: Arm
    slow: Arm
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        times = [steps_of(evidence, arm) for arm in (self.fast, self.slow)]
        sentence = (
            f"{self.fast.label} reaches {percent(FITTED)} at its longest training length "
            f"in fewer steps than {self.slow.label}"
        )
        numbers = " against ".join(steps_in_words(one) for one in times)
        return Finding(self.verdict(evidence, *times), sentence, numbers, self.paper)

    def verdict(self, evidence: Evidence, fast: list[float], slow: list[float]) -> Verdict:
        if len(fast) < evidence.seeds or len(slow) < evidence.seeds:
            return Verdict.INCOMPLETE
        if isinf(median(fast)) and isinf(median(slow)):
            return Verdict.NOT_CONVERGED
        return Verdict.HOLDS if median(fast) < median(slow) else Verdict.FAILS


@dataclass(frozen=True)
class NeverFits:
    """A format is not even learned in distribution."""

    arm: Arm
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        times = steps_of(evidence, self.arm)
        sentence = (
            f"{self.arm.label} never reaches {percent(FITTED)} at its longest training length"
        )
        verdict = Verdict.HOLDS if all(map(isinf, times)) else Verdict.FAILS
        if len(times) < evidence.seeds:
            verdict = Verdict.INCOMPLETE
        return Finding(verdict, sentence, steps_in_words(times), self.paper)


def steps_of(evidence: Evidence, arm: Arm) -> list[float]:
    runs = evidence.runs(arm, evidence.lengths(arm).speed)
    return [run.steps_to(FITTED) for run in runs]


def steps_in_words(times: list[float]) -> str:
    if not times:
        return "no run yet"
    words = ["never" if time == inf else f"{time:,.0f} steps" for time in times]
    middle = median(times)
    return f"median {'never' if middle == inf else f'{middle:,.0f} steps'} ({', '.join(words)})"


@dataclass(frozen=True)
class PassesTest:
    """A counterfactual test is passed, in or out of distribution."""

    arm: Arm
    test: str
    where: Where
    share: float = GENERALISES
    paper: str = ""

    def judge(self, evidence: Evidence) -> Finding:
        trained = trained_to(evidence, self.arm, "longest")
        sample = evidence.passed(self.arm, trained, self.test, self.where)
        sentence = (
            f"{self.arm.label} (trained to {trained}) {self.test.replace('_', ' ')} on random "
            f"sequences, {self.where} the training lengths: median ≥ {percent(self.share)}"
        )
        verdict = AtLeast(self.arm, share=self.share).verdict(sample)
        return Finding(verdict, sentence, describe(sample), self.paper)
