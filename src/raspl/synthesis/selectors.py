"""Selectors of one cost, in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from raspl.language.ir.primitives import Reduction
from raspl.synthesis.columns import Ids
from raspl.synthesis.components import NEXT, PREDICATES, SELF, Kind, Rule
from raspl.synthesis.kernels import Everything, Selected, comparable, reduce, successor
from raspl.synthesis.scope import Scope, pair_pieces, pieces, variable

NARROW: tuple[Kind, ...] = ("Count", "Index", "Int")
COMPARED: tuple[Kind, ...] = ("Index", "Int")
EXTREMES: tuple[Reduction, ...] = ("max", "min")


@dataclass(frozen=True)
class Via:
    """How a block of selectors is made: its part of the rule, and its operands."""

    rule: Rule
    args: tuple[Ids, ...]


@dataclass(frozen=True)
class Selectors(Via):
    """A block of selectors, and which keys they select."""

    selected: Selected


Candidates = Callable[[Scope, int], Iterator[Selectors]]
"""All selectors of one kind whose operands cost so much together."""


def nothing(scope: Scope, cost: int) -> Iterator[Selectors]:
    """Of selectors of one position at most: heads look those up."""
    return iter(())


def everything(scope: Scope, cost: int) -> Iterator[Selectors]:
    """Every position so far."""
    if cost == 0:
        dtype = scope.bank.layout.dtype
        yield Selectors(Rule("all", "Int"), (), Everything(len(scope.rows), dtype, scope.steps))


def true_keys(scope: Scope, cost: int) -> Iterator[Selectors]:
    """The positions at which a truth value holds."""
    bools = scope.level("Bool", cost)
    zero = np.zeros((len(scope.rows), 1), dtype=scope.bank.layout.dtype)
    for piece in pieces(len(bools)):
        chosen = Selected(bools.values[:, piece], zero, ">", scope.steps)
        yield Selectors(Rule("true_key", "Int", ("Bool",)), (bools.ids[piece],), chosen)


def extremes(scope: Scope, cost: int) -> Iterator[Selectors]:
    """Keys at which a value is equal to its maximum or minimum so far."""
    if cost >= 1:
        for kind in NARROW:
            yield from _extremes(scope, kind, cost - 1)


def _extremes(scope: Scope, kind: Kind, cost: int) -> Iterator[Selectors]:
    layout = scope.bank.layout
    level = scope.level(kind, cost)
    part = variable(level) if kind == "Int" else slice(None)
    values, ids = level.values[:, part], level.ids[part]
    everything = Everything(len(layout), layout.dtype, layout.steps)
    for piece in pieces(len(ids)):
        block = values[:, piece]
        for extreme in EXTREMES:
            (best,) = reduce(everything, [(extreme, block)])
            queries = best[layout.asked] if scope.final else best
            chosen = Selected(
                comparable(block, "==", True), comparable(queries, "==", False), "==", scope.steps
            )
            rule = Rule("extreme", "Int", (kind,), extreme=extreme)
            yield Selectors(rule, (ids[piece],), chosen)


def selves(scope: Scope, cost: int) -> Iterator[Selectors]:
    """A value compared with itself at earlier positions."""
    for kind in SELF:
        yield from _selves(scope, kind, cost)


def _selves(scope: Scope, kind: Kind, cost: int) -> Iterator[Selectors]:
    level = scope.level(kind, cost)
    values, queries, ids = level.values, scope.values(level), level.ids
    for piece in pieces(len(ids)):
        for op in SELF[kind]:
            if not scope.fragment.compares(kind, op):
                continue
            keys, query, pred = values[:, piece], queries[:, piece], op
            if op == NEXT:
                query, pred = successor(query, 1), "=="
            if kind in ("Index", "Count"):
                keys, query = comparable(keys, pred, True), comparable(query, pred, False)
            rule = Rule("self", "Int", (kind,), op)
            yield Selectors(rule, (ids[piece],), Selected(keys, query, pred, scope.steps))


def gates(scope: Scope, cost: int) -> Iterator[Selectors]:
    """A literal as the key: each query selects everything or nothing."""
    if cost < 1:
        return
    layout = scope.bank.layout
    level = scope.level("Int", cost - 1)
    part = variable(level)
    queries, ids = scope.values(level)[:, part], level.ids[part]
    for number in scope.literals:
        key = np.full((len(layout), 1), number, dtype=layout.dtype)
        for pred in PREDICATES:
            rule = Rule("gate", "Int", ("Int",), pred, (number,))
            for piece in pieces(len(ids)):
                chosen = Selected(key, queries[:, piece], pred, scope.steps)
                yield Selectors(rule, (ids[piece],), chosen)


def pairs(scope: Scope, cost: int) -> Iterator[Selectors]:
    """Keys of one value compared with queries of another."""
    for kind in COMPARED:
        for of_key in range(cost + 1):
            yield from _pairs(scope, kind, of_key, cost - of_key)


def _pairs(scope: Scope, kind: Kind, of_key: int, of_query: int) -> Iterator[Selectors]:
    key, query = scope.level(kind, of_key), scope.level(kind, of_query)
    part = variable(key) if kind == "Int" else slice(None)
    keys, key_ids = key.values[:, part], key.ids[part]
    queries, query_ids = scope.values(query), query.ids
    rule = Rule("pair", "Int", (kind, kind))
    for pred in PREDICATES:
        if not scope.fragment.compares(kind, pred):
            continue
        k, q = keys, queries
        if kind == "Index":
            k, q = comparable(keys, pred, True), comparable(queries, pred, False)
        for at_k, at_q in pair_pieces(len(key_ids), len(query_ids)):
            chosen = Selected(k[:, at_k], q[:, at_q], pred, scope.steps)
            yield Selectors(replace(rule, op=pred), (key_ids[at_k], query_ids[at_q]), chosen)
