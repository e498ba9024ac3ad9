"""Maps of one cost: tokenwise functions of values that are already in the bank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from raspl.synthesis.bank import Batch, Level
from raspl.synthesis.columns import Block, Bools, Ids
from raspl.synthesis.components import (
    BOOL_MAPS,
    INDEX_MAPS,
    INT_MAPS,
    TOKEN_COMPARISONS,
    Kind,
    Rule,
)
from raspl.synthesis.kernels import COMPARE, Everything, added, compare_indices, reduce, successor
from raspl.synthesis.scope import LITERALS, Scope, pair_pieces, pieces, variable

SYMMETRIC = ("==", "!=", "+", "&", "|")
LITERAL_MAPS = ["!=", "<=", ">=", "+", "-"]
"""Maps with a literal on the right that `compare` does not say. On the left, all but `-` mirror."""
Candidates = Callable[[Scope, int], Iterator[Batch]]
"""All candidates of a component whose cost is so much together."""


def nothing(scope: Scope, cost: int) -> Iterator[Batch]:
    """Of a component that is not enumerated."""
    return iter(())


def each(
    rules: Callable[[Scope], Iterable[Rule]],
    values: Callable[[Rule, Block], Block | tuple[Block, Bools]],
) -> Candidates:
    """Maps of one value, by their rules: `values` computes them for a block of operands.

    It may give a second array: which columns stay inside the range.
    """

    def candidates(scope: Scope, cost: int) -> Iterator[Batch]:
        for rule in rules(scope):
            if not scope.wants(rule.result):
                continue
            level = scope.level(rule.operands[0], cost - 1)
            for piece in pieces(len(level)):
                made, ids = values(rule, scope.values(level)[:, piece]), level.ids[piece]
                if isinstance(made, tuple):
                    made, ids = made[0][:, made[1]], ids[made[1]]
                yield Batch(rule, (ids,), made.astype(scope.bank.layout.dtype, copy=False))

    return candidates


def comparisons(scope: Scope) -> Iterator[Rule]:
    """An integer compared with a literal."""
    for number in scope.literals:
        for op in TOKEN_COMPARISONS:
            yield Rule("compare", "Bool", ("Int",), op, (number,))


def compared(rule: Rule, values: Block) -> Block:
    return COMPARE[rule.op](values, rule.literals[0]).astype(values.dtype)


def replacements(scope: Scope) -> Iterator[Rule]:
    """One literal replaced by another."""
    for old in scope.literals:
        for new in scope.literals:
            if new != old:
                yield Rule("replace", "Int", ("Int",), literals=(old, new))


def replaced_values(rule: Rule, values: Block) -> Block:
    old, new = rule.literals
    return np.where(values == old, values.dtype.type(new), values)


def steps_of(name: str, kind: Kind) -> Callable[[Scope], Iterable[Rule]]:
    """One more and one less."""
    return lambda scope: [Rule(name, kind, (kind,), literals=(step,)) for step in (1, -1)]


def stepped(rule: Rule, values: Block) -> tuple[Block, Bools]:
    return added(values, np.ones((1, 1), dtype=values.dtype), rule.literals[0])


def succeeded(rule: Rule, values: Block) -> Block:
    return successor(values, rule.literals[0])


def products(scope: Scope, cost: int) -> Iterator[Batch]:
    """Maps of two values."""
    for a in range(cost):
        yield from _binary(scope, a, cost - 1 - a)


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


def peaks(scope: Scope, cost: int) -> Iterator[Batch]:
    """Whether a count is at its maximum or minimum so far."""
    if cost < 2:
        return
    counts = scope.level("Count", cost - 2)
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


def choices(scope: Scope, cost: int) -> Iterator[Batch]:
    """A truth value chooses between two values; in the last step `Choices` decides on all."""
    if scope.final:
        return
    cost -= 1
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
