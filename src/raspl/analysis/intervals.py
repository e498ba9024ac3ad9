"""Bounds of scalar functions: between which integers a value lies, and every step on the way.

The steps matter because a function may pass through integers that no machine word holds (only its
result is checked against the program's width), and arrays may be used only where none does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from raspl.language.ir.scalar import COMPARISONS, Expr, Lit, Var


@dataclass(frozen=True, slots=True)
class Interval:
    """All integers from `low` to `high`."""

    low: int
    high: int

    @property
    def magnitude(self) -> int:
        """The greatest absolute value."""
        return max(abs(self.low), abs(self.high))

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    def hull(self, other: Interval) -> Interval:
        """The least interval that holds both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known of an expression before it is evaluated."""

    interval: Interval
    peak: int
    """The greatest absolute value that it or any part of it can have."""
    divides: bool
    """Whether some part might divide by zero."""


TRUTH = Interval(0, 1)


def _corners(a: Interval, b: Interval, op: Callable[[int, int], int]) -> Interval:
    """The hull of an operation that is monotone in each argument."""
    values = [op(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(values), max(values))


def _floordiv(a: Interval, b: Interval) -> Interval:
    if 0 in b:
        return Interval(-a.magnitude, a.magnitude)
    return _corners(a, b, lambda x, y: x // y)


def _mod(a: Interval, b: Interval) -> Interval:
    """A remainder has the sign of the divisor and is smaller than it."""
    return Interval(min(b.low + 1, 0), max(b.high - 1, 0))


def _bitwise(a: Interval, b: Interval) -> Interval:
    width = max(abs(x).bit_length() for x in (a.low, a.high, b.low, b.high))
    return Interval(0 if min(a.low, b.low) >= 0 else -(1 << width), (1 << width) - 1)


def _abs(a: Interval) -> Interval:
    return Interval(0 if 0 in a else min(abs(a.low), abs(a.high)), a.magnitude)


RULES: dict[str, Callable[..., Interval]] = {
    **dict.fromkeys(COMPARISONS, lambda a, b: TRUTH),
    "+": lambda a, b: Interval(a.low + b.low, a.high + b.high),
    "-": lambda a, b: Interval(a.low - b.high, a.high - b.low),
    "*": lambda a, b: _corners(a, b, lambda x, y: x * y),
    "//": _floordiv,
    "%": _mod,
    "&": _bitwise,
    "|": _bitwise,
    "^": _bitwise,
    "neg": lambda a: Interval(-a.high, -a.low),
    # `a and b` is 0 or b; `a or b` is a or b.
    "and": lambda a, b: b.hull(Interval(0, 0)),
    "or": lambda a, b: a.hull(b),
    "not": lambda a: TRUTH,
    "if": lambda c, a, b: a.hull(b),
    "abs": _abs,
    "min": lambda a, b: Interval(min(a.low, b.low), min(a.high, b.high)),
    "max": lambda a, b: Interval(max(a.low, b.low), max(a.high, b.high)),
}


def bounds(expr: Expr, params: Sequence[Interval]) -> Bounds:
    """The bounds of an expression whose parameters lie in these intervals."""
    if isinstance(expr, Lit):
        return Bounds(Interval(expr.value, expr.value), abs(expr.value), False)
    if isinstance(expr, Var):
        return Bounds(params[expr.index], params[expr.index].magnitude, False)
    parts = [bounds(arg, params) for arg in expr.args]
    interval = RULES[expr.name](*(part.interval for part in parts))
    divides = any(part.divides for part in parts)
    if expr.name in ("//", "%"):
        divides = divides or 0 in parts[1].interval
    return Bounds(interval, max(interval.magnitude, *(part.peak for part in parts)), divides)
