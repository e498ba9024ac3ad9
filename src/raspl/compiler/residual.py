"""The residual stream: named dimensions, and linear forms that read them.

A variable of the program is never looked up by number: it is a *form*, a weighted sum of named
dimensions. What is linear in something that stands in the stream already (a map of a finite value,
the successor of an index, the value that is left when all others are excluded) is a form over the
same dimensions and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Time = tuple[int, int]
"""When a dimension is written: (l, k) is after k MLPs behind the l-th attention layer."""
START: Time = (0, 0)


@dataclass(frozen=True, slots=True)
class Dim:
    """One dimension of the residual stream."""

    name: str
    variable: str
    """The variable of the program that it belongs to; `constants` for what positions bring."""
    time: Time = START


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A weighted sum of dimensions."""

    weights: Mapping[int, float]

    def __add__(self, other: Form) -> Form:
        return total((self, other))

    def __sub__(self, other: Form) -> Form:
        return total((self, -1.0 * other))

    def __rmul__(self, factor: float) -> Form:
        return Form({dim: factor * weight for dim, weight in self.weights.items()})

    @property
    def key(self) -> tuple[tuple[int, float], ...]:
        """Equal for equal forms."""
        return tuple(sorted(self.weights.items()))

    @property
    def is_zero(self) -> bool:
        """Whether the form reads nothing."""
        return not self.weights


ZERO = Form({})


def total(forms: Iterable[Form]) -> Form:
    """The sum of forms. Weights that cancel are dropped; all are small integers, so exactly."""
    weights: dict[int, float] = {}
    for form in forms:
        for dim, weight in form.weights.items():
            weights[dim] = weights.get(dim, 0.0) + weight
    return Form({dim: weight for dim, weight in weights.items() if weight})


def unit(dim: int) -> Form:
    """The dimension itself."""
    return Form({dim: 1.0})


@dataclass(frozen=True, slots=True)
class Finite:
    """An Int or Bool in the stream: for each value it can have, a form that is 1 or 0."""

    values: tuple[int, ...]
    forms: tuple[Form, ...]

    def of(self, chosen: Iterable[int]) -> Form:
        """1 where the value is among the chosen ones."""
        wanted = set(chosen)
        return total(f for v, f in zip(self.values, self.forms, strict=True) if v in wanted)


@dataclass(frozen=True, slots=True)
class Scalar:
    """An Index or Count in the stream. All of its forms are 0 where it is None.

    At position i (from 0) it lies between `low` and i + `high`; the bounds feed the precision.
    """

    value: Form
    present: Form
    low: int
    high: int
    residues: tuple[tuple[Form, ...], ...] | None = None
    """A form for each remainder by each of `MODULI` (docs, "Equality of indices")."""
    positional: bool = False
    """Whether it is the position itself, shifted: then no two positions hold the same."""

    def shifted(self, by: int) -> Scalar:
        """The by-th successor: of the value a sum, of a remainder a rotation."""
        residues = self.residues
        if residues is not None:
            residues = tuple(
                tuple(forms[(r - by) % len(forms)] for r in range(len(forms))) for forms in residues
            )
        value = self.value + float(by) * self.present
        low, high = self.low + by, self.high + by
        return Scalar(value, self.present, low, high, residues, self.positional)


Encoding = Finite | Scalar

MODULI = (5, 7, 8, 9, 11)
"""Pairwise coprime, so that the remainders tell any 27,720 integers in a row apart."""
DISTINCT = 27_720
