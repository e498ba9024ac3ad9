"""Indices that a select compares: two digits, and the sum of their squares.

(docs, "Equality of indices")
"""

from __future__ import annotations

from dataclasses import replace

from raspl.compiler.context import Lowering
from raspl.compiler.positions import digit_formulas
from raspl.compiler.residual import BASE, Digits, Form, Scalar


def digit_names(name: str) -> tuple[str, str, str]:
    """What the dimensions of an index with digits are called."""
    return f"{name} // {BASE}", f"{name} % {BASE}", f"digits² of {name}"


def index_digits(low: Lowering, shift: int = 0) -> Digits:
    """The digits of index + shift, which positions bring by formula."""
    high, digit, squares = (low.build.formula(name) for name in digit_formulas(shift))
    return Digits(high, digit, squares)


def normal(low: Lowering, label: str, variable: str, x: Scalar) -> Scalar:
    """The same index with its shift carried out in its digits.

    low + shift = low' + BASE·c, where c is floor(shift / BASE), or one more from some digit on. So
    the digits change by the step ReLU(low - t + 1) - ReLU(low - t), and gated units square them.
    None stays all 0: its low digit is below every t.
    """
    assert x.digits is not None
    if not x.shift or x.present.is_zero:
        return replace(x, shift=0)
    if x.positional:
        return replace(x, base=x.value, digits=index_digits(low, x.shift), shift=0)
    build, one = low.build, low.build.one
    carry, rest = divmod(x.shift, BASE)
    names = digit_names(label)
    step = Form({})
    if rest:
        first = float(BASE - rest)
        gates = [(w, x.digits.low - (first - s) * one) for w, s in ((1.0, 1.0), (-1.0, 0.0))]
        step = build.relu(f"{label}: carry", variable, gates)
    high = x.digits.high + float(carry) * x.present + step
    digit = x.digits.low + float(rest) * x.present - float(BASE) * step
    square = [(1.0, high, high), (1.0, -1.0 * high, -1.0 * high), (1.0, digit, digit)]
    squares = build.units(names[2], variable, square)
    return replace(x, base=x.value, digits=Digits(high, digit, squares), shift=0)
