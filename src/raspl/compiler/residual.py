"""The residual stream: named dimensions, and linear forms that read them.

A variable of the program is never looked up by number: it is a *form*, a weighted sum of named
dimensions. What is linear in something that stands in the stream already (a code of a finite value
that other codes of it add up to, the successor of an index) is a form over the same dimensions and
costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

Time = tuple[int, int]
"""When a dimension is written: (l, k) is after k MLPs behind the l-th attention layer."""
START: Time = (0, 0)


@dataclass(frozen=True, slots=True)
class Dim:
    """One dimension of the residual stream."""

    name: str
    variable: str
    """The variable of the program that it belongs to; `constants` for what positions bring."""
    code: tuple[tuple[int, int], ...] = ()
    """Of a variable with finitely many values: each of them, with the number that stands here."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """A weighted sum of dimensions."""

    weights: Mapping[int, float]

    def __add__(self, other: Form) -> Form:
        return total((self, other))

    def __sub__(self, other: Form) -> Form:
        return total((self, -1.0 * other))

    def __rmul__(self, factor: float) -> Form:
        if not factor:
            return ZERO
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
class Logits:
    """A finite output: for each value a form that is greatest where the output has that value."""

    values: tuple[int, ...]
    forms: tuple[Form, ...]


BASE = 2048
"""An index that is looked up stands in the stream with two digits to this base."""
BITS = 15
"""Of an index modulo 2^BITS that several keys may match."""
DIGITS = ("high", "low", "squares")
"""The two digits, and the sum of their squares (docs, "Looking up an index")."""
REMAINDER = tuple(f"bit {number}" for number in range(BITS))
"""The bits of the remainder, from the least (docs, "Matching an index")."""


def part_name(part: str, index: str) -> str:
    """What a part of an index is called: `i // 2048`, `i % 2048`, `digits² of i`, `bit 3 of i`."""
    names = {
        "high": f"{index} // {BASE}",
        "low": f"{index} % {BASE}",
        "squares": f"digits² of {index}",
    }
    return names.get(part, f"{part} of {index}")


Part = Callable[[str, int], Form]
"""Makes a part of an index plus a shift, by the name of the part; 0 where the index is None."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """An Index or Count in the stream: a base and a shift. Its forms are 0 where it is None.

    At position i (from 0) it lies between `low` and i + `high`; the bounds feed the precision.
    """

    make_base: Callable[[], Form]
    part: Part
    """Parts of the base."""
    present: Form
    low: int
    high: int
    shift: int = 0
    positional: bool = False
    """Whether the base is the index of the position: then no two positions hold the same."""

    @property
    def value(self) -> Form:
        """The index or count."""
        return self.make_base() + float(self.shift) * self.present

    def shifted(self, by: int) -> Scalar:
        """The by-th successor, which costs nothing: the shift is remembered."""
        return replace(self, low=self.low + by, high=self.high + by, shift=self.shift + by)


@dataclass(frozen=True, slots=True)
class IndexLogits:
    """An output of indices: its value, and whether there is one."""

    value: Form
    present: Form
    low: int
    high: int


Output = Logits | IndexLogits
