"""What a sweep varies: fields of a configuration, each with values to try or a range of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from raspl.errors import RasplError
from raspl.tasks.shipped import Value
from raspl.words import value_of

if TYPE_CHECKING:
    from optuna.trial import Trial

SEED = 0
"""Of the order in which combinations are tried, and of what is drawn from ranges."""


@dataclass(frozen=True)
class Choices:
    """Values to try, every one with every value of the other fields."""

    name: str
    values: tuple[Value, ...]

    def suggest(self, trial: Trial) -> Value:
        chosen = trial.suggest_categorical(self.name, self.values)
        assert chosen is not None
        return chosen

    def __str__(self) -> str:
        return f"{self.name}={','.join(map(str, self.values))}"


@dataclass(frozen=True)
class Range:
    """From low to high, evenly on a logarithmic scale; whole numbers if both are."""

    name: str
    low: float
    high: float

    def suggest(self, trial: Trial) -> Value:
        low, high = self.low, self.high
        if isinstance(low, int) and isinstance(high, int):
            return trial.suggest_int(self.name, low, high, log=True)
        return trial.suggest_float(self.name, low, high, log=True)

    def __str__(self) -> str:
        return f"{self.name}={self.low}:{self.high}"


Field = Choices | Range


def read(text: str) -> Field:
    """`heads=1,2,4` or `learning_rate=1e-3:1e-2`."""
    name, equals, values = text.partition("=")
    name = name.strip().replace("-", "_")
    if not (name and equals and values.strip()):
        raise RasplError(
            f"--vary takes NAME=A,B,C or NAME=LOW:HIGH, as in heads=1,2,4; not {text!r}."
        )
    if name == "test_lengths":
        raise RasplError("A sweep can't vary test_lengths: it must not choose by what is beyond.")
    if ":" not in values:
        found = [value_of(one.strip()) for one in values.split(",") if one.strip()]
        return Choices(name, tuple(dict.fromkeys(found)))
    low, _, high = values.partition(":")
    match value_of(low.strip()), value_of(high.strip()):
        case (int() | float()) as least, (int() | float()) as most if 0 < least < most:
            return Range(name, least, most)
    raise RasplError(f"A range goes from a number above 0 to a larger one; not {text!r}.")


def points(fields: Sequence[Field], number: int | None) -> list[Mapping[str, Any]]:
    """So many combinations of the choices, in a fixed random order; what ranges add is drawn later.

    Without a range each combination comes once, so there may be fewer than asked for; with one,
    as many as asked for, or each combination once.
    """
    choices = [field for field in fields if isinstance(field, Choices)]
    every: list[Mapping[str, Any]] = [
        dict(zip((field.name for field in choices), values, strict=True))
        for values in product(*(field.values for field in choices))
    ]
    random.Random(SEED).shuffle(every)
    if number is None:
        return every
    if len(choices) == len(fields):
        return every[:number]
    return [every[place % len(every)] for place in range(number)]
