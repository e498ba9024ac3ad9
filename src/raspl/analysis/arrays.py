"""Scalar functions on whole arrays: the same values as one call for each element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.analysis.intervals import Interval, bounds
from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var

Array = NDArray[Any]
Failed = Array | None
"""Where a division by zero happened; None stands for nowhere."""

WORDS = ((np.dtype(np.int32), 2**31 - 1), (np.dtype(np.int64), 2**63 - 1))


def apply(fn: Fn, columns: Sequence[Array]) -> tuple[Array, Failed]:
    """The function at every element, and where it divided by zero.

    The word is chosen so that nothing wraps on the way; where none is wide enough the function
    becomes a table over the arguments that occur, calculated with Python's integers.
    """
    if not columns[0].size:
        return columns[0], None
    intervals = [Interval(int(c.min()), int(c.max())) for c in columns]
    peak = bounds(fn.body, intervals).peak
    for word, limit in WORDS:
        if peak <= limit:
            arguments = [c.astype(word, copy=False) for c in columns]
            values, failed = _evaluate(fn.body, arguments, word)
            shape = columns[0].shape
            if failed is not None:
                failed = np.broadcast_to(failed, shape)
            return np.broadcast_to(_number(values, word), shape), failed
    return _by_row(fn, columns)


def tabulated(fn: Fn, columns: Sequence[Array]) -> tuple[Array, Failed]:
    """As `apply`, through a table of the arguments that occur where that is cheaper."""
    if _cost(fn.body) < 3 or not columns[0].size:
        return apply(fn, columns)
    lows = [int(column.min()) for column in columns]
    widths = [int(c.max()) - low + 1 for c, low in zip(columns, lows, strict=True)]
    cells = int(np.prod(widths, dtype=float))
    if cells > columns[0].size // 4:
        return apply(fn, columns)
    ranges = [np.arange(low, low + width) for low, width in zip(lows, widths, strict=True)]
    values, failed = apply(fn, np.meshgrid(*ranges, indexing="ij"))
    place = columns[0] - lows[0]
    for column, low, width in zip(columns[1:], lows[1:], widths[1:], strict=True):
        place = place * width + (column - low)
    place = place.astype(np.intp)
    taken = None if failed is None else failed.ravel().take(place)
    return values.ravel().take(place), taken


def _cost(expr: Expr) -> int:
    """Roughly how many cheap array operations an expression takes; division is a dear one."""
    if not isinstance(expr, Op):
        return 0
    return (5 if expr.name in ("//", "%") else 1) + sum(_cost(arg) for arg in expr.args)


def _by_row(fn: Fn, columns: Sequence[Array]) -> tuple[Array, Failed]:
    shape = columns[0].shape
    rows = np.stack([c.ravel() for c in columns], axis=1)
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    values = np.zeros(len(unique), dtype=object)
    failed = np.zeros(len(unique), dtype=bool)
    for number, row in enumerate(unique.tolist()):
        try:
            values[number] = fn(*row)
        except ZeroDivisionError:
            failed[number] = True
    inverse = inverse.reshape(-1)
    return values[inverse].reshape(shape), failed[inverse].reshape(shape)


def _number(values: Array, word: np.dtype[Any]) -> Array:
    """Truth values as integers: NumPy's arithmetic on booleans is logic."""
    return values.astype(word) if values.dtype == bool else values


def _either(a: Failed, b: Failed) -> Failed:
    if a is None or b is None:
        return a if b is None else b
    return a | b


def _only(where: Array, failed: Failed) -> Failed:
    return None if failed is None else where & failed


def _evaluate(expr: Expr, params: Sequence[Array], word: np.dtype[Any]) -> tuple[Array, Failed]:
    if isinstance(expr, Lit):
        return np.asarray(expr.value, dtype=word), None
    if isinstance(expr, Var):
        return params[expr.index], None
    parts = [_evaluate(arg, params, word) for arg in expr.args]
    if expr.name in LAZY:
        return LAZY[expr.name](parts, word)
    values = [part[0] for part in parts]
    failed = parts[0][1] if len(parts) == 1 else _either(parts[0][1], parts[1][1])
    if expr.name == "not":
        return values[0] == 0, failed
    numbers = [_number(value, word) for value in values]
    if expr.name in ("//", "%"):
        zero = numbers[1] == 0
        if zero.any():
            numbers[1] = np.where(zero, 1, numbers[1])
            failed = _either(failed, zero)
    return EAGER[expr.name](*numbers), failed


EAGER: dict[str, Callable[..., Array]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "//": np.floor_divide, "%": np.remainder,
    "==": np.equal, "!=": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater,
    ">=": np.greater_equal, "&": np.bitwise_and, "|": np.bitwise_or, "^": np.bitwise_xor,
    "neg": np.negative, "abs": np.abs, "min": np.minimum, "max": np.maximum,
}  # fmt: skip


def _and(parts: list[tuple[Array, Failed]], word: np.dtype[Any]) -> tuple[Array, Failed]:
    (a, a_failed), (b, b_failed) = parts
    true = a != 0
    values = true & b if b.dtype == bool else np.where(true, b, np.asarray(0, word))
    return values, _either(a_failed, _only(true, b_failed))


def _or(parts: list[tuple[Array, Failed]], word: np.dtype[Any]) -> tuple[Array, Failed]:
    (a, a_failed), (b, b_failed) = parts
    true = a != 0
    if a.dtype == b.dtype == bool:
        values = a | b
    else:
        values = np.where(true, _number(a, word), _number(b, word))
    return values, _either(a_failed, _only(~true, b_failed))


def _if(parts: list[tuple[Array, Failed]], word: np.dtype[Any]) -> tuple[Array, Failed]:
    (c, c_failed), (a, a_failed), (b, b_failed) = parts
    true = c != 0
    values = np.where(true, _number(a, word), _number(b, word))
    return values, _either(c_failed, _either(_only(true, a_failed), _only(~true, b_failed)))


LAZY: dict[str, Callable[[list[tuple[Array, Failed]], np.dtype[Any]], tuple[Array, Failed]]] = {
    "and": _and,
    "or": _or,
    "if": _if,
}
