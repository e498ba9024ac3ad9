"""What the random suite says of the conjecture: do tasks with a short program generalise?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from raspl.benchmark.judging import Case
from raspl.benchmark.outcomes import Outcome, Trained
from raspl.benchmark.random_suite import NOT_FOUND, kind_of, stratum
from raspl.prediction.forecast.model import DISTANCES
from raspl.tasks.generalisation import GENERALISES
from raspl.tasks.random.candidates import INSIDE

NORMAL = 1.96
"""Standard deviations around a mean that cover 95 %."""
NEAR = DISTANCES[:2]


@dataclass(frozen=True)
class Share:
    """How often something happened, with a 95 % interval (Wilson's)."""

    number: int
    of: int

    @property
    def value(self) -> float:
        return self.number / self.of if self.of else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        if not self.of:
            return 0.0, 1.0
        share, square = self.value, NORMAL**2 / self.of
        middle = (share + square / 2) / (1 + square)
        half = sqrt(share * (1 - share) * square + square**2 / 4) / (1 + square)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        if not self.of:
            return "–"
        low, high = self.interval
        return f"{self.value:.0%} ({low:.0%}–{high:.0%})"


@dataclass(frozen=True)
class Rate:
    """The share that generalises at a distance, of the tasks of one stratum."""

    stratum: str
    distance: float
    every: Share
    converged: Share

    @property
    def cells(self) -> tuple[str, ...]:
        return (
            self.stratum, f"{self.distance:g} ×", str(self.every.of), str(self.every),
            str(self.converged.of), str(self.converged),
        )  # fmt: skip


def inside(cases: Sequence[Case]) -> list[Case]:
    """Random tasks that were drawn from the language itself."""
    return [case for case in cases if case.suite == "random" and kind_of(case.entry.task) in INSIDE]


def rates(cases: Sequence[Case]) -> list[Rate]:
    """By stratum and distance, the cheapest first."""
    by_stratum: dict[str, list[Case]] = {}
    for case in inside(cases):
        of = stratum(case.entry.task, case.entry.prediction)
        by_stratum.setdefault(of, []).append(case)
    ordered = sorted(by_stratum, key=lambda of: (of == NOT_FOUND, of))
    return [_rate(of, distance, by_stratum[of]) for distance in NEAR for of in ordered]


def _rate(of: str, distance: float, cases: Sequence[Case]) -> Rate:
    every = [outcome for case in cases for outcome in case.outcomes if outcome.column == distance]
    converged = [one for one in every if one.run is not None and one.run.converged]
    return Rate(of, distance, _share(every), _share(converged))


def _share(outcomes: Sequence[Outcome]) -> Share:
    return Share(sum(one.generalises for one in outcomes), len(outcomes))


@dataclass(frozen=True)
class Failures:
    """Why runs of tasks with a program did not generalise at a distance, each run counted once."""

    distance: float
    shortcut: int
    end_only: int
    not_converged: int
    unexplained: int

    def lines(self) -> Iterator[str]:
        total = self.shortcut + self.end_only + self.not_converged + self.unexplained
        runs = "the one run that fails" if total == 1 else f"{total} runs that fail"
        yield (
            f"Of {runs} at {self.distance:g} times the training length although the search finds "
            "a program:\n"
        )
        yield "| why | runs |"
        yield "|---|---|"
        for words, number in (
            ("not converged", self.not_converged),
            ("a shortcut that the search shows is as cheap or cheaper", self.shortcut),
            ("only the end token is wrong", self.end_only),
            ("none of these: the conjecture's own", self.unexplained),
        ):
            yield f"| {words} | {Share(number, total)} |"


def failures(cases: Sequence[Case], distance: float = DISTANCES[0]) -> Failures:
    """In this order: what did not converge shows nothing, and a shortcut is what a model learns."""
    counts = {"not_converged": 0, "shortcut": 0, "end_only": 0, "unexplained": 0}
    for case in inside(cases):
        if case.entry.prediction.cheapest is None:
            continue
        for outcome in case.outcomes:
            if outcome.column == distance and not outcome.generalises and outcome.run is not None:
                counts[_reason(case, outcome.run, outcome)] += 1
    return Failures(distance, **counts)


def _reason(case: Case, run: Trained, outcome: Outcome) -> str:
    prediction = case.entry.prediction
    program, shortcut = prediction.cheapest, prediction.shortcut
    assert program is not None
    length = round(outcome.distance * run.trained_to)
    if not run.converged:
        return "not_converged"
    if shortcut is not None and shortcut.cost <= program.cost:
        return "shortcut"
    if run.exact_without_end[length] >= GENERALISES:
        return "end_only"
    return "unexplained"
