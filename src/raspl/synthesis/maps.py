"""All maps of one cost: tokenwise functions of values that are already in the bank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from raspl.synthesis.bank import Bank, Batch, Level
from raspl.synthesis.columns import Block, Ids
from raspl.synthesis.components import (
    BOOL_MAPS,
    INDEX_MAPS,
    INT_MAPS,
    TOKEN_COMPARISONS,
    Kind,
    Rule,
)
from raspl.synthesis.fragments import EVERYTHING, Fragment
from raspl.synthesis.kernels import COMPARE, Everything, added, compare_indices, reduce, successor

CHUNK = 4096
"""Candidates in one block, so that a block stays in the processor's cache."""
SYMMETRIC = ("==", "!=", "+", "&", "|")
LITERALS = slice(1, None)
"""The part of the integers of cost 0 that are literals; the first are the tokens."""
LITERAL_MAPS = ["!=", "<=", ">=", "+", "-"]
"""Maps with a literal on the right that `compare` does not say. On the left, all but `-` mirror."""


@dataclass(frozen=True)
class Scope:
    """What is enumerated: every position, or in the last step only those that are asked about."""

    bank: Bank
    literals: tuple[int, ...]
    final: bool
    fragment: Fragment = EVERYTHING

    def values(self, level: Level) -> Block:
        return level.asked if self.final else level.values

    def level(self, kind: Kind, cost: int) -> Level:
        return self.bank.level(kind, cost)

    def wants(self, kind: Kind) -> bool:
        """In the last step an index or a count is no output."""
        return not self.final or kind in ("Int", "Bool")


def maps(scope: Scope, cost: int) -> Iterator[Batch]:
    """Every map whose parts cost one less together."""
    yield from _unary(scope, cost - 1)
    for a in range(cost):
        yield from _binary(scope, a, cost - 1 - a)
    if cost >= 2:
        yield from _peaks(scope, cost - 2)
    if not scope.final:
        # In the last step `choices` decides about every choice at once.
        yield from _choices(scope, cost - 1)


def variable(level: Level) -> slice:
    """The part of a level of integers that is not a literal."""
    return slice(0, 1) if level.first == 0 else slice(None)


def pieces(size: int) -> Iterator[slice]:
    for start in range(0, size, CHUNK):
        yield slice(start, min(size, start + CHUNK))


def pair_pieces(a: int, b: int) -> Iterator[tuple[Ids, Ids]]:
    """All pairs of a first and a second, in pieces of whole blocks."""
    for start in range(0, a * b, CHUNK):
        flat = np.arange(start, min(a * b, start + CHUNK))
        yield flat // b, flat % b


def _unary(scope: Scope, cost: int) -> Iterator[Batch]:
    ints = scope.level("Int", cost)
    for piece in pieces(len(ints)):
        yield from _int_unary(scope, scope.values(ints)[:, piece], ints.ids[piece])
    bools = scope.level("Bool", cost)
    for piece in pieces(len(bools)):
        flipped = 1 - scope.values(bools)[:, piece]
        yield Batch(Rule("not", "Bool", ("Bool",)), (bools.ids[piece],), flipped)
    if scope.wants("Index"):
        yield from _successors(scope, scope.level("Index", cost))


def _int_unary(scope: Scope, values: Block, ids: Ids) -> Iterator[Batch]:
    for literal in scope.literals:
        for op in TOKEN_COMPARISONS:
            rule = Rule("compare", "Bool", ("Int",), op, (literal,))
            yield Batch(rule, (ids,), COMPARE[op](values, literal).astype(values.dtype))
        for new in scope.literals:
            if new != literal:
                rule = Rule("replace", "Int", ("Int",), literals=(literal, new))
                swapped = np.where(values == literal, values.dtype.type(new), values)
                yield Batch(rule, (ids,), swapped)
    one = np.ones((1, 1), dtype=values.dtype)
    for sign in (1, -1):
        moved, fits = added(values, one, sign)
        yield Batch(Rule("plus", "Int", ("Int",), literals=(sign,)), (ids[fits],), moved[:, fits])


def _successors(scope: Scope, indices: Level) -> Iterator[Batch]:
    for piece in pieces(len(indices)):
        for step in (1, -1):
            moved = successor(scope.values(indices)[:, piece], step)
            rule = Rule("successor", "Index", ("Index",), literals=(step,))
            yield Batch(rule, (indices.ids[piece],), moved)


