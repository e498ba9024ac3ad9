"""Indices in the stream, with the parts of them that selects compare.

Two digits and the sum of their squares where at most one key can match
(docs, "Looking up an index"); the bits of a remainder where several can, so that an order must
choose (docs, "Matching an index"). A part of a shifted index is made of parts that are shifted as
far, down to the positions, whose formulas bring them all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from raspl.compiler.context import Lowering
from raspl.compiler.positions import index_formula, part_of
from raspl.compiler.residual import ZERO, Form, Scalar, part_name
from raspl.language.ir.primitives import Node


def nothing() -> Scalar:
    """None at every position: every form is 0."""
    return Scalar(lambda: ZERO, lambda part, shift: ZERO, ZERO, 0, 0)


def of_position(low: Lowering) -> Scalar:
    """The index of a position."""
    build = low.build
    return Scalar(
        lambda: build.position - build.one,
        lambda part, shift: build.formula(index_formula(part, shift)),
        build.one,
        0,
        0,
        positional=True,
    )


def rounded(low: Lowering, move: Callable[[Form, str], Form], name: str) -> Scalar:
    """A count, which a head moves from the position that has this number.

    The position is the next index. The sink stands for the count 0 and moves nothing, so what is
    moved is the difference to the part of 0.
    """
    build = low.build

    @cache
    def part(which: str, shift: int) -> Form:
        at_zero = float(part_of(which, shift)) * build.one
        held = build.formula(index_formula(which, shift + 1))
        return at_zero + move(held - at_zero, part_name(which, shifted_name(name, shift)))

    return Scalar(cache(lambda: move(build.position, name)), part, build.one, 0, 1)


def made_of(
    low: Lowering, node: Node, sources: Sequence[Scalar], present: Form,
    make: Callable[[str, Sequence[Form]], Form],
) -> Scalar:  # fmt: skip
    """An index that is one of others, part by part.

    `make` gets a name and the form of that part in every source. If all have the same shift, then
    this has it too.
    """
    shifts = {x.shift for x in sources}
    shift = shifts.pop() if len(shifts) == 1 else 0
    name = shifted_name(low.names[node], -shift)

    @cache
    def part(which: str, by: int) -> Form:
        forms = [x.part(which, by + x.shift - shift) for x in sources]
        return make(part_name(which, shifted_name(low.names[node], by - shift)), forms)

    def base() -> Form:
        return make(name, [x.value - float(shift) * x.present for x in sources])

    there = [x for x in sources if not x.present.is_zero] or sources
    least, most = min(x.low for x in there), max(x.high for x in there)
    return Scalar(cache(base), part, present, least, most, shift)


def shifted_name(name: str, shift: int) -> str:
    """`start`, `(start - 1)`."""
    return f"({name} {'+' if shift > 0 else '-'} {abs(shift)})" if shift else name
