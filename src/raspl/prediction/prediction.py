"""A prediction: a verdict with its reasons, made before training. Validated, and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from raspl.analysis.disciplines import Discipline
from raspl.prediction.wording import prediction_lines
from raspl.tasks.generalisation import CONVERGED, GENERALISES, quarter_more
from raspl.tasks.shipped import Value
from raspl.validated import Record

Verdict = Literal["will generalise", "will not", "unknown"]
Origin = Literal["found", "shipped with the task"]
FOUND: Origin = "found"
SHIPPED_PROGRAM: Origin = "shipped with the task"
Reading = Literal["letter", "strict", "compilable", "intent"]
"""How the rules of the language are read (docs/types.md). Early versions knew an intent, which left
out selectors that compare counts; strict has taken its place."""
STRICT: Reading = "strict"
TERMS = ("realizability", "simplicity", "diversity")
"""The conjecture's three conditions."""


class JudgedProgram(Record):
    """A program with what is known about it."""

    origin: Origin
    cost: int
    source: str
    disciplines: tuple[Discipline, ...] | None = None
    """The readings of the rules that it meets; early versions did not keep them."""
    positions: bool | None = None
    """Whether it looks at positions; early versions did not keep it."""
    weighs: bool | None = None
    """Whether it counts or averages; early versions did not keep it."""
    measures: Mapping[str, float]
    exact_match: Mapping[int, float]
    """At the lengths that were looked at."""
    failure: str | None = None
    """An input on which it goes wrong."""

    @property
    def survives(self) -> bool:
        return self.failure is None

    @property
    def is_strict(self) -> bool:
        return STRICT in (self.disciplines or ())


class Judgement(Record):
    """A verdict with its reasons, by one reading of the language.

    What has a default was not kept by early versions.
    """

    verdict: Verdict | None = None
    realizability: str = ""
    simplicity: str = ""
    diversity: str = ""
    asides: Mapping[str, str] = {}
    """By term, the part of its sentence that is for one who has the task as a file and a command
    line: what to write into it, or which option to give."""
    statement: str = ""
    """What the search exhausted."""
    exhausted: int = -1
    """No program of this cost or less fits the training lengths; -1 if none is ruled out."""
    components: str = ""
    programs: tuple[JudgedProgram, ...] = ()
    candidates: int | None = None
    seconds: float | None = None

    @property
    def program(self) -> JudgedProgram | None:
        """The cheapest find that survives; if there is none, the task's own if that survives."""
        survivors = [program for program in self.programs if program.survives]
        finds = [program for program in survivors if program.origin == FOUND]
        return min(finds or survivors, key=lambda program: program.cost, default=None)

    @property
    def shortcut(self) -> JudgedProgram | None:
        """The cheapest find that goes wrong beyond training."""
        finds = (one for one in self.programs if one.origin == FOUND and not one.survives)
        return min(finds, key=lambda program: program.cost, default=None)

    def terms(self, asides: bool = True) -> dict[str, str]:
        """What was said about each term of the conjecture, with its asides or without them."""
        said: dict[str, str] = {term: getattr(self, term) for term in TERMS}
        if not asides:
            said |= {term: said[term].replace(aside, "") for term, aside in self.asides.items()}
        return {term: sentence for term, sentence in said.items() if sentence}


class RivalMeasures(Record):
    """Other predictors of what a network learns, at one length; None where they don't apply."""

    length: int
    sensitivity: float | None = None
    """How many prompt tokens, changed alone at random, change an answer token."""
    dependence: float | None = None
    """How many prompt tokens an answer token depends on, on average."""
    order: float | None = None
    """The share of swaps of neighbouring prompt tokens that change an answer token."""
    degree_profile: tuple[float, ...] | None = None
    """Fourier weight at degrees 0, 1, …, n, of the first answer token as a ±1 function."""


class Forecast(Record):
    """How likely exact match is at least 90 % on longer inputs (`forecast/`)."""

    probability: Mapping[float, float]
    """By distance, in multiples of the training length."""
    reach: int
    """The longest length with a probability of one half or more, as far as the task has it and up
    to ten times the training length; the training length itself if there is none beyond it."""
    parts: Mapping[str, Mapping[float, float]]
    """What each feature adds to the log-odds, by distance."""


class Prediction(Record):
    """What a search makes of a task, written down before training: a verdict by the conjecture with
    its reasons, and a forecast.

    What has a default was not kept by early versions.
    """

    task: str
    parameters: Mapping[str, Value] = {}
    """The task's, such as the size of its alphabet."""
    made: str
    """When, in UTC."""
    verdict: Verdict
    rules: Discipline = "letter"
    """The reading of the rules that was searched first."""
    readings: Mapping[Reading, Judgement]
    trained_from: int | None = None
    trained_to: int
    """Programs had to explain examples up to this length, whatever runs train on."""
    longest: int | None = None
    """The greatest length that the task has, if there is one."""
    looked_at: tuple[int, ...] | None = None
    """The lengths of the test distribution at which programs were tried, and nothing else was."""
    threshold: float = GENERALISES
    """Exact match from which a run counts as generalising."""
    impossible: str | None = None
    """Inputs that show that no program of any size computes the task."""
    answer_length: float | None = None
    """Tokens or labels that must all be right, on average at the longest training length."""
    labelled: bool | None = None
    """Whether labels are asked for, and not tokens that a model writes itself."""
    rivals: tuple[RivalMeasures, ...] = ()
    settings: Mapping[str, Any] = {}
    """Those of the search."""
    forecast: Forecast | None = None
    """From all that was found; what comes with the task has no say in it."""
    seconds: float | None = None

    @property
    def finds(self) -> tuple[JudgedProgram, ...]:
        """What the search found by any reading; not what comes with the task."""
        judged = (one for reading in self.readings.values() for one in reading.programs)
        return tuple(one for one in judged if one.origin == FOUND)

    @property
    def cheapest(self) -> JudgedProgram | None:
        """The cheapest find that is right beyond the training lengths."""
        survivors = (one for one in self.finds if one.survives)
        return min(survivors, key=lambda one: one.cost, default=None)

    @property
    def shortcut(self) -> JudgedProgram | None:
        """The cheapest find that goes wrong beyond the training lengths."""
        finds = (one for one in self.finds if not one.survives)
        return min(finds, key=lambda one: one.cost, default=None)

    @property
    def is_settled(self) -> bool:
        """Whether the search found anything, or there is nothing to find."""
        return bool(self.finds) or self.impossible is not None

    @property
    def exhausted(self) -> int:
        """The greatest cost up to which a search has ruled out every program."""
        return max((one.exhausted for one in self.readings.values()), default=-1)

    def reasons(self) -> tuple[str, ...]:
        """`term: sentence`; with the name of the reading before it if there are two."""
        several = len(self.readings) > 1
        return tuple(
            f"{reading}: {term}: {sentence}" if several else f"{term}: {sentence}"
            for reading, judgement in self.readings.items()
            for term, sentence in judgement.terms().items()
        )

    def compare(self, exact_match: Mapping[int, float]) -> bool | None:
        """Whether a training run bears the prediction out, given its exact match by length.

        None where nothing can be said: the verdict is unknown, the run did not fit the training
        lengths (it has not converged), or the length that counts is missing.
        """
        length = quarter_more(self.trained_to)
        if self.verdict == "unknown" or exact_match.get(self.trained_to, 0.0) < CONVERGED:
            return None
        if length not in exact_match:
            return None
        return (exact_match[length] >= self.threshold) == (self.verdict == "will generalise")

    def __str__(self) -> str:
        return "\n".join(prediction_lines(self))
