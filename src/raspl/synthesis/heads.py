"""All heads of one cost: selectors of values in the bank, and what is aggregated through them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from raspl.language.ir.primitives import Reduction
from raspl.synthesis.bank import Batch, Level
from raspl.synthesis.catalogue import SELECTORS
from raspl.synthesis.columns import Block, Ids
from raspl.synthesis.components import OFFSETS, SHIFTS, Kind, Rule
from raspl.synthesis.kernels import (
    HeadReduction,
    Selected,
    empty_in,
    filled,
    lookup,
    reduce,
    successor,
)
from raspl.synthesis.scope import CHUNK, Scope, pair_pieces, pieces, variable
from raspl.synthesis.selectors import Selectors, Via

OF_VALUE: dict[Kind, tuple[Reduction, ...]] = {
    "Int": ("max", "min", "mean"),
    # The mean of truth values, truncated, is their minimum.
    "Bool": ("max", "min"),
    "Index": ("max", "min"),
}
DEFAULTS: dict[Kind, tuple[int, ...]] = {"Int": (0,), "Bool": (0, 1)}
"""What stands for an empty selection; of an index it is None."""


def heads(scope: Scope, cost: int) -> Iterator[Batch]:
    """Every head whose selector and values cost one less together."""
    yield from _lookups(scope, cost - 1)
    # The narrow types come first: a short program for a hard task often counts or looks up.
    for of_selector in reversed(range(cost)):
        of_value = cost - 1 - of_selector
        for component in SELECTORS.values():
            for block in component.candidates(scope, of_selector):
                if of_value == 0:
                    yield from _on_leaves(scope, block)
                else:
                    yield from _on_values(scope, block, of_value)


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
    args = (*via.args, value)
    if kind == "Index":
        yield Batch(_aggregate(via.rule, kind, reduction), args, values)
        return
    defaults = DEFAULTS[kind]
    if scope.final and kind == "Int":
        # Any literal can stand for an empty selection in the output.
        defaults = tuple(dict.fromkeys((*defaults, *scope.literals)))
    empty = empty_in(values)
    if not empty.any():
        yield Batch(_aggregate(via.rule, kind, reduction, defaults[0]), args, values)
        return
    for number in defaults:
        rule = _aggregate(via.rule, kind, reduction, number)
        yield Batch(rule, args, filled(values, empty, number))


@cache
def _aggregate(selector: Rule, kind: Kind, reduction: str, default: int = 0) -> Rule:
    """A head of values; there are few such rules, but each is met in many blocks."""
    operands = (*selector.operands, kind)
    return replace(
        selector,
        result=kind,
        operands=operands,
        value=kind,
        reduction=reduction,
        default=default,
    )


def _lookups(scope: Scope, cost: int) -> Iterator[Batch]:
    """Values at a fixed distance back, and at an index."""
    rows = scope.rows
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
