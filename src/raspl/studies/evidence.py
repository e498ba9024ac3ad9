"""The runs that a study's claim and figure are made from."""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, takewhile
from statistics import median
from typing import Literal, TypeAlias

import numpy as np

from raspl.runs.records import RunRecord
from raspl.studies.intervals import FEWEST, Interval, interval, stretched
from raspl.studies.scales import Lengths
from raspl.studies.study import Arm, Study
from raspl.tasks import Purpose, Scale, find, stream
from raspl.tasks.generalisation import FAILS, GENERALISES
from raspl.tasks.shipped import Value
from raspl.training.configuration import Configuration

GUESSED = 20_000
"""Examples that a task's chance level is taken from; the more, the less the commonest answer of a
sample exceeds its true share (of a fair coin by 0.3 percentage points)."""

Where: TypeAlias = Literal["inside", "outside"]
"""The training lengths."""


@dataclass(frozen=True)
class Sample:
    """One point of a figure: all seeds of an arm at one training and one test length."""

    arm: Arm
    trained_to: int
    tested_at: int
    values: tuple[float, ...]
    """A value a finished run."""
    fitted: tuple[float, ...]
    """In-distribution exact match of the same runs."""
    longest: tuple[float, ...]
    """The same at the longest training length alone."""
    converged: tuple[bool, ...]
    without_end: tuple[float, ...]
    """The same values if the end token may be wrong; empty for final answers."""
    missing: int
    of_few: int | None = None
    """How many test examples the values are shares of, where there are fewer than asked for."""

    @property
    def median(self) -> float:
        """Over the runs that were trained to completion, if most were; else over all."""
        return self.interval.middle

    @property
    def interval(self) -> Interval:
        """Around that median, over the same runs."""
        return interval(self.counted)

    @property
    def counted(self) -> Sequence[float]:
        return self.completed if self.settled else self.values

    @property
    def completed(self) -> list[float]:
        """Values of the runs that were trained to completion."""
        return [value for value, yes in zip(self.values, self.converged, strict=True) if yes]

    @property
    def settled(self) -> bool:
        """Did most runs learn their training distribution?"""
        return 2 * sum(self.converged) > len(self.converged)

    def shows(self, share: float) -> bool:
        """Is a share reached, by runs that were trained to completion?"""
        return self.settled and self.median >= share

    @property
    def has_few(self) -> bool:
        """Are there too few runs to decide anything?"""
        return len(self.counted) < FEWEST

    def stretched(self, seeds: int) -> "Sample":
        """As it would be with more seeds, if they went on like these."""
        order = sorted(range(len(self.values)), key=lambda place: self.values[place])
        chosen = [order[place] for place in stretched(len(order), seeds)]
        return replace(
            self,
            values=tuple(self.values[place] for place in chosen),
            converged=tuple(self.converged[place] for place in chosen),
            fitted=tuple(self.fitted[place] for place in chosen),
            longest=tuple(self.longest[place] for place in chosen),
            without_end=(),
            missing=0,
            of_few=None,
        )

    @property
    def is_at_the_papers_lengths(self) -> bool:
        """Whether the paper trains and tests at these lengths."""
        if not self.arm.is_of_the_paper:
            return False
        lengths, trained = self.arm.lengths("paper"), self.arm.trained("paper")
        tested = {*lengths.tested, lengths.beyond(self.trained_to), self.trained_to}
        return self.trained_to in {*trained, lengths.own} and self.tested_at in tested

    @property
    def short_name(self) -> str:
        """The arm, and from which length to which."""
        if self.tested_at == self.trained_to:
            return self.arm.label
        return f"{self.arm.label}, {self.trained_to} → {self.tested_at}"

    @property
    def name(self) -> str:
        where = f"trained to {self.trained_to}"
        if self.tested_at != self.trained_to:
            where += f", tested at {self.tested_at}"
        on = "" if self.arm.on == "default" else f", {self.arm.on_in_words}"
        what = ", final answer" if self.arm.metric == "final" else ""
        return f"{self.arm.label} ({where}{on}{what})"


