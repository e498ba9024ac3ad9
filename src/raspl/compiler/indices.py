"""Indices that selects compare, in the codes that a score can compare exactly.

Two digits and the sum of their squares where at most one key can match (docs, "Looking up an
index"); the bits of a remainder where several can, so that an order must choose (docs, "Matching an
index").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from raspl.compiler.context import Lowering
from raspl.compiler.positions import index_formula
from raspl.compiler.residual import (
    BASE,
    BITS,
    DIGITS,
    REMAINDER,
    ZERO,
    Form,
    Scalar,
    part_name,
    total,
)
from raspl.language.ir.primitives import Node

ALL_PARTS = DIGITS + REMAINDER


def nothing() -> Scalar:
    """None at every position: every form is 0."""
    return Scalar(ZERO, ZERO, 0, 0, dict.fromkeys(ALL_PARTS, ZERO))


def needed_parts(low: Lowering, node: Node) -> tuple[str, ...]:
    """What selects compare of an index."""
    digits = DIGITS if node in low.looked_up else ()
    return digits + REMAINDER if node in low.matched else digits


def index_parts(low: Lowering, parts: Sequence[str], shift: int) -> dict[str, Form]:
    """Parts of index + shift, which positions bring by formula."""
    return {part: low.build.formula(index_formula(part, shift)) for part in parts}


def made_of(
    low: Lowering, node: Node, sources: Sequence[Scalar], present: Form,
    make: Callable[[str, Sequence[Form]], Form],
) -> Scalar:  # fmt: skip
    """An index that is made of others with the same shift, part by part.

    `make` gets the name of a part and the form of that part in every source.
    """
    shift = sources[0].shift
    name = low.names[node]
    if shift:
        name = f"{name} {'-' if shift > 0 else '+'} {abs(shift)}"
    parts = {
        part: make(part_name(part, name), [x.parts[part] for x in sources])
        for part in needed_parts(low, node)
    }
    if "high" in parts:
        base = float(BASE) * parts["high"] + parts["low"]
    else:
        base = make(name, [x.base for x in sources])
    there = [x for x in sources if not x.present.is_zero] or sources
    least, most = min(x.low for x in there), max(x.high for x in there)
    return Scalar(base, present, least, most, parts, shift)


def normal(low: Lowering, label: str, variable: str, x: Scalar) -> Scalar:
    """The same index with its shift carried out in its parts."""
    if not x.shift or x.present.is_zero:
        return replace(x, shift=0)
    parts: dict[str, Form] = {}
    if x.positional:
        parts = index_parts(low, list(x.parts), x.shift)
    else:
        if "high" in x.parts:
            parts |= _shifted_digits(low, label, variable, x)
        if REMAINDER[0] in x.parts:
            parts |= _bits(low, label, variable, x)
    return replace(x, base=x.value, parts=parts, shift=0)


def _step(low: Lowering, name: str, variable: str, value: Form, at: int) -> Form:
    """1 where an integer is at least so much, else 0."""
    gates = [
        (1.0, value - float(at - 1) * low.build.one),
        (-1.0, value - float(at) * low.build.one),
    ]
    return low.build.relu(name, variable, gates)


def _shifted_digits(low: Lowering, label: str, variable: str, x: Scalar) -> dict[str, Form]:
    """low + shift = low' + BASE·c, where c is floor(shift / BASE), or one more from some digit on.

    Gated units square the new digits. None stays all 0, as its digit is below every step.
    """
    carry, rest = divmod(x.shift, BASE)
    step = _step(low, f"{label}: carry", variable, x.parts["low"], BASE - rest) if rest else ZERO
    high = total((x.parts["high"], float(carry) * x.present, step))
    digit = total((x.parts["low"], float(rest) * x.present, float(-BASE) * step))
    square = [(1.0, high, high), (1.0, -1.0 * high, -1.0 * high), (1.0, digit, digit)]
    squares = low.build.units(part_name("squares", label), variable, square)
    return dict(zip(DIGITS, (high, digit, squares), strict=True))


def _bits(low: Lowering, label: str, variable: str, x: Scalar) -> dict[str, Form]:
    """The bits of a number, one MLP after the other: is what is left at least 2^bit?

    Before that the number is brought to 0 … 2^BITS - 1; no two numbers that meet are further apart.
    """
    span = 1 << BITS
    left = x.value
    below = low.build.relu(
        f"{label}: below 0", variable,
        [(1.0, -1.0 * left), (-1.0, -1.0 * left - low.build.one)],
    )  # fmt: skip
    above = _step(low, f"{label}: beyond", variable, left, span)
    left = total((left, float(span) * below, float(-span) * above))
    bits: dict[str, Form] = {}
    for number in reversed(range(BITS)):
        part = REMAINDER[number]
        bits[part] = _step(low, part_name(part, label), variable, left, 1 << number)
        left = left - float(1 << number) * bits[part]
    return {part: bits[part] for part in REMAINDER}
