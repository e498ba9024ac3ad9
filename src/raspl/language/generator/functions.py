"""Random scalar functions, in the form in which the parser would read them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from raspl.language.ir.scalar import COMPARISONS, Expr, Fn, Lit, Op, Var
from raspl.language.ir.types import int_range

TAME = (*COMPARISONS, "%", "and", "or", "not", "if", "min", "max", "-", "+")
"""Operators that seldom lead out of a range; the others are drawn less often."""
WILD = ("+", "-", "*", "//", "%", "&", "|", "^", "neg", "abs")
ARITY = {"neg": 1, "not": 1, "abs": 1, "if": 3}


def random_literal(rng: Random, bits: int) -> int:
    """A small integer most often, at times one from the ends of the range."""
    low, high = int_range(bits)
    if rng.random() < 0.05:
        return rng.choice((low, low + 1, high - 1, high))
    return rng.randint(-3, 10)


def random_function(
    rng: Random, truth: Sequence[bool], bits: int, depth: int = 3, only: int | None = None
) -> Fn:
    """A function of as many integers as `truth` is long, which says which are truth values.

    With `only` it looks at no other parameter than that one.
    """
    params = range(len(truth)) if only is None else (only,)
    return Fn(len(truth), _expr(rng, params, bits, depth))


def _expr(rng: Random, params: Sequence[int], bits: int, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.35:
            return Lit(random_literal(rng, bits))
        return Var(rng.choice(params))
    name = rng.choice(TAME if rng.random() < 0.6 else WILD)
    args = tuple(_expr(rng, params, bits, depth - 1) for _ in range(ARITY.get(name, 2)))
    if name in ("//", "%") and rng.random() < 0.7:
        args = (args[0], Lit(rng.randint(2, 10)))
    return canonical(name, args)


def canonical(name: str, args: tuple[Expr, ...]) -> Expr:
    """The operator applied as the parser applies it: literals folded."""
    op = Op(name, args)
    if all(isinstance(arg, Lit) for arg in args):
        try:
            return Lit(Fn(0, op)())
        except ZeroDivisionError:
            return op
    return op
