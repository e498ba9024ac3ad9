"""All heads of one cost: selectors of values in the bank, and what is aggregated through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .bank import Batch, Level
from .kernels import Everything, Selected, comparable, filled, lookup, none_of, reduce
from .layout import Block, Ids
from .maps import Scope, pieces, variable
from .rules import OFFSETS, PREDICATES, SHIFTS, Kind, Rule

GROUP = 12
"""Values that are aggregated together through one block of selectors."""
Reductions = tuple[tuple[str, int], ...]
"""Reductions with the default of an empty selection."""
OF_VALUE: dict[Kind, Reductions] = {
    "Int": (("max", 0), ("min", 0), ("mean", 0)),
    "Bool": (("max", 0), ("min", 1)),
    "Index": (("max", 0), ("min", 0)),
}


@dataclass(frozen=True)
class Via:
    """How a block of selectors is made: its part of the rule, and its operands."""

    rule: Rule
    args: tuple[Ids | int, ...]


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
        for kind in ("Count", "Index", "Int"):
            yield from _extremes(scope, kind, cost - 1)
    for kind in ("Count", "Index", "Int"):
        if kind == "Count" or cost >= 1:
            yield from _selves(scope, kind, cost)
    bools = scope.level("Bool", cost)
    zero = np.zeros((len(layout.asked) if scope.final else len(layout), 1), dtype=layout.dtype)
    for piece in pieces(len(bools)):
        chosen = Selected(bools.values[:, piece], zero, ">", steps)
        yield Selectors(Rule("true_key", "Int", ("Bool",)), (bools.ids[piece],), chosen)
    for kind in ("Index", "Bool", "Int"):
        for of_key in range(cost + 1):
            yield from _pairs(scope, kind, of_key, cost - of_key)


def _extremes(scope: Scope, kind: Kind, cost: int) -> Iterator[Selectors]:
    """Keys at which a value is equal to its maximum or minimum so far."""
    layout = scope.bank.layout
    level = scope.level(kind, cost)
    part = variable(scope, level) if kind == "Int" else slice(None)
    steps = layout.asked_steps if scope.final else layout.steps
    values, ids = level.values[:, part], level.ids[part]
    for piece in pieces(len(ids)):
        block = values[:, piece]
        for extreme in ("max", "min"):
            (best,) = reduce(Everything(len(layout), layout.dtype, layout.steps), [(extreme, block)])
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
    part = variable(scope, level) if kind == "Int" else slice(None)
    steps = layout.asked_steps if scope.final else layout.steps
    values, queries, ids = level.values[:, part], scope.values(level)[:, part], level.ids[part]
    for piece in pieces(len(ids)):
        for pred in PREDICATES:
            keys, query = values[:, piece], queries[:, piece]
            if kind != "Int":
                keys, query = comparable(keys, pred, True), comparable(query, pred, False)
            rule = Rule("self", "Int", (kind,), pred)
            yield Selectors(rule, (ids[piece],), Selected(keys, query, pred, steps))


def _pairs(scope: Scope, kind: Kind, of_key: int, of_query: int) -> Iterator[Selectors]:
    """Keys of one value compared with queries of another."""
    layout = scope.bank.layout
    key, query = scope.level(kind, of_key), scope.level(kind, of_query)
    part = variable(scope, key) if kind == "Int" else slice(None)
    steps = layout.asked_steps if scope.final else layout.steps
    keys, key_ids = key.values[:, part], key.ids[part]
    queries, query_ids = scope.values(query), query.ids
    few_keys = len(key_ids) <= len(query_ids)
    rule = Rule("pair", "Int", (kind, kind))
    for pred in PREDICATES if kind != "Bool" else ("==",):
        k, q = keys, queries
        if kind == "Index":
            k, q = comparable(keys, pred, True), comparable(queries, pred, False)
        named = replace(rule, op=pred)
        for at in range(len(key_ids) if few_keys else len(query_ids)):
            for piece in pieces(len(query_ids) if few_keys else len(key_ids)):
                if few_keys:
                    chosen = Selected(k[:, at : at + 1], q[:, piece], pred, steps)
                    yield Selectors(named, (int(key_ids[at]), query_ids[piece]), chosen)
                else:
                    chosen = Selected(k[:, piece], q[:, at : at + 1], pred, steps)
                    yield Selectors(named, (key_ids[piece], int(query_ids[at])), chosen)


def _on_leaves(scope: Scope, block: Selectors) -> Iterator[Batch]:
    """The tokens, the indices, a truth value, and the width, through each selector."""
    layout = scope.bank.layout
    tokens, places = layout.tokens[:, None], layout.places[:, None]
    wanted: list[tuple[str, Block]] = [(r, tokens) for r, _ in OF_VALUE["Int"]]
    wanted.append(("width", tokens))
    if scope.wants("Index"):
        wanted += [(r, places) for r, _ in OF_VALUE["Index"]]
    results = reduce(block.selected, wanted)
    for (reduction, default), values in zip(OF_VALUE["Int"], results[:3], strict=True):
        yield from _with_defaults(scope, block, "Int", 0, reduction, default, values)
    width = results[3]
    has = (width > 0).astype(width.dtype)
    yield Batch(replace(block.rule, result="Bool", reduction="has"), block.args, has)
    if scope.wants("Index"):
        yield Batch(replace(block.rule, result="Count", reduction="width"), block.args, width)
        for (reduction, _), values in zip(OF_VALUE["Index"], results[4:], strict=True):
            yield from _with_defaults(scope, block, "Index", 0, reduction, 0, values)


def _on_values(scope: Scope, block: Selectors, cost: int) -> Iterator[Batch]:
    """Values that were made before, through each selector of a block."""
    for kind, reductions in OF_VALUE.items():
        level = scope.level(kind, cost)
        if not scope.wants(kind) or not len(level):
            continue
        if block.selected.width == 1:
            for piece in pieces(len(level)):
                wanted = [(r, level.values[:, piece]) for r, _ in reductions]
                for (r, default), values in zip(
                    reductions, reduce(block.selected, wanted), strict=True
                ):
                    ids = level.ids[piece]
                    yield from _with_defaults(scope, block, kind, ids, r, default, values)
            continue
        for start in range(0, len(level), GROUP):
            ids = level.ids[start : start + GROUP]
            pairs = [(at, r, d) for at in range(len(ids)) for r, d in reductions]
            wanted = [(r, level.values[:, start + at, None]) for at, r, _ in pairs]
            for (at, r, d), values in zip(pairs, reduce(block.selected, wanted), strict=True):
                yield from _with_defaults(scope, block, kind, int(ids[at]), r, d, values)


def _with_defaults(
    scope: Scope, via: Via, kind: Kind, value: Ids | int, reduction: str, default: int,
    values: Block,
) -> Iterator[Batch]:  # fmt: skip
    rule = replace(
        via.rule,
        result=kind,
        operands=(*via.rule.operands, kind),
        value=kind,
        reduction=reduction,
        default=default,
    )
    args = (*via.args, value)
    if kind == "Index":
        yield Batch(rule, args, values)
        return
    defaults = {default: None}
    if scope.final and kind == "Int" and (values == none_of(values.dtype)).any():
        # Any literal can stand for an empty selection in the output.
        defaults.update(dict.fromkeys(scope.literals))
    for number in defaults:
        yield Batch(replace(rule, default=number), args, filled(values, number))


def _lookups(scope: Scope, cost: int) -> Iterator[Batch]:
    """Values at a fixed distance back, and at an index."""
    layout = scope.bank.layout
    rows = layout.asked if scope.final else np.arange(len(layout))
    for kind in ("Int", "Bool", "Index"):
        if not scope.wants(kind):
            continue
        for of_value in range(cost + 1):
            values = scope.level(kind, of_value)
            part = variable(scope, values) if kind == "Int" else slice(None)
            if of_value == cost:
                for shift in SHIFTS:
                    index = layout.places[rows, None] - layout.dtype.type(shift)
                    via = Via(Rule("back", "Int", literals=(shift,)), ())
                    yield from _looked_up(scope, via, kind, values, part, index, rows)
            yield from _at_indices(scope, kind, values, part, cost - of_value, rows)


def _at_indices(
    scope: Scope, kind: Kind, values: Level, part: slice, cost: int, rows: Ids
) -> Iterator[Batch]:
    indices = scope.level("Index", cost)
    layout = scope.bank.layout
    none = none_of(layout.dtype)
    ids = values.ids[part]
    if not len(ids):
        return
    for offset in OFFSETS:
        rule = Rule("lookup", "Int", ("Index",), literals=(offset,))
        asked = scope.values(indices)
        moved = np.where(asked == none, asked, asked + layout.dtype.type(offset))
        if len(ids) <= len(indices):
            for at in range(len(ids)):
                column = values.values[:, part][:, at : at + 1]
                for piece in pieces(len(indices)):
                    found = lookup(column, moved[:, piece], rows, layout.table)
                    via = Via(rule, (indices.ids[piece],))
                    yield from _with_defaults(scope, via, kind, int(ids[at]), "mean", 0, found)
        else:
            for at in range(len(indices)):
                via = Via(rule, (int(indices.ids[at]),))
                index = moved[:, at : at + 1]
                yield from _looked_up(scope, via, kind, values, part, index, rows)


def _looked_up(
    scope: Scope, via: Via, kind: Kind, values: Level, part: slice, index: Block, rows: Ids
) -> Iterator[Batch]:
    ids = values.ids[part]
    for piece in pieces(len(ids)):
        found = lookup(values.values[:, part][:, piece], index, rows, scope.bank.layout.table)
        yield from _with_defaults(scope, via, kind, ids[piece], "mean", 0, found)
