"""What a selector asks of a key: conditions as channels of a head.

A condition that a key keeps adds exactly 0 to its score, and one that it breaks -FORBIDDEN.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.analysis.predicates import known_order
from raspl.compiler.bounds import FORBIDDEN, distinct
from raspl.compiler.context import Lowering, Refused
from raspl.compiler.maps import MOST_PAIRS
from raspl.compiler.plan import Channel
from raspl.compiler.residual import DISTINCT, Finite
from raspl.language.ir.primitives import Select
from raspl.language.ir.types import NULL


@dataclass(frozen=True, slots=True)
class Condition:
    """What a selector asks of a key."""

    channels: tuple[Channel, ...] = ()
    never: bool = False
    always: bool = False


ALWAYS = Condition(always=True)
NEVER = Condition(never=True)


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate over finite values as a table, rows for queries and columns for keys."""

    q: Finite
    k: Finite
    cells: NDArray[np.bool_]

    def query_classes(self) -> list[tuple[list[int], NDArray[np.bool_]]]:
        """Queries that select alike, with what they select."""
        return _classes(self.cells, self.q.values)

    def key_classes(self) -> list[tuple[list[int], NDArray[np.bool_]]]:
        """Keys that are selected alike, with by whom."""
        return _classes(self.cells.T, self.k.values)


def _classes(
    cells: NDArray[np.bool_], values: tuple[int, ...]
) -> list[tuple[list[int], NDArray[np.bool_]]]:
    found: dict[bytes, tuple[list[int], NDArray[np.bool_]]] = {}
    for value, row in zip(values, np.ascontiguousarray(cells), strict=True):
        found.setdefault(row.tobytes(), ([], row))[0].append(value)
    return list(found.values())


def condition(low: Lowering, s: Select) -> Condition:
    """The condition of a selector, or the reason why no head can hold it."""
    if compares_indices(s):
        return _index_condition(low, s)
    predicate = predicate_of(low, s)
    if predicate.cells.all():
        return ALWAYS
    if not predicate.cells.any():
        return NEVER
    return Condition(_finite_channels(low, predicate))


def compares_indices(s: Select) -> bool:
    return s.fn.comparison is not None and s.k.type.is_index


def predicate_of(low: Lowering, s: Select) -> Predicate:
    """The table of a selector; a side that the predicate ignores stands as 0."""
    k, q = (
        low.finite(side) if place in s.fn.used else low.constant(0)
        for place, side in enumerate(s.args)
    )
    if len(k.values) * len(q.values) > MOST_PAIRS:
        raise Refused(
            s,
            "too many pairs",
            f"this predicate is a table of {len(k.values):,} × {len(q.values):,} pairs, "
            f"more than {MOST_PAIRS:,}: give a smaller alphabet",
        )
    grid = np.broadcast_arrays(np.array(k.values), np.array(q.values)[:, None])
    chosen, failed = arrays.apply(s.fn, grid)
    cells = np.asarray(chosen != 0, dtype=bool)
    return Predicate(q, k, cells if failed is None else cells & ~failed)


def _finite_channels(low: Lowering, predicate: Predicate) -> tuple[Channel, ...]:
    """One channel a class: FORBIDDEN where the query is in it and the key is not what it selects.

    Exactly one class holds the query. Its term is exactly 0 for a selected key and -FORBIDDEN for
    any other, and all other terms are exactly 0 (docs, "Finite predicates").
    """
    q, k = predicate.q, predicate.k
    queries, keys = predicate.query_classes(), predicate.key_classes()
    channels = []
    if len(queries) <= len(keys):
        for members, row in queries:
            refused = [v for v, chosen in zip(k.values, row, strict=True) if not chosen]
            if refused:
                asks = low.member(q, members)
                channels.append(Channel(-FORBIDDEN * asks, low.member(k, refused)))
    else:
        for members, row in keys:
            refusing = [v for v, chosen in zip(q.values, row, strict=True) if not chosen]
            if refusing:
                asks = low.member(q, refusing)
                channels.append(Channel(-FORBIDDEN * asks, low.member(k, members)))
    return tuple(channels)


def _index_condition(low: Lowering, s: Select) -> Condition:
    """Equality of indices, by remainders (docs, "Equality of indices")."""
    op = s.fn.comparison
    if NULL in (s.k.type, s.q.type):
        return NEVER
    if op == "==":
        return _equality(low, s)
    if op != "!=":
        known = known_order(s)
        if known is not None:
            return ALWAYS if known else NEVER
    kind = "inequality" if op == "!=" else "order"
    raise Refused(
        s,
        f"{kind} of indices in a select",
        f"`k {op} q` compares indices inside of a select: no single softmax head with weights for "
        f"every length tells all keys that satisfy an {kind} of indices from all that don't; "
        "compare tokens, select by equality, or compare the indices at one position",
    )


def _equality(low: Lowering, s: Select) -> Condition:
    one = low.build.one
    k, q = low.scalar(s.k), low.scalar(s.q)
    assert k.residues is not None
    assert q.residues is not None
    channels = [
        Channel(-FORBIDDEN * asked, one - held)
        for asks, holds in zip(q.residues, k.residues, strict=True)
        for asked, held in zip(asks, holds, strict=True)
    ]
    if not low.build.is_one(q.present):
        channels.append(Channel(-FORBIDDEN * (one - q.present), one))
    span = max(k.high, q.high) - min(k.low, q.low) + 1
    low.build.limit(distinct(f"equality in {low.names[s]}", span, DISTINCT))
    return Condition(tuple(channels))
