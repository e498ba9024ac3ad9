"""The runs that a study's claim and figure are made from."""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

import numpy as np

from raspl.runs.records import RunRecord
from raspl.studies.intervals import FEWEST, Interval, interval, stretched
from raspl.studies.scales import Lengths
from raspl.studies.study import Arm, Study
from raspl.tasks import Purpose, Scale, find, stream
from raspl.tasks.shipped import Value
from raspl.training.configuration import Configuration

GUESSED = 2000
"""Examples that a task's chance level is taken from."""

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

    def seeds_of(self, arm: Arm) -> range:
        """The study's seeds, and those after them that all runs of the arm are there of."""
        asked = self.lengths(arm).seeds(self.seeds)
        end = asked.stop
        while all(run.name in self.records for run in self.of_seed(arm, end)):
            end += 1
        return range(asked.start, end)

    def of_seed(self, arm: Arm, seed: int) -> list[Configuration]:
        return [arm.configuration(self.scale, one, seed) for one in arm.trained(self.scale)]

    def runs(self, arm: Arm, trained: int) -> list[RunRecord]:
        """Finished runs of an arm at a training length, seed by seed."""
        names = (arm.configuration(self.scale, trained, one).name for one in self.seeds_of(arm))
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
            missing=len(self.seeds_of(arm)) - len(read),
        )

    def passed(self, arm: Arm, trained: int, test: str, where: Where) -> Sample:
        """A counterfactual test of the runs at a training length."""
        place = {"inside": 0, "outside": -1}[where]
        values = tuple(
            run.result.counterfactual[place].shares[test] for run in self.runs(arm, trained)
        )
        return replace(self.sample(arm, trained, trained), values=values, without_end=())

    def compared(self, arm: Arm, trained: int, tested: int) -> tuple[Sample, Sample]:
        """Where a program is wrong: how often the model says what it says, and what is right."""
        runs = self.runs(arm, trained)
        found = [one for run in runs for one in run.result.compared if one.length == tested]
        shape = replace(self.sample(arm, trained, tested), without_end=())
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
            missing=len(self.seeds_of(arm)) - len(values),
        )

    def guess(self, arm: Arm, trained: int, tested: int) -> float:
        """What a guess is worth at a test length."""
        return chance(arm.configuration(self.scale, trained, 0), arm.on, tested)

    @property
    def most_seeds(self) -> int:
        return max(len(self.seeds_of(arm)) for arm in self.study.arms)

    @property
    def seeds_in_words(self) -> str:
        return f"{seeds_counted(self.seeds, self.most_seeds)} per point"

    def wanted(self) -> dict[str, Configuration]:
        further = (
            config
            for arm in self.study.arms
            for seed in self.seeds_of(arm)
            for config in self.of_seed(arm, seed)
        )
        asked = self.study.runs(self.scale, self.seeds)
        return {**asked, **{config.name: config for config in further}}

    @property
    def found(self) -> list[RunRecord]:
        return [self.records[name] for name in self.wanted() if name in self.records]

    @property
    def seconds(self) -> float:
        """What the runs cost in seconds of one core, each counted once."""
        return sum(record.cost for record in self.found)


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
