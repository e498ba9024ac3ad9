"""Tables of two finite variables as hidden units, in one of four ways (docs, "Tables").

Each way is exact: every gate is an integer, and a unit is 0 or the integer that is wanted. The one
with the fewest units and codes is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.compiler.features import LARGEST, MOST_TOTAL, Vector

Cells = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sum:
    """constant + a code of x + a code of y."""

    constant: int
    x: Vector
    y: Vector

    @property
    def largest(self) -> int:
        """What its terms may add up to."""
        return abs(self.constant) + int(np.abs(self.x).max()) + int(np.abs(self.y).max())


@dataclass(frozen=True, slots=True)
class Way:
    """A table as a sum, plus weighted ReLUs of sums."""

    linear: Sum
    units: tuple[tuple[int, Sum], ...]
    one_at_a_time: bool = False
    """Whether at most one of the units is not 0."""

    @property
    def cost(self) -> int:
        """Units, and twice the different codes that they read: a dimension costs more."""
        sums = [self.linear, *(gate for _, gate in self.units)]
        codes = {(side, part.tobytes()) for s in sums for side, part in (("x", s.x), ("y", s.y))
                 if part.any()}  # fmt: skip
        return len(self.units) + 2 * len(codes)

    @property
    def is_exact(self) -> bool:
        """Whether all integers on the way are small enough for float32."""
        units = [abs(weight) * gate.largest for weight, gate in self.units]
        together = max(units, default=0) if self.one_at_a_time else sum(units)
        return self.linear.largest + together <= MOST_TOTAL


def best_way(
    x_values: Vector, y_values: Vector, cells: Cells, alive: NDArray[np.bool_]
) -> Way | None:
    """The cheapest exact way to compute a table; `alive` are the pairs that can occur."""
    found = [way for way in _ways(x_values, y_values, cells, alive) if way.is_exact]
    return min(found, key=lambda way: way.cost, default=None)


def _ways(
    x_values: Vector, y_values: Vector, cells: Cells, alive: NDArray[np.bool_]
) -> Iterator[Way]:
    for sign in (1, -1):
        way = _of_sum(x_values, sign * y_values, cells, alive)
        if way is not None:
            yield way
    filled = np.where(alive, cells, _most_common(cells[alive]))
    guarded = _guarded(filled)
    if guarded is not None:
        yield guarded
    yield _by_class(filled)
    yield _swapped(_by_class(np.ascontiguousarray(filled.T)))


def _most_common(values: Vector) -> int:
    found, counts = np.unique(values, return_counts=True)
    return int(found[counts.argmax()])


def _swapped(way: Way) -> Way:
    def swap(s: Sum) -> Sum:
        return Sum(s.constant, s.y, s.x)

    units = tuple((weight, swap(gate)) for weight, gate in way.units)
    return Way(swap(way.linear), units, way.one_at_a_time)


def bends(points: Vector, heights: Vector) -> list[tuple[int, int]]:
    """A function of an integer as weighted ReLUs: (where it bends, by how much).

    The function is heights[0] + Σ bend · ReLU(d - where) at every point d, all at least points[0].
    Between points that are not neighbours it is level, then steps up to the next.
    """
    found: list[tuple[int, int]] = []
    slope = 0
    for at, to, low, high in zip(
        points[:-1].tolist(), points[1:].tolist(), heights[:-1].tolist(), heights[1:].tolist(),
        strict=True,
    ):  # fmt: skip
        rise, rest = divmod(high - low, to - at)
        steps = [(at, rise)] if not rest else [(at, 0), (to - 1, high - low)]
        for where, wanted in steps:
            if wanted != slope:
                found.append((where, wanted - slope))
                slope = wanted
    return found


def _of_sum(x: Vector, y: Vector, cells: Cells, alive: NDArray[np.bool_]) -> Way | None:
    """A function of x + y: an equality of integers has three bends, an order two, a sum none."""
    if max(int(np.abs(x).max()), int(np.abs(y).max())) > LARGEST:
        return None
    sums = x[:, None] + y
    least = int(sums.min())
    heights = np.zeros(int(sums.max()) - least + 1, dtype=np.int64)
    reached = np.zeros(len(heights), dtype=bool)
    heights[sums[alive] - least] = cells[alive]
    reached[sums[alive] - least] = True
    if not np.array_equal(heights[sums[alive] - least], cells[alive]):
        return None
    points = np.flatnonzero(reached) + least
    first = int(points[0])
    slopes = bends(points, heights[points - least])
    # What it starts with is a sum and needs no unit.
    start = slopes[0][1] if slopes and slopes[0][0] == first else 0
    if start:
        slopes = slopes[1:]
    linear = Sum(int(heights[first - least]) - start * first, start * x, start * y)
    return Way(linear, tuple((bend, Sum(-where, x, y)) for where, bend in slopes))


def _guarded(cells: Cells) -> Way | None:
    """A sum p(x) + r(y) for some x and some y, and one value for all other pairs.

    Where x is none of them p(x) is so low that the ReLU is 0, and so for y.
    """
    common = _most_common(cells)
    differs = cells != common
    rows, columns = differs.any(1), differs.any(0)
    if not rows.any():
        zero = np.zeros
        return Way(Sum(common, zero(len(rows), np.int64), zero(len(columns), np.int64)), ())
    inner = cells[np.ix_(rows, columns)] - common
    p, r = inner[:, 0], inner[0] - inner[0, 0]
    if not np.array_equal(inner, p[:, None] + r):
        return None
    nothing = Sum(common, np.zeros(len(rows), np.int64), np.zeros(len(columns), np.int64))
    least, most = int(inner.min()), int(inner.max())
    sign = 1 if abs(most) >= abs(least) else -1
    p, r = sign * p, sign * r
    lift = max(0, -int((p[:, None] + r).min()))
    x, y = np.zeros(len(rows), np.int64), np.zeros(len(columns), np.int64)
    x[rows], y[columns] = p + lift, r
    x[~rows], y[~columns] = -max(int(r.max()), 0), -max(int((p + lift).max()), 0)
    units = [(sign, Sum(0, x, y))]
    if lift:
        units.append((-sign * lift, Sum(-1, rows.astype(np.int64), columns.astype(np.int64))))
    return Way(nothing, tuple(units))


def _by_class(cells: Cells) -> Way:
    """A code of y for each class of x, let through where x is in the class.

    Rows that are equal are one class. T(x, y) is the first class's row, plus for each other class
    what its row adds to that: ReLU(added - least - (most - least)·[x is not in it]) + least·[x in
    it], where the ReLU is added - least inside and 0 outside.
    """
    classes: dict[bytes, list[int]] = {}
    for number, row in enumerate(np.ascontiguousarray(cells)):
        classes.setdefault(row.tobytes(), []).append(number)
    groups = sorted(classes.values(), key=len, reverse=True)
    base = cells[groups[0][0]]
    linear_x = np.zeros(len(cells), np.int64)
    units = []
    for rows in groups[1:]:
        added = cells[rows[0]] - base
        least, most = int(added.min()), int(added.max())
        linear_x[rows] = least
        if most > least:
            inside = np.zeros(len(cells), np.int64)
            inside[rows] = most - least
            units.append((1, Sum(-most, inside, added)))
    return Way(Sum(0, linear_x, base), tuple(units), one_at_a_time=True)
