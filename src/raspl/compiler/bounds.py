"""How long an input may be for a construction to be exact in a float format (docs/compiler.md).

Almost everything in a compiled network is an integer, and integers below 2^p are exact in a format
with p bits of mantissa, in sums of any order. Two constructions divide (a softmax that is spread
over many keys), and their error is bounded instead. `u` is the unit roundoff 2^-p.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from raspl.compiler.residual import BASE, BITS

MANTISSA = {"float32": 24, "float64": 53}
GAP = 2.0**13
"""How far apart the scores of different integers lie; exp(-8192) is 0 in both formats."""
FORBIDDEN = 2.0**80
"""What breaking a condition costs: more than any order among keys can make up for."""
SOFT_MARGIN = 0.1
"""The least gap, in units of `GAP`, where scores are not integers: exp(-819) is 0 in both too."""
MOST = 1 << 40
"""Where the search for a bound ends: no input is that long."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The longest exact input of one construction."""

    what: str
    reason: str
    longest: tuple[tuple[str, int], ...]
    """By float format."""

    def of(self, dtype: str) -> int:
        """The longest input in this format."""
        return dict(self.longest)[dtype]


def _limit(what: str, reason: str, holds: Callable[[int, float], bool]) -> Limit:
    """The greatest n up to which `holds(n, u)`, which must be monotone."""
    longest = []
    for dtype, mantissa in MANTISSA.items():
        u = 2.0**-mantissa
        low, high = 0, MOST
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if holds(middle, u) else (low, middle - 1)
        longest.append((dtype, low))
    return Limit(what, reason, tuple(longest))


def integers(what: str, span: int) -> Limit:
    """Positions and what is compared with them: n + span must be an exact integer."""
    return _limit(what, "n is an exact integer", lambda n, u: n + span <= 1 / u)


def ranked(what: str, ranks: int) -> Limit:
    """Order by rank, then position: the score is position·rank + position."""
    return _limit(what, "n·ranks is an exact integer", lambda n, u: n * (ranks + 1) <= 1 / u)


def ordered(what: str, span: int) -> Limit:
    """Order by an index, then position: the score is position·index + position."""
    return _limit(what, "n² is an exact integer", lambda n, u: n * (n + span + 1) <= 1 / u)


def nearest(what: str, span: int) -> Limit:
    """The nearest integer t to a value: the logit is 2·value·t - t²."""
    return _limit(what, "2n² is an exact integer", lambda n, u: 2 * (n + span) ** 2 <= 1 / u)


def digits(what: str, span: int) -> Limit:
    """Equality by two digits below BASE: their squared distance is an exact integer.

    The sum of the squares of four digits is at most 4·(BASE - 1)², which is below 2^24, and so is
    twice the sum of two products.
    """
    most = (BASE - 1) * BASE
    return _limit(what, f"an index has two digits to base {BASE:,}", lambda n, u: n + span <= most)


def bits(what: str, span: int) -> Limit:
    """Equality by the bits of a remainder: all the values that can meet are told apart."""
    count = 1 << BITS
    return _limit(what, f"{BITS} bits tell {count:,} integers apart", lambda n, u: n + span < count)


def counted(what: str, classes: int) -> Limit:
    """A count from fractions, and its rounding by the nearest position.

    The fraction of each class is off by at most (n + 2)u of itself and a little more, so their sum
    times n is off by e = n(n + 2)u + 3n(classes + 1)u. The scores 2cp - p² are off by 3(n + 1)²u
    each, and the best leads the next by 1 - 2e.
    """

    def holds(n: int, u: float) -> bool:
        e = n * (n + 2) * u + 3 * n * (classes + 1) * u
        return 1 - 2 * e - 6 * (n + 1) ** 2 * u >= SOFT_MARGIN

    return _limit(what, "a count is rounded to the nearest position", holds)


def averaged(what: str, span: int) -> Limit:
    """A truncated mean: n times the mean's error must stay below a quarter."""
    return _limit(
        what,
        "n times the mean is compared with integers",
        lambda n, u: 2 * n * (n + 6) * (span + 1) * u <= 0.25,
    )
