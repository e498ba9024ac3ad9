"""All heads of one cost: selectors of values in the bank, and what is aggregated through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from raspl.language.ir.primitives import Reduction
from raspl.synthesis.bank import Batch, Level
from raspl.synthesis.columns import Block, Ids
from raspl.synthesis.components import NEXT, OFFSETS, PREDICATES, SELF, SHIFTS, Kind, Rule
from raspl.synthesis.kernels import (
    Everything,
    HeadReduction,
    Selected,
    comparable,
    filled,
    lookup,
    none_of,
    reduce,
    successor,
)
from raspl.synthesis.maps import CHUNK, Scope, pair_pieces, pieces, variable

NARROW: tuple[Kind, ...] = ("Count", "Index", "Int")
COMPARED: tuple[Kind, ...] = ("Index", "Int")
EXTREMES: tuple[Reduction, ...] = ("max", "min")
OF_VALUE: dict[Kind, tuple[Reduction, ...]] = {
    "Int": ("max", "min", "mean"),
    # The mean of truth values, truncated, is their minimum.
    "Bool": ("max", "min"),
    "Index": ("max", "min"),
}
DEFAULTS: dict[Kind, tuple[int, ...]] = {"Int": (0,), "Bool": (0, 1)}
"""What stands for an empty selection; of an index it is None."""


@dataclass(frozen=True)
class Via:
    """How a block of selectors is made: its part of the rule, and its operands."""

    rule: Rule
    args: tuple[Ids, ...]


@dataclass(frozen=True)
class Selectors(Via):
    """A block of selectors, and which keys they select."""

    selected: Selected


def heads(scope: Scope, cost: int) -> Iterator[Batch]:
    """Every head whose selector and values cost one less together."""
    yield from _lookups(scope, cost - 1)
    # The narrow types come first: a short program for a hard task often counts or looks up.
    for of_selector in reversed(range(cost)):
        of_value = cost - 1 - of_selector
        for block in selectors(scope, of_selector):
            if of_value == 0:
                yield from _on_leaves(scope, block)
            else:
                yield from _on_values(scope, block, of_value)


def selectors(scope: Scope, cost: int) -> Iterator[Selectors]:
    """Every selector of one cost, in blocks."""
    layout = scope.bank.layout
    steps = layout.asked_steps if scope.final else layout.steps
    if cost == 0:
        rows = len(layout.asked) if scope.final else len(layout)
        yield Selectors(Rule("all", "Int"), (), Everything(rows, layout.dtype, steps))
    if cost >= 1:
        for kind in NARROW:
            yield from _extremes(scope, kind, cost - 1)
        yield from _gates(scope, cost - 1)
    for kind in SELF:
        yield from _selves(scope, kind, cost)
    bools = scope.level("Bool", cost)
    zero = np.zeros((len(layout.asked) if scope.final else len(layout), 1), dtype=layout.dtype)
    for piece in pieces(len(bools)):
        chosen = Selected(bools.values[:, piece], zero, ">", steps)
        yield Selectors(Rule("true_key", "Int", ("Bool",)), (bools.ids[piece],), chosen)
    for kind in COMPARED:
        for of_key in range(cost + 1):
            yield from _pairs(scope, kind, of_key, cost - of_key)


def _extremes(scope: Scope, kind: Kind, cost: int) -> Iterator[Selectors]:
    """Keys at which a value is equal to its maximum or minimum so far."""
    layout = scope.bank.layout
    level = scope.level(kind, cost)
    part = variable(level) if kind == "Int" else slice(None)
    steps = layout.asked_steps if scope.final else layout.steps
    values, ids = level.values[:, part], level.ids[part]
    everything = Everything(len(layout), layout.dtype, layout.steps)
    for piece in pieces(len(ids)):
        block = values[:, piece]
        for extreme in EXTREMES:
            (best,) = reduce(everything, [(extreme, block)])
            queries = best[layout.asked] if scope.final else best
            chosen = Selected(
                comparable(block, "==", True), comparable(queries, "==", False), "==", steps
            )
            rule = Rule("extreme", "Int", (kind,), extreme=extreme)
            yield Selectors(rule, (ids[piece],), chosen)


def _selves(scope: Scope, kind: Kind, cost: int) -> Iterator[Selectors]:
    """A value compared with itself at earlier positions."""
    layout = scope.bank.layout
    level = scope.level(kind, cost)
    steps = layout.asked_steps if scope.final else layout.steps
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
            yield Selectors(rule, (ids[piece],), Selected(keys, query, pred, steps))


def _gates(scope: Scope, cost: int) -> Iterator[Selectors]:
    """A literal as the key: each query selects everything or nothing."""
    layout = scope.bank.layout
    level = scope.level("Int", cost)
    part = variable(level)
    steps = layout.asked_steps if scope.final else layout.steps
    queries, ids = scope.values(level)[:, part], level.ids[part]
    for number in scope.literals:
        key = np.full((len(layout), 1), number, dtype=layout.dtype)
        for pred in PREDICATES:
            rule = Rule("gate", "Int", ("Int",), pred, (number,))
            for piece in pieces(len(ids)):
                chosen = Selected(key, queries[:, piece], pred, steps)
                yield Selectors(rule, (ids[piece],), chosen)


def _pairs(scope: Scope, kind: Kind, of_key: int, of_query: int) -> Iterator[Selectors]:
    """Keys of one value compared with queries of another."""
    layout = scope.bank.layout
    key, query = scope.level(kind, of_key), scope.level(kind, of_query)
    steps = layout.asked_steps if scope.final else layout.steps
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
            chosen = Selected(k[:, at_k], q[:, at_q], pred, steps)
            yield Selectors(replace(rule, op=pred), (key_ids[at_k], query_ids[at_q]), chosen)


def _on_leaves(scope: Scope, block: Selectors) -> Iterator[Batch]:
    """The tokens, the indices, a truth value, and the width, through each selector."""
    layout = scope.bank.layout
    tokens, places = layout.tokens[:, None], layout.places[:, None]
    wanted: list[tuple[HeadReduction, Block]] = [(r, tokens) for r in OF_VALUE["Int"]]
    wanted.append(("width", tokens))
    has_places = scope.wants("Index") and scope.fragment.positions
    if has_places:
        wanted += [(r, places) for r in OF_VALUE["Index"]]
    results = reduce(block.selected, wanted)
    zero = np.zeros(block.selected.width, dtype=np.int64)
    for reduction, values in zip(OF_VALUE["Int"], results[:3], strict=True):
        yield from _with_defaults(scope, block, "Int", zero, reduction, values)
    width = results[3]
    yield from _presence(scope, block, width)
    if has_places:
        for reduction, values in zip(OF_VALUE["Index"], results[4:], strict=True):
            yield from _with_defaults(scope, block, "Index", zero, reduction, values)


def _presence(scope: Scope, via: Via, width: Block) -> Iterator[Batch]:
    """Whether anything is selected, and how much."""
    has = (width > 0).astype(width.dtype)
    yield Batch(replace(via.rule, result="Bool", reduction="has"), via.args, has)
    if scope.wants("Count"):
        counted = scope.fragment.counts(via.rule, via.args, len(scope.level("Int", 0)))
        if counted is not False:
            kept = slice(None) if counted is True else np.flatnonzero(counted)
            rule = replace(via.rule, result="Count", reduction="width")
            yield Batch(rule, tuple(arg[kept] for arg in via.args), width[:, kept])


def _on_values(scope: Scope, block: Selectors, cost: int) -> Iterator[Batch]:
    """Values that were made before, through each selector of a block."""
    for kind, reductions in OF_VALUE.items():
        level = scope.level(kind, cost)
        if not scope.wants(kind) or not len(level):
            continue
        for via, selected, piece in _shared(block, len(level)):
            values = level.values[:, piece]
            ids = np.tile(level.ids[piece], selected.width)
            wanted: list[tuple[HeadReduction, Block]] = [(r, values) for r in reductions]
            results = reduce(selected, wanted)
            for r, result in zip(reductions, results, strict=True):
                yield from _with_defaults(scope, via, kind, ids, r, result)


def _shared(block: Selectors, values: int) -> Iterator[tuple[Via, Selected, slice]]:
    """Parts of a block of selectors, each with parts of so many values, of one chunk together."""
    width = block.selected.width
    for piece in pieces(values):
        size = piece.stop - piece.start
        for start in range(0, width, max(1, CHUNK // size)):
            part = slice(start, min(width, start + max(1, CHUNK // size)))
            args = tuple(np.repeat(arg[part], size) for arg in block.args)
            yield Via(block.rule, args), block.selected.part(part), piece


def _with_defaults(
    scope: Scope, via: Via, kind: Kind, value: Ids, reduction: str, values: Block
) -> Iterator[Batch]:
    rule = replace(
        via.rule,
        result=kind,
        operands=(*via.rule.operands, kind),
        value=kind,
        reduction=reduction,
    )
    args = (*via.args, value)
    if kind == "Index":
        yield Batch(rule, args, values)
        return
    defaults = DEFAULTS[kind]
    if scope.final and kind == "Int":
        # Any literal can stand for an empty selection in the output.
        defaults = tuple(dict.fromkeys((*defaults, *scope.literals)))
    if len(defaults) > 1 and not (values == none_of(values.dtype)).any():
        defaults = defaults[:1]
    for number in defaults:
        yield Batch(replace(rule, default=number), args, filled(values, number))


def _lookups(scope: Scope, cost: int) -> Iterator[Batch]:
    """Values at a fixed distance back, and at an index."""
    layout = scope.bank.layout
    rows = layout.asked if scope.final else np.arange(len(layout))
    yield from _lookup_presence(scope, cost, rows)
    for kind in ("Int", "Bool", "Index"):
        if not scope.wants(kind):
            continue
        for of_value in range(cost + 1):
            values = scope.level(kind, of_value)
            part = variable(values) if kind == "Int" else slice(None)
            if of_value == cost and scope.fragment.positions:
                yield from _shifted(scope, kind, values, part, rows)
            yield from _at_indices(scope, kind, values, part, cost - of_value, rows)


def _lookup_presence(scope: Scope, cost: int, rows: Ids) -> Iterator[Batch]:
    """Whether there is a position so far back, or at an index."""
    layout = scope.bank.layout
    if cost == 0 and scope.fragment.positions:
        for shift in SHIFTS:
            there = (layout.places[rows, None] >= shift).astype(layout.dtype)
            yield from _presence(scope, Via(Rule("back", "Int", literals=(shift,)), ()), there)
    indices = scope.level("Index", cost)
    for offset in OFFSETS:
        rule = Rule("lookup", "Int", ("Index",), literals=(offset,))
        for piece in pieces(len(indices)):
            asked = successor(scope.values(indices)[:, piece], offset)
            there = (asked >= 0) & (asked <= layout.places[rows, None])
            via = Via(rule, (indices.ids[piece],))
            yield from _presence(scope, via, there.astype(layout.dtype))


def _at_indices(
    scope: Scope, kind: Kind, values: Level, part: slice, cost: int, rows: Ids
) -> Iterator[Batch]:
    indices = scope.level("Index", cost)
    layout = scope.bank.layout
    ids = values.ids[part]
    if not len(ids):
        return
    for offset in OFFSETS:
        rule = Rule("lookup", "Int", ("Index",), literals=(offset,))
        asked = scope.values(indices)
        moved = successor(asked, offset)
        for at_v, at_i in pair_pieces(len(ids), len(indices)):
            found = lookup(values.values[:, part][:, at_v], moved[:, at_i], rows, layout.table)
            via = Via(rule, (indices.ids[at_i],))
            yield from _with_defaults(scope, via, kind, ids[at_v], "mean", found)


def _shifted(scope: Scope, kind: Kind, values: Level, part: slice, rows: Ids) -> Iterator[Batch]:
    layout = scope.bank.layout
    ids = values.ids[part]
    for shift in SHIFTS:
        index = layout.places[rows, None] - layout.dtype.type(shift)
        via = Via(Rule("back", "Int", literals=(shift,)), ())
        for piece in pieces(len(ids)):
            found = lookup(values.values[:, part][:, piece], index, rows, layout.table)
            yield from _with_defaults(scope, via, kind, ids[piece], "mean", found)