@dataclass(frozen=True)
class Evidence:
    study: Study
    scale: Scale
    seeds: int
    records: Mapping[str, RunRecord]

    def lengths(self, arm: Arm) -> Lengths:
        return arm.lengths(self.scale)

    def wanted_of(self, arm: Arm, trained: int) -> list[Configuration]:
        """An arm at a training length: the study's seeds, and those after them that are there."""
        asked = self.lengths(arm).seeds(self.seeds)
        further = (arm.configuration(self.scale, trained, one) for one in count(asked.stop))
        there = takewhile(lambda config: config.name in self.records, further)
        return [*(arm.configuration(self.scale, trained, one) for one in asked), *there]

    def runs(self, arm: Arm, trained: int) -> list[RunRecord]:
        """Finished runs of an arm at a training length, seed by seed."""
        names = (config.name for config in self.wanted_of(arm, trained))
        return [self.records[name] for name in names if name in self.records]

    def sample(self, arm: Arm, trained: int, tested: int) -> Sample:
        runs = self.runs(arm, trained)
        scores = ((run, run.scores(arm.on, arm.metric).get(tested)) for run in runs)
        read = [(run, value) for run, value in scores if value is not None]
        return Sample(
            arm=arm,
            trained_to=trained,
            tested_at=tested,
            values=tuple(value for _, value in read),
            fitted=tuple(run.trained for run, _ in read),
            longest=tuple(run.longest for run, _ in read),
            converged=tuple(run.converged for run, _ in read),
            without_end=tuple(
                value
                for run in (runs if arm.metric == "exact" else ())
                if (value := run.exact(arm.on, without_end=True).get(tested)) is not None
            ),
            missing=len(self.wanted_of(arm, trained)) - len(read),
            of_few=few_examples(runs, arm.on, tested),
        )

    def passed(self, arm: Arm, trained: int, test: str, where: Where) -> Sample:
        """A counterfactual test of the runs at a training length."""
        place = {"inside": 0, "outside": -1}[where]
        values = tuple(
            run.result.counterfactual[place].shares[test] for run in self.runs(arm, trained)
        )
        at = self.sample(arm, trained, trained)
        return replace(at, values=values, without_end=(), of_few=None)

    def compared(self, arm: Arm, trained: int, tested: int) -> tuple[Sample, Sample]:
        """Where a program is wrong: how often the model says what it says, and what is right."""
        runs = self.runs(arm, trained)
        found = [one for run in runs for one in run.result.compared if one.length == tested]
        shape = replace(self.sample(arm, trained, tested), without_end=(), of_few=None)
        like_program, like_truth = (
            replace(shape, values=tuple(share or 0.0 for share in shares))
            for shares in (
                [one.like_program for one in found],
                [one.like_truth for one in found],
            )
        )
        return like_program, like_truth

    def steps(self, arm: Arm, share: float) -> Sample:
        """Steps until a share was first reached at the longest training length, or infinity.

        A run that never got there says so, so every one counts.
        """
        trained = self.lengths(arm).speed
        values = tuple(run.steps_to(share) for run in self.runs(arm, trained))
        return replace(
            self.sample(arm, trained, trained),
            values=values,
            converged=(True,) * len(values),
            without_end=(),
            of_few=None,
            missing=len(self.wanted_of(arm, trained)) - len(values),
        )

    def guess(self, arm: Arm, trained: int, tested: int) -> float:
        """What a guess is worth at a test length."""
        return chance(arm.configuration(self.scale, trained, 0), arm.on, tested)

    def outcome(self, sample: Sample) -> str:
        """What a point shows, in two words."""
        arm, trained = sample.arm, sample.trained_to
        guesses = (self.guess(arm, trained, at) for at in (sample.tested_at, trained))
        return outcome_of(sample, *guesses)

    @property
    def seeds_per_point(self) -> tuple[int, int]:
        """The fewest and the most that are there."""
        numbers = [
            len(self.runs(arm, trained))
            for arm in self.study.arms
            for trained in arm.trained(self.scale)
        ]
        return min(numbers), max(numbers)

    @property
    def seeds_in_words(self) -> str:
        return f"{seeds_counted(*self.seeds_per_point)} per point"

    def wanted(self) -> dict[str, Configuration]:
        """The study's runs, and those of further seeds that are there."""
        return {
            config.name: config
            for arm in self.study.arms
            for trained in arm.trained(self.scale)
            for config in self.wanted_of(arm, trained)
        }

    @property
    def found(self) -> list[RunRecord]:
        return [self.records[name] for name in self.wanted() if name in self.records]

    @property
    def seconds(self) -> float:
        """What the runs cost in seconds of one core, each counted once."""
        return sum(record.cost for record in self.found)


def few_examples(runs: Sequence[RunRecord], on: str, length: int) -> int | None:
    """A task may have fewer examples of a length than a test asks for: 6 of count at 150 of 155."""
    found = [
        (score.examples, run.config.examples_per_test)
        for run in runs
        if (score := run.tested(on).get(length)) is not None
    ]
    return min((number for number, asked in found if number < asked), default=None)


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


def seeds_counted(least: int, most: int) -> str:
    number = f"{least} to {most}" if least < most else str(most)
    return f"{number} seed{'s' * (most != 1)}"


def chance(config: Configuration, on: str, length: int) -> float:
    """Share of examples that the commonest answer gets right."""
    parameters = tuple(sorted(config.parameters.items()))
    task = config.build_task()
    judged = config.judged_on(task) if on == "default" else on
    return commonest(config.task, parameters, judged, length)


@cache
def commonest(task: str, parameters: tuple[tuple[str, Value], ...], on: str, length: int) -> float:
    rng = stream(0, Purpose.SHOW, zlib.crc32(on.encode()), length)
    examples = find(task, dict(parameters)).examples(rng, np.full(GUESSED, length), on)
    answers = Counter(
        row[answer].tobytes() for row, answer in zip(examples.tokens, examples.answers, strict=True)
    )
    return answers.most_common(1)[0][1] / GUESSED