def _binary(scope: Scope, cost_a: int, cost_b: int) -> Iterator[Batch]:
    tables: tuple[tuple[Kind, tuple[str, ...]], ...] = (
        ("Int", INT_MAPS), ("Bool", BOOL_MAPS), ("Index", INDEX_MAPS),
    )  # fmt: skip
    for kind, ops in tables:
        a, b = scope.level(kind, cost_a), scope.level(kind, cost_b)
        part_a = variable(a) if kind == "Int" else slice(None)
        part_b = variable(b) if kind == "Int" else slice(None)
        # Symmetric maps in one order only.
        wanted = [op for op in ops if op not in SYMMETRIC or cost_a <= cost_b]
        yield from _products(scope, kind, wanted, (a, part_a), (b, part_b))
    a, b = scope.level("Int", cost_a), scope.level("Int", cost_b)
    if cost_b == 0:
        yield from _products(scope, "Int", LITERAL_MAPS, (a, slice(None)), (b, LITERALS))
    if cost_a == 0:
        yield from _products(scope, "Int", ["-"], (a, LITERALS), (b, variable(b)))


def _products(
    scope: Scope, kind: Kind, ops: list[str], a: tuple[Level, slice], b: tuple[Level, slice]
) -> Iterator[Batch]:
    """Maps of every pair of a part of one level and a part of another."""
    (level_a, part_a), (level_b, part_b) = a, b
    values_a, ids_a = scope.values(level_a)[:, part_a], level_a.ids[part_a]
    values_b, ids_b = scope.values(level_b)[:, part_b], level_b.ids[part_b]
    for at_a, at_b in pair_pieces(len(ids_a), len(ids_b)):
        x, y = values_a[:, at_a], values_b[:, at_b]
        yield from _pairs(kind, ops, x, y, (ids_a[at_a], ids_b[at_b]))


def _pairs(
    kind: Kind, ops: list[str], x: Block, y: Block, args: tuple[Ids, Ids]
) -> Iterator[Batch]:
    for op in ops:
        if op in ("+", "-"):
            total, fits = added(x, y, 1 if op == "+" else -1)
            kept = (args[0][fits], args[1][fits])
            yield Batch(Rule("map", "Int", (kind, kind), op), kept, total[:, fits])
            continue
        if kind == "Index":
            truth = compare_indices(x, y, op).astype(x.dtype)
        elif op in ("&", "|"):
            truth = x & y if op == "&" else x | y
        else:
            truth = COMPARE[op](x, y).astype(x.dtype)
        yield Batch(Rule("map", "Bool", (kind, kind), op), args, truth)


def _peaks(scope: Scope, cost: int) -> Iterator[Batch]:
    """Whether a count is at its maximum or minimum so far."""
    counts = scope.level("Count", cost)
    layout = scope.bank.layout
    for piece in pieces(len(counts)):
        values = counts.values[:, piece]
        everything = Everything(len(layout), layout.dtype, layout.steps)
        for extreme in ("max", "min"):
            (best,) = reduce(everything, [(extreme, values)])
            for op in ("==", "!="):
                truth = COMPARE[op](values, best).astype(values.dtype)
                rule = Rule("peak", "Bool", ("Count",), op, extreme=extreme)
                kept = truth[layout.asked] if scope.final else truth
                yield Batch(rule, (counts.ids[piece],), kept)


def _choices(scope: Scope, cost: int) -> Iterator[Batch]:
    for kind in ("Int", "Index"):
        for of_condition in range(1, cost + 1):
            for of_a in range(cost - of_condition + 1):
                of_b = cost - of_condition - of_a
                yield from _choices_of(scope, kind, of_condition, of_a, of_b)


def _choices_of(scope: Scope, kind: Kind, c: int, a: int, b: int) -> Iterator[Batch]:
    conditions = scope.level("Bool", c)
    level_a, level_b = scope.level(kind, a), scope.level(kind, b)
    rule = Rule("where", kind, ("Bool", kind, kind))
    count_a, count_b = len(level_a), len(level_b)
    for at, rest in pair_pieces(len(conditions), count_a * count_b):
        ids_a, ids_b = rest // count_b + level_a.first, rest % count_b + level_b.first
        different = ids_a != ids_b
        at, ids_a, ids_b = at[different], ids_a[different], ids_b[different]
        values = np.where(
            conditions.values[:, at].astype(np.bool_),
            level_a.values[:, ids_a - level_a.first],
            level_b.values[:, ids_b - level_b.first],
        )
        yield Batch(rule, (conditions.ids[at], ids_a, ids_b), values)
