"""A prediction in plain words, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

from raspl.tasks.generalisation import GENERALISES
from raspl.words import span

if TYPE_CHECKING:  # `str` of a Prediction is what stands here
    from raspl.prediction.prediction import (
        Forecast,
        JudgedProgram,
        Judgement,
        Prediction,
        Reading,
        RivalMeasures,
        Verdict,
    )

FULL_VERDICTS: Mapping[Verdict, str] = {
    "will generalise": "will generalise",
    "will not": "will not generalise",
    "unknown": "unknown whether it will generalise",
}
"""Verdicts as the end of a sentence; files keep the short ones."""
READINGS: Mapping[Reading, str] = {
    "letter": "by the letter of the language",
    "strict": "by its strict reading",
    "compilable": "by what compiles",
    "intent": "by the intent of the language",
}
SMALLEST_WEIGHT = 0.005
"""Fourier weight below this is shown as 0.00, so it is left out."""


def prediction_lines(prediction: Prediction) -> Iterator[str]:
    """The forecast, the conjecture's verdict, the reasons of each reading, what stands beside."""
    if prediction.forecast is None:
        yield f"{prediction.task}, {_trained(prediction)}: {FULL_VERDICTS[prediction.verdict]}"
    else:
        yield f"{prediction.task}, {_trained(prediction)}"
        yield from _forecast_lines(prediction, prediction.forecast)
        yield row("conjecture", f"{FULL_VERDICTS[prediction.verdict]} (as the paper states it)")
        if _disagree(prediction, prediction.forecast):
            yield row("", "The two differ: the forecast was fitted to outcomes, and says how far.")
    for reading, judgement in prediction.readings.items():
        if len(prediction.readings) > 1:
            verdict = f": {FULL_VERDICTS[judgement.verdict]}" if judgement.verdict else ""
            yield f"  {READINGS[reading]}{verdict}"
        yield from _judgement_lines(judgement)
    yield row("cost", "one for each map, attention head and entry of a table (docs/theory.md)")


def measure_lines(prediction: Prediction) -> Iterator[str]:
    """What was measured on the solver, and at which longer lengths programs were tried."""
    for rival in prediction.rivals:
        if words := " ".join(_rival_sentences(rival)):
            yield row(f"at length {rival.length}", words)
    if prediction.looked_at is not None:
        tried = f"at {lengths_in_words(prediction.looked_at)} of the test distribution"
        yield row("tried", tried if prediction.looked_at else "at no length beyond training")


def forecast_lengths(prediction: Prediction, made: Forecast) -> dict[float, int | None]:
    """The length at each distance of a forecast; None where the task has no such examples."""
    lengths = {distance: ceil(distance * prediction.trained_to) for distance in made.probability}
    longest = prediction.longest
    return {d: n if longest is None or n <= longest else None for d, n in lengths.items()}


def _disagree(prediction: Prediction, made: Forecast) -> bool:
    """Whether verdict and forecast say different things at some length that the task has."""
    chances = [made.probability[d] for d, n in forecast_lengths(prediction, made).items() if n]
    expected = {"will generalise": True, "will not": False}.get(prediction.verdict)
    return expected is not None and any((chance >= 0.5) != expected for chance in chances)


def _forecast_lines(prediction: Prediction, made: Forecast) -> Iterator[str]:
    """Probabilities by length, how far it reaches, and what to think of them."""
    trained_to, longest = prediction.trained_to, prediction.longest
    lengths = forecast_lengths(prediction, made)
    chances = [
        f"{100 * made.probability[distance]:>4.0f} %" if length else f"{'–':>6}"
        for distance, length in lengths.items()
    ]
    tested = (ceil(distance * trained_to) for distance in lengths)
    yield row("tested at", "".join(f"{length:>6}" for length in tested))
    yield row("probability", "".join(chances) + f"   of exact match ≥ {100 * GENERALISES:.0f} %")
    if None in lengths.values():
        yield row("", f"The task has no examples longer than {longest}.")
    yield row("reach", _reach(made, trained_to, longest))
    if not prediction.is_settled:
        yield row(
            "", "The search settled nothing: this is how often tasks like this one generalise."
        )
    program = prediction.cheapest
    if program is not None and "compilable" not in (program.disciplines or ("compilable",)):
        yield row(
            "compiles",
            f"The cheapest program, of cost {program.cost} and shown below, does not: it selects "
            "by the order of indices, or counts by comparing them (docs/types.md).",
        )


def _reach(made: Forecast, trained_to: int, longest: int | None) -> str:
    if longest is not None and longest <= trained_to:
        return "none: the task has no longer examples"
    if made.reach <= trained_to:
        return "none: the probability is below 50 % at every longer length"
    reach = f"{made.reach}, the longest length with a probability of 50 % or more"
    if made.reach == longest:
        return f"{reach}, and the longest that the task has"
    if made.reach >= int(max(made.probability) * trained_to):
        return f"{reach}; forecasts end at ten times the training length"
    return reach


def lengths_in_words(lengths: Sequence[int]) -> str:
    """Lengths beyond training in words; there are none if a task ends where training does."""
    if not lengths:
        return "the training lengths"
    *others, last = map(str, lengths)
    return f"lengths {', '.join(others)} and {last}" if others else f"length {last}"


def _trained(prediction: Prediction) -> str:
    low, high = prediction.trained_from, prediction.trained_to
    if low is None:
        return f"trained up to length {high}"
    return f"trained on length{'' if low == high else 's'} {span(low, high)}"


def row(label: str, text: str) -> str:
    return f"  {label:<14} {text}"


def _judgement_lines(judgement: Judgement) -> Iterator[str]:
    for term, sentence in judgement.terms().items():
        yield row(term, sentence)
    if judgement.statement:
        yield row("searched", judgement.statement)
    program, shortcut = judgement.program, judgement.shortcut
    # The task's own program may be long, and has a file already.
    if program is not None and program.origin == "found":
        yield from _program_lines("program", program)
    if shortcut is not None and (program is None or shortcut.cost <= program.cost):
        yield from _program_lines("shortcut", shortcut)


def _program_lines(label: str, program: JudgedProgram) -> Iterator[str]:
    """What was found, without its imports, line by line."""
    _, _, rest = program.source.partition("\n\n")
    for line in filter(None, rest.splitlines()):
        yield row(label, line)
        label = ""


def _rival_sentences(rival: RivalMeasures) -> Iterator[str]:
    """The other predictors, as far as they apply."""
    if rival.sensitivity is not None and rival.dependence is not None:
        yield (
            f"An answer token depends on {rival.dependence:.2f} prompt tokens on average; if each "
            f"in turn is changed at random, it changes with {rival.sensitivity:.2f} of them."
        )
    if rival.order is not None:
        yield f"{rival.order:.0%} of swaps of two neighbours in the prompt change it."
    if rival.degree_profile is not None:
        weights = ", ".join(
            f"{weight:.2f} at degree {degree}"
            for degree, weight in enumerate(rival.degree_profile)
            if weight >= SMALLEST_WEIGHT
        )
        yield f"The first answer token's Fourier weight is {weights}."
