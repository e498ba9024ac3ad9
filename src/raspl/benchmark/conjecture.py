"""What the random suite says of the conjecture: do tasks with a short program generalise?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

from raspl.benchmark.judging import Case
from raspl.benchmark.outcomes import Outcome, Trained
from raspl.benchmark.random_suite import NOT_FOUND, kind_of, stratum
from raspl.prediction import Prediction
from raspl.prediction.forecast.features import program_weighs
from raspl.prediction.forecast.model import DISTANCES
from raspl.tasks.generalisation import GENERALISES
from raspl.tasks.random.candidates import INSIDE
from raspl.words import counted

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


KINDS = (
    "a program that neither counts nor looks at positions",
    "only programs that count or average",
    "only programs that look at positions",
    "no program found",
    "no program exists",
)
"""What the search says of a task, the best first."""


def kind(prediction: Prediction) -> str:
    """Strict programs that survive count; of several, the best."""
    exact, weighing, positional, missing, impossible = KINDS
    if prediction.impossible is not None:
        return impossible
    strict = [one for one in prediction.finds if one.survives and one.is_strict]
    free = [one for one in strict if not one.positions]
    if any(not program_weighs(one) for one in free):
        return exact
    return weighing if free else positional if strict else missing


def rates_by_kind(cases: Sequence[Case]) -> dict[str, dict[float, Share]]:
    """The share of runs of random tasks that generalises, by kind and distance."""
    by_kind: dict[str, list[Outcome]] = {}
    for case in cases:
        if case.suite == "random":
            by_kind.setdefault(kind(case.entry.prediction), []).extend(case.outcomes)
    return {
        one: {d: _share([o for o in by_kind[one] if o.column == d]) for d in DISTANCES}
        for one in KINDS
        if one in by_kind
    }


REASONS = {
    "not_converged": "not converged",
    "shortcut": "a shortcut that the search shows is as cheap or cheaper",
    "end_only": "only the end token is wrong",
    "unexplained": "none of these: the conjecture's own",
}
"""Why a run of a task with a program does not generalise. The first one counts: what did not
converge shows nothing, and a shortcut is what the conjecture expects a model to learn."""


def failures(cases: Sequence[Case], distance: float) -> Counter[str]:
    """How many runs of tasks with a program fail at a distance, by reason."""
    return Counter(
        _reason(case, outcome.run, outcome)
        for case in inside(cases)
        if case.entry.prediction.cheapest is not None
        for outcome in case.outcomes
        if outcome.column == distance and not outcome.generalises and outcome.run is not None
    )


def failure_lines(cases: Sequence[Case]) -> Iterator[str]:
    """A table: which share of the failures has which reason, at each distance."""
    by_distance = {distance: failures(cases, distance) for distance in NEAR}
    totals = {distance: found.total() for distance, found in by_distance.items()}
    yield "Why runs fail although the search finds a program, as shares of those that do:\n"
    heads = (f"{d:g} ×: {counted(total, 'run')}" for d, total in totals.items())
    yield f"| why | {' | '.join(heads)} |"
    yield f"|---|{'---|' * len(by_distance)}"
    for reason, words in REASONS.items():
        shares = (str(Share(found[reason], totals[d])) for d, found in by_distance.items())
        yield f"| {words} | {' | '.join(shares)} |"


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
