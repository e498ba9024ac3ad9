"""Codes of a finite variable: which of them stand in the stream, and what they are called.

A *code* gives each value of a variable an integer: the value itself, its square, 1 for some values
and 0 for the others. A reader asks for the codes that it needs, and only these get dimensions. A
code that is a sum of others with integer weights needs none: it is read from theirs
(docs, "Codes").
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from raspl.compiler.residual import Form, total

Vector = NDArray[np.int64]
LARGEST = 2047
"""Codes that are squared stay within this, so that sums of squares are exact in float32."""
MOST_TOTAL = 1 << 23
"""What the terms of a sum of codes may add up to; integers up to twice this are exact."""
FEW = 6
"""So many values are listed in a name."""


class Basis:
    """The codes of one variable that stand in the stream, with the forms that read them."""

    def __init__(self, size: int, one: Form) -> None:
        self._vectors = np.ones((1, size), dtype=np.int64)
        self._forms = [one]
        # The directions are orthonormal, and they are the rows of weights @ vectors.
        self._directions = np.ones((1, size)) / np.sqrt(size)
        self._weights = np.full((1, 1), 1 / np.sqrt(size))
        self._known: dict[bytes, Form] = {}
        self._last: tuple[bytes, int, NDArray[np.float64], NDArray[np.float64] | None] | None = None

    def read(self, code: Vector) -> Form | None:
        """The code as a sum of those that stand there, or None."""
        known = self._known.get(code.tobytes())
        if known is not None:
            return known
        along, beyond = self._split(code)
        if beyond is not None:
            return None
        weights = np.rint(along @ self._weights).astype(np.int64)
        if not np.array_equal(weights @ self._vectors, code):
            return None
        if int(np.abs(weights) @ np.abs(self._vectors).max(axis=1)) > MOST_TOTAL:
            return None
        chosen = np.flatnonzero(weights)
        return total(float(weights[n]) * self._forms[n] for n in chosen.tolist())

    def add(self, code: Vector, form: Form) -> None:
        """A code that stands there from now on."""
        self._known[code.tobytes()] = form
        along, beyond = self._split(code)
        if beyond is None:
            # A sum of others, though not with integers: it serves whoever asks for it only.
            return
        length = np.sqrt(beyond @ beyond)
        self._vectors = np.vstack([self._vectors, code])
        self._forms.append(form)
        self._directions = np.vstack([self._directions, beyond / length])
        count = len(along)
        weights = np.zeros((count + 1, count + 1))
        weights[:count, :count] = self._weights
        weights[count, :count] = -along @ self._weights / length
        weights[count, count] = 1 / length
        self._weights = weights

    def _split(self, code: Vector) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
        """A code along the directions, and the part beyond them, if there is one."""
        key, count = code.tobytes(), len(self._forms)
        if self._last is not None and self._last[:2] == (key, count):
            # What was looked for in vain is what is added next.
            return self._last[2:]
        numbers = code.astype(float)
        along = self._directions @ numbers
        left = numbers - along @ self._directions
        # Once more, for what rounding has left.
        again = self._directions @ left
        along, left = along + again, left - again @ self._directions
        is_beyond = left @ left > 1e-14 * (1 + numbers @ numbers)
        self._last = key, count, along, left if is_beyond else None
        return self._last[2:]


def numbering(values: Vector) -> Vector:
    """A small integer for each value: itself, or its place among all if it is large."""
    if int(np.abs(values).max(initial=0)) <= LARGEST:
        return values
    return np.arange(len(values), dtype=np.int64) - len(values) // 2


def is_two_valued(code: Vector) -> bool:
    """Whether a code only tells some values from all others."""
    low, high = code.min(), code.max()
    return bool(low != high and ((code == low) | (code == high)).all())


def extended(values: Vector, code: Vector, wanted: Vector) -> Vector:
    """A code at other values too: where it is linear it goes on, else what is new is as the least.

    The new values can't be reached where the code is read, so any number would do.
    """
    if len(values) > 1:
        slope, rest = divmod(int(code[1] - code[0]), int(values[1] - values[0]))
        if not rest and np.array_equal(code, code[0] + slope * (values - values[0])):
            goes_on: Vector = code[0] + slope * (wanted - values[0])
            if int(np.abs(goes_on).max(initial=0)) <= LARGEST:
                return goes_on
    places = np.minimum(np.searchsorted(values, wanted), len(values) - 1)
    found: Vector = np.where(values[places] == wanted, code[places], code.min())
    return found


def code_name(name: str, values: Vector, code: Vector) -> str:
    """What stands in a dimension: `x`, `x²`, `x = 1 or 5`, `x ≥ 4`, `rank of x`."""
    if np.array_equal(code, values):
        return name
    if np.array_equal(code, values**2):
        return f"{name}²"
    if int(code.min()) == 0 and int(code.max()) == 1 and is_two_valued(code):
        return _set_name(name, values, code == 1)
    offset = code - values
    if (offset == offset[0]).all():
        return f"{name} {'+' if offset[0] > 0 else '-'} {abs(int(offset[0]))}"
    if np.array_equal(code, np.arange(len(code))):
        return f"rank of {name}"
    if np.array_equal(code, numbering(values) ** 2):
        return f"(rank of {name})²"
    return f"code of {name}"


def _set_name(name: str, values: Vector, chosen: NDArray[np.bool_]) -> str:
    count = int(chosen.sum())
    if 1 < count < len(values) - 1:
        if chosen[-count:].all():
            return f"{name} ≥ {values[-count]}"
        if chosen[:count].all():
            return f"{name} ≤ {values[count - 1]}"
    if count <= len(values) / 2 or count <= FEW:
        return f"{name} = {listed(values[chosen].tolist())}"
    return f"{name} ≠ {listed(values[~chosen].tolist())}"


def listed(values: list[int]) -> str:
    """`1, 2 or 5`."""
    if len(values) > FEW:
        return f"{', '.join(map(str, values[: FEW - 1]))} or {len(values) - FEW + 1} others"
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last
