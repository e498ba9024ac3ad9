"""How sure a median over a few seeds is: exact intervals, made of the seeds' own values.

The k-th smallest and the k-th largest of n values have the true median between them unless fewer
than k values fall on one of its sides. So their coverage is 1 - 2 P(Bin(n, 1/2) < k), whatever the
distribution is. That matters here: seeds either generalise or don't, and a normal approximation or
a bootstrap of three such values would be a guess about their shape.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

LEVEL = 0.9
"""The coverage that an interval has at least, if there are enough values for it: five."""
FEWEST = 3
"""Seeds below which nothing is decided. Three that agree are wrong about the median's side one time
in eight at the most, five one time in 32."""


@dataclass(frozen=True)
class Interval:
    """Around a median."""

    low: float
    middle: float
    high: float
    coverage: float
    """How often such an interval has the true median in it, at the least."""

    def __sub__(self, other: "Interval") -> "Interval":
        """Of the difference of two medians: true whenever both intervals are."""
        coverage = max(self.coverage + other.coverage - 1, 0.0)
        return Interval(
            self.low - other.high, self.middle - other.middle, self.high - other.low, coverage
        )


def coverage(number: int, k: int) -> float:
    """Of the interval from the k-th smallest to the k-th largest of so many values."""
    outside = 2 * sum(comb(number, below) for below in range(k)) / float(2**number)
    return max(1 - outside, 0.0)


def interval(values: Sequence[float]) -> Interval:
    """The narrowest that has the level; all of the values' range where none has it."""
    ordered, number = sorted(values), len(values)
    k = 1
    while 2 * (k + 1) <= number + 1 and coverage(number, k + 1) >= LEVEL:
        k += 1
    return Interval(ordered[k - 1], median(ordered), ordered[-k], coverage(number, k))


def stretched(number: int, to: int) -> list[int]:
    """Which of so many values, in order, each of more values would be if they went on alike."""
    return [(2 * place + 1) * number // (2 * to) for place in range(to)]
