"""A prediction in plain words, line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from raspl.prediction.predict import Prediction
from raspl.prediction.verdict import (
    FOUND,
    Judged,
    Reading,
    Verdict,
    best_of,
    named_lengths,
    shortcut_of,
)
from raspl.words import span

SAID: Mapping[Verdict, str] = {
    "will generalise": "will generalise",
    "will not": "will not generalise",
    "unknown": "unknown whether it will generalise",
}
"""Verdicts as the end of a sentence; files keep the short ones."""
SMALLEST_WEIGHT = 0.005
"""Fourier weight below this is shown as 0.00, so it is left out."""


def told(prediction: Prediction) -> Iterator[str]:
    """The verdict, the reasons of each reading, then what stands beside them."""
    low, high = prediction.trained_from, prediction.trained_to
    plural = "" if low == high else "s"
    yield (
        f"{prediction.task}, trained on length{plural} {span(low, high)}: "
        f"{SAID[prediction.verdict]}"
    )
    for name, reading in prediction.readings.items():
        if len(prediction.readings) > 1:
            yield f"  by the {name} of the language: {SAID[reading.verdict]}"
        yield from _reasons(reading)
    yield _row("a cost is", "one for every map and one for every attention head (docs/theory.md)")
    for row in prediction.predictors:
        if words := " ".join(_sentences(row)):
            yield _row(f"at length {row['length']}", words)
    looked = f"programs at {named_lengths(prediction.looked_at)} of the test distribution"
    yield _row("looked at", looked if prediction.looked_at else "nothing beyond training")


def _row(label: str, text: str) -> str:
    return f"  {label:<14} {text}"


def _reasons(reading: Reading) -> Iterator[str]:
    for term in ("realizability", "simplicity", "diversity"):
        yield _row(term, getattr(reading, term))
    yield _row("searched", reading.statement)
    program, shortcut = best_of(reading.programs), shortcut_of(reading.programs)
    # The task's own program may be long, and has a file already.
    if program is not None and program.origin == FOUND:
        yield from _program("program", program)
    if shortcut is not None and (program is None or shortcut.cost <= program.cost):
        yield from _program("shortcut", shortcut)


def _program(label: str, program: Judged) -> Iterator[str]:
    """What was found, without its imports, line by line."""
    _, _, definition = program.source.partition("\n\n\n")
    for line in definition.splitlines():
        yield _row(label, line)
        label = ""


def _sentences(row: Mapping[str, Any]) -> Iterator[str]:
    """The other predictors, as far as they apply."""
    if row["sensitivity"] is not None:
        yield (
            f"An answer token depends on {row['dependence']:.2f} prompt tokens on average, and "
            f"changes with {row['sensitivity']:.2f} of them if each alone is changed at random."
        )
    if row["degree_profile"] is not None:
        weights = ", ".join(
            f"{weight:.2f} at degree {degree}"
            for degree, weight in enumerate(row["degree_profile"])
            if weight >= SMALLEST_WEIGHT
        )
        yield f"The first answer token's Fourier weight is {weights}."
