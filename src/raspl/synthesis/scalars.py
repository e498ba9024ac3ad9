"""The scalar functions of maps."""

from __future__ import annotations

from collections.abc import Sequence

from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var
from raspl.synthesis.components import SAME, Rule


def binary(op: str) -> Fn:
    """An operator of two values."""
    return Fn(2, Op(op, (Var(0), Var(1))))


def plus(number: int) -> Expr:
    """The value plus a literal."""
    return Op("+" if number >= 0 else "-", (Var(0), Lit(abs(number))))


def table_function(rule: Rule) -> Fn:
    """The scalar function of a table, or of the weights of a balance."""
    default = Var(0) if rule.op == SAME else Lit(rule.default)
    return conditional(max(1, len(rule.operands)), rule.entries, default)


def conditional(arity: int, entries: Sequence[tuple[int, ...]], default: Expr) -> Fn:
    """The last of an entry where the parameters are the rest of it, and else the default."""
    body = default
    by_output: dict[int, list[tuple[int, ...]]] = {}
    for *key, output in entries:
        by_output.setdefault(output, []).append(tuple(key))
    for output, keys in sorted(by_output.items(), reverse=True):
        body = Op("if", (_any_of(keys, 0), Lit(output), body))
    return Fn(arity, body)


def _any_of(keys: Sequence[tuple[int, ...]], place: int) -> Expr:
    """Whether the parameters from a place on are one of the keys."""
    by_first: dict[int, list[tuple[int, ...]]] = {}
    for key in keys:
        by_first.setdefault(key[0], []).append(key[1:])
    found: Expr | None = None
    grouped: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for value, rest in by_first.items():
        grouped.setdefault(tuple(rest), []).append(value)
    for rests, values in grouped.items():
        test: Expr = _either([Op("==", (Var(place), Lit(value))) for value in values])
        if rests[0]:
            test = Op("and", (test, _any_of(rests, place + 1)))
        found = test if found is None else Op("or", (found, test))
    assert found is not None
    return found


def _either(tests: Sequence[Expr]) -> Expr:
    found = tests[0]
    for test in tests[1:]:
        found = Op("or", (found, test))
    return found
