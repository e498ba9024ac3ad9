"""From a select and a head of the graph to the array operations of `batch.heads`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.analysis.intervals import Interval, bounds
from raspl.analysis.predicates import Access, AccessKind, access_of, position_shift
from raspl.executors.batch import heads
from raspl.executors.batch.heads import Relation
from raspl.executors.batch.inputs import NONE, WORD
from raspl.executors.batch.values import Found, Values
from raspl.executors.reductions import head_kind
from raspl.language.ir.primitives import Aggr, Full, Node, Select, SelWidth, Value
from raspl.language.ir.scalar import Expr, Fn, Var
from raspl.language.ir.tables import Rules

Array = NDArray[Any]
WIDEST = 1 << 40
COMPARE: dict[str, Relation] = {
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


class Evaluation(Protocol):
    """What selects and heads need of the block that they belong to."""

    columns: dict[Node, Array]
    bits: int

    def full(self, value: Value) -> Array:
        """The same value everywhere."""

    def mapped(self, node: Node, expr: Expr, columns: Sequence[Array]) -> Array:
        """A scalar function of columns; where it divides by zero the node has failed."""

    def failed(self, node: Node, where: Array) -> None:
        """Record a division by zero."""

    def is_nullable(self, node: Node) -> bool:
        """Whether None occurs in the column of an index."""


@dataclass(frozen=True, slots=True)
class Selected:
    """A select with its columns."""

    access: Access
    keys: Array
    queries: Array
    keep: Array | None
    """Which positions can be selected at all; None: all."""
    asked: Array | None
    """Which positions can select anything; None: all."""
    relation: Relation | None = None
    distance: int | None = None
    """For a look-up at a fixed distance: how far back."""


def selected(block: Evaluation, node: Select) -> Selected:
    """Evaluate the predicate of a select as far as it concerns one side only."""
    access = access_of(node, block.bits)
    sides = block.columns[node.k], block.columns[node.q]

    def condition(expr: Expr | None, side: Node) -> Array | None:
        conditions = [] if expr is None else [block.mapped(node, expr, sides) != 0]
        if access.kind in ("compare", "look-up") and block.is_nullable(side):
            conditions.append(block.columns[side] != NONE)
        return np.logical_and.reduce(conditions) if conditions else None

    keep, asked = condition(access.keep, node.k), condition(access.ask, node.q)
    if access.kind == "look-up":
        moved = position_shift(node.q)
        distance = None if moved is None else access.offset - moved
        places = sides[1] if asked is None else np.where(asked, sides[1], 0)
        return Selected(access, sides[0], places - access.offset, None, asked, None, distance)
    if access.kind == "compare":
        keys, queries = (_side(block, node, e, sides) for e in (access.key, access.query))
        # None was an extreme value; where it stands nothing looks, and 0 keeps the range small.
        keys = keys if keep is None else np.where(keep, keys, 0)
        queries = queries if asked is None else np.where(asked, queries, 0)
        keys, queries = _compact(keys, queries)
        return Selected(access, keys, queries, keep, asked, COMPARE.get(access.op))
    relation = None
    if access.table is not None:
        relation = _table(block, node, access.table, sides)
    return Selected(access, *sides, keep, asked, relation)


def _side(block: Evaluation, node: Select, expr: Expr, sides: tuple[Array, Array]) -> Array:
    return sides[expr.index] if isinstance(expr, Var) else block.mapped(node, expr, sides)


def _compact(keys: Array, queries: Array) -> tuple[Array, Array]:
    """The same order and equality in small integers, if these are not small already."""
    if keys.dtype != object and queries.dtype != object:
        low, high = min(keys.min(), queries.min()), max(keys.max(), queries.max())
        if int(high) - int(low) < WIDEST:
            return keys, queries
    both = np.concatenate([keys.ravel(), queries.ravel()])
    codes = np.unique(both, return_inverse=True)[1].reshape(2, *keys.shape)
    return codes[0], codes[1]


def _table(
    block: Evaluation, node: Select, predicate: Expr, sides: tuple[Array, Array]
) -> Relation:
    fn = Fn(2, predicate)

    def relation(keys: Array, queries: Array) -> Array:
        values, _ = arrays.tabulated(fn, np.broadcast_arrays(keys, queries))
        return np.asarray(values != 0, dtype=bool)

    def fails(keys: Array, queries: Array) -> Array:
        keys, queries = np.broadcast_arrays(keys, queries)
        _, failed = arrays.tabulated(fn, [keys, queries])
        return np.zeros(keys.shape, dtype=bool) if failed is None else failed

    intervals = [Interval(int(side.min()), int(side.max())) for side in sides]
    if bounds(predicate, intervals).divides:
        # A select fails where the predicate does on any key so far, selected or not.
        anything = Values("any", block.full(1), None)
        failed = heads.related(anything, *sides, None, fails).some
        if failed is not None:
            block.failed(node, failed)
    return relation


def head_column(block: Evaluation, chosen: Selected, node: SelWidth | Aggr) -> Array:
    """The column of a head."""
    reduced = HEADS[chosen.access.kind]
    if isinstance(node, SelWidth):
        return _filled(reduced(chosen, Values("count", block.full(1), chosen.keep)), 0)
    empty = NONE if node.default is None else node.default
    column, keep = block.columns[node.v], chosen.keep
    kind = head_kind(node)
    if isinstance(node.v, Full) and node.v.value is None:
        return block.full(node.default)
    if kind != "any" and block.is_nullable(node.v):
        present = column != NONE
        keep = present if keep is None else keep & present
    rises = position_shift(node.v) is not None
    return _filled(reduced(chosen, Values(kind, column, keep, rises)), empty)


def _filled(found: Found, empty: int) -> Array:
    return found.filled(empty).astype(WORD, copy=False)


def _never(chosen: Selected, values: Values) -> Found:
    return Found(values.column, np.zeros(values.column.shape, dtype=bool))


def _all(chosen: Selected, values: Values) -> Found:
    found = heads.running(values, values.keep)
    if chosen.asked is None:
        return found
    some = chosen.asked if found.some is None else found.some & chosen.asked
    return Found(found.values, some)


def _look_up(chosen: Selected, values: Values) -> Found:
    if chosen.distance is None:
        return heads.looked_up(values, chosen.queries, chosen.asked)
    if chosen.distance < 0:
        return _never(chosen, values)
    return heads.shifted(values, chosen.distance)


def _compare(chosen: Selected, values: Values) -> Found:
    if chosen.relation is None:
        return heads.equal(values, chosen.keys, chosen.queries, chosen.asked)
    return _related(chosen, values)


def _related(chosen: Selected, values: Values) -> Found:
    assert chosen.relation is not None
    return heads.related(values, chosen.keys, chosen.queries, chosen.asked, chosen.relation)


HEADS: Rules[AccessKind, Callable[[Selected, Values], Found]] = Rules(
    "the batch executor (HEADS)",
    {
        "never": _never,
        "all": _all,
        "look-up": _look_up,
        "compare": _compare,
        "table": _related,
    },
)
