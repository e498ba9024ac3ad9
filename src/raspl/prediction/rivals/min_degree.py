"""The interpolator of minimum degree profile: the rival notion of simplicity.

A function g on {0,1}^n has Fourier weights W_0 … W_n, one for each degree. Its degree profile is
(W_n, …, W_0), compared from the highest degree down. Of all functions that agree with f on a set S,
the one of least profile is unique, and it is computed here exactly, in rationals.

Why it is small work even for n = 20. Let A_k be the |S| × C(n, k) matrix of the characters of
degree k at the points of S. The least weight W_k that is needed is a least-norm problem, whose
solution lies in the row space of A_k: c_k = A_kᵀ λ_k. So only the Gram matrices A_k A_kᵀ are
needed, and their entry at (x, y) is the Krawtchouk number K_k(d) of the Hamming distance d: the
characters are never listed. Degree k must explain what the degrees below can't: the part of the
values on the left null space L of (A_0 … A_{k-1}). Hence λ_k = L u with (Lᵀ G_k L) u = Lᵀ y.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from operator import add

from raspl.errors import RasplError

Point = tuple[int, ...]
Vector = list[Fraction]
Matrix = list[Vector]
MOST_POINTS = 128


@cache
def krawtchouk(n: int, degree: int, distance: int) -> int:
    """The sum of all characters of one degree at a point with so many ones."""
    return sum(
        (-1) ** j * comb(distance, j) * comb(n - distance, degree - j) for j in range(degree + 1)
    )


@dataclass(frozen=True)
class Interpolator:
    """The function of least degree profile through given values."""

    points: tuple[Point, ...]
    multipliers: tuple[tuple[Fraction, ...], ...]
    """λ_k for each degree k: the coefficient of a character T of that degree is Σ λ_k(x) χ_T(x)."""

    @property
    def n(self) -> int:
        return len(self.points[0])

    def __call__(self, point: Sequence[int]) -> Fraction:
        """The value at any point."""
        distances = [_distance(point, x) for x in self.points]
        return sum(
            (
                multiplier * krawtchouk(self.n, degree, distance)
                for degree, level in enumerate(self.multipliers)
                for multiplier, distance in zip(level, distances, strict=True)
                if multiplier
            ),
            Fraction(0),
        )

    @property
    def profile(self) -> tuple[Fraction, ...]:
        """The weights from degree n down to 0."""
        return tuple(self._weight(level, degree) for degree, level in enumerate(self.multipliers))[
            ::-1
        ]

    @property
    def degree(self) -> int:
        """The highest degree with any weight."""
        return max((k for k, w in enumerate(reversed(self.profile)) if w), default=0)

    @property
    def variables(self) -> tuple[int, ...]:
        """The coordinates that the function depends on."""
        return tuple(i for i in range(self.n) if self._influence(i))

    def _weight(self, level: Sequence[Fraction], degree: int) -> Fraction:
        used = [(m, x) for m, x in zip(level, self.points, strict=True) if m]
        return sum(
            (a * b * krawtchouk(self.n, degree, _distance(x, y)) for a, x in used for b, y in used),
            Fraction(0),
        )

    def _influence(self, i: int) -> Fraction:
        """The weight of the characters that contain coordinate i: zero exactly if none is used."""
        total = Fraction(0)
        for degree, level in enumerate(self.multipliers):
            used = [(m, x) for m, x in zip(level, self.points, strict=True) if m and degree]
            for a, x in used:
                for b, y in used:
                    differs = x[i] != y[i]
                    sign = -1 if differs else 1
                    rest = krawtchouk(self.n - 1, degree - 1, _distance(x, y) - differs)
                    total += a * b * sign * rest
        return total


def interpolate(values: Mapping[Point, int | Fraction]) -> Interpolator:
    """The function of minimum degree profile that has the given values."""
    points = tuple(values)
    if not points:
        raise RasplError("an interpolator needs at least one point")
    if len(points) > MOST_POINTS:
        raise RasplError(
            f"{len(points)} points are given; exact interpolation is for {MOST_POINTS} or less"
        )
    n = len(points[0])
    if any(len(point) != n or set(point) - {0, 1} for point in points):
        raise RasplError("the points must be tuples of bits, all of one length")
    wanted = [Fraction(values[point]) for point in points]
    grams = [_gram(points, degree) for degree in range(n + 1)]
    below = [_zero(len(points))]
    for gram in grams:
        below.append([list(map(add, *rows)) for rows in zip(below[-1], gram, strict=True)])
    multipliers = [[Fraction(0)] * len(points) for _ in range(n + 1)]
    for degree in reversed(range(n + 1)):
        null = _null_space(below[degree])
        target = [_dot(vector, wanted) for vector in null]
        if not any(target):
            continue  # the degrees below suffice
        images = [_times(grams[degree], vector) for vector in null]
        system = [[_dot(vector, image) for image in images] for vector in null]
        solution = _solve(system, target)
        multipliers[degree] = [
            sum((u * vector[row] for u, vector in zip(solution, null, strict=True)), Fraction(0))
            for row in range(len(points))
        ]
        explained = _times(grams[degree], multipliers[degree])
        wanted = [a - b for a, b in zip(wanted, explained, strict=True)]
    return Interpolator(points, tuple(tuple(level) for level in multipliers))


def _distance(x: Sequence[int], y: Sequence[int]) -> int:
    return sum(a != b for a, b in zip(x, y, strict=True))


def _gram(points: Sequence[Point], degree: int) -> Matrix:
    n = len(points[0])
    return [[Fraction(krawtchouk(n, degree, _distance(x, y))) for y in points] for x in points]


def _zero(size: int) -> Matrix:
    return [[Fraction(0)] * size for _ in range(size)]


def _dot(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), Fraction(0))


def _times(matrix: Matrix, vector: Sequence[Fraction]) -> Vector:
    return [_dot(row, vector) for row in matrix]


def _reduced(matrix: Matrix) -> tuple[Matrix, list[int]]:
    """Row echelon form with ones as pivots, and the pivots' columns."""
    rows = [list(row) for row in matrix]
    pivots: list[int] = []
    width = len(rows[0]) if rows else 0
    for column in range(width):
        top = len(pivots)
        found = next((r for r in range(top, len(rows)) if rows[r][column]), None)
        if found is None:
            continue
        rows[top], rows[found] = rows[found], rows[top]
        head = rows[top][column]
        rows[top] = [value / head for value in rows[top]]
        for r in range(len(rows)):
            factor = rows[r][column]
            if r != top and factor:
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[top], strict=True)]
        pivots.append(column)
    return rows, pivots


def _null_space(matrix: Matrix) -> Matrix:
    """A basis of the vectors that a symmetric matrix sends to zero."""
    rows, pivots = _reduced(matrix)
    size = len(matrix)
    basis = []
    for free in (column for column in range(size) if column not in pivots):
        vector = [Fraction(0)] * size
        vector[free] = Fraction(1)
        for row, pivot in zip(rows, pivots, strict=False):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def _solve(matrix: Matrix, target: Sequence[Fraction]) -> Vector:
    """Any solution of a consistent system."""
    rows, pivots = _reduced([[*row, value] for row, value in zip(matrix, target, strict=True)])
    if pivots and pivots[-1] == len(matrix):
        raise AssertionError("no degree explains the values, which can't be")
    solution = [Fraction(0)] * len(matrix)
    for row, pivot in zip(rows, pivots, strict=False):
        solution[pivot] = row[-1]
    return solution
