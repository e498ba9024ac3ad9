"""What a selector asks of a key: conditions as channels of a head.

A condition that a key keeps adds exactly 0 to its score, and one that it breaks -FORBIDDEN or less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.analysis.predicates import known_order
from raspl.compiler.bounds import FORBIDDEN, bits, digits
from raspl.compiler.context import Lowering, Refused
from raspl.compiler.features import Vector
from raspl.compiler.maps import MOST_PAIRS
from raspl.compiler.plan import Channel
from raspl.compiler.residual import DIGITS, REMAINDER, Form, Scalar, total
from raspl.language.ir.primitives import Node, Select
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
class Side:
    """The keys or the queries of a selector; None where the predicate ignores them."""

    low: Lowering
    node: Node | None

    @property
    def values(self) -> Vector:
        """Its values; one that is ignored stands as 0."""
        return np.zeros(1, np.int64) if self.node is None else self.low.values[self.node]

    def feature(self, code: Vector) -> Form:
        """A code of it."""
        if self.node is None:
            return float(code[0]) * self.low.build.one
        return self.low.feature(self.node, code)

    def member(self, chosen: NDArray[np.bool_]) -> Form:
        """1 where its value is among the chosen ones."""
        return self.feature(chosen.astype(np.int64))


@dataclass(frozen=True, slots=True)
class Class:
    """Values of one side that the other side can't tell apart."""

    members: NDArray[np.bool_]
    row: NDArray[np.bool_]
    """Which values of the other side go with them."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate over finite values as a table, rows for queries and columns for keys."""

    q: Side
    k: Side
    cells: NDArray[np.bool_]

    def query_classes(self) -> list[Class]:
        """Queries that select alike, with what they select."""
        return _classes(self.cells)

    def key_classes(self) -> list[Class]:
        """Keys that are selected alike, with by whom."""
        return _classes(np.ascontiguousarray(self.cells.T))


def _classes(cells: NDArray[np.bool_]) -> list[Class]:
    found: dict[bytes, list[int]] = {}
    for number, row in enumerate(cells):
        found.setdefault(row.tobytes(), []).append(number)
    classes = []
    for numbers in found.values():
        members = np.zeros(len(cells), dtype=bool)
        members[numbers] = True
        classes.append(Class(members, cells[numbers[0]]))
    return classes


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
    """The table of a selector."""
    k, q = (Side(low, side if place in s.fn.used else None) for place, side in enumerate(s.args))
    if len(k.values) * len(q.values) > MOST_PAIRS:
        raise Refused(
            s,
            "too many pairs",
            f"this predicate is a table of {len(k.values):,} × {len(q.values):,} pairs, "
            f"more than {MOST_PAIRS:,}: give a smaller alphabet",
        )
    grid = np.broadcast_arrays(k.values, q.values[:, None])
    chosen, failed = arrays.apply(s.fn, grid)
    cells = np.asarray(chosen != 0, dtype=bool)
    return Predicate(q, k, np.ascontiguousarray(cells if failed is None else cells & ~failed))


def _finite_channels(low: Lowering, predicate: Predicate) -> tuple[Channel, ...]:
    """A channel for each class, or a distance where queries and keys go together in pairs.

    Exactly one class holds the query. Its term is exactly 0 for a selected key and -FORBIDDEN for
    any other, and all other terms are exactly 0 (docs, "Finite predicates").
    """
    q, k = predicate.q, predicate.k
    queries = [c for c in predicate.query_classes() if not c.row.all()]
    keys = [c for c in predicate.key_classes() if not c.row.all()]
    pairing = _pairing(predicate)
    if pairing is not None:
        numbers = np.concatenate(pairing)
        width = int(numbers.max() - numbers.min()).bit_length()
        if 2 * width < min(len(queries), len(keys)):
            codes = [[side.feature((code >> bit) & 1) for bit in range(width)]
                     for side, code in zip((q, k), pairing, strict=True)]  # fmt: skip
            return equal_bits(low, *codes)
    # A class of one side has a channel, and of the other side all classes that don't go with it.
    if len(queries) <= len(keys):
        others = _Classes(k, predicate.key_classes())
        pairs = [(q.member(c.members), others.member(~c.row)) for c in queries]
    else:
        others = _Classes(q, predicate.query_classes())
        pairs = [(others.member(~c.row), k.member(c.members)) for c in keys]
    return tuple(Channel(-FORBIDDEN * asks, refused) for asks, refused in pairs)


class _Classes:
    """One side of a predicate by its classes, of which any union is a sum."""

    def __init__(self, side: Side, classes: list[Class]) -> None:
        self._first = [int(c.members.argmax()) for c in classes]
        forms = [side.member(c.members) for c in classes[:-1]]
        self._forms = [*forms, side.low.build.one - total(forms)]

    def member(self, chosen: NDArray[np.bool_]) -> Form:
        """1 where the value is among the chosen ones, which are whole classes."""
        picked = np.flatnonzero(chosen[self._first]).tolist()
        return total(self._forms[number] for number in picked)


def equal_bits(low: Lowering, q: Sequence[Form], k: Sequence[Form]) -> tuple[Channel, ...]:
    """Two channels a bit: -FORBIDDEN where only the query has it, or only the key.

    Every term of equal numbers is exactly 0, so what else is in the score is not rounded away.
    """
    one = low.build.one
    channels = []
    for asked, held in zip(q, k, strict=True):
        channels.append(Channel(-FORBIDDEN * asked, one - held))
        channels.append(Channel(-FORBIDDEN * (one - asked), held))
    return tuple(channels)


def _pairing(predicate: Predicate) -> tuple[Vector, Vector] | None:
    """Numbers for queries and keys that are equal exactly where the key is selected.

    There are such numbers if every query selects one class of keys or none, and no two classes of
    queries the same.
    """
    keys = predicate.key_classes()
    selected = [c for c in keys if c.row.any()]
    if any(len(_distinct_rows(predicate.cells[c.row])) > 1 for c in selected):
        return None
    if (predicate.cells.sum(1) > 0).any() and any(
        (predicate.cells[c.row] & ~c.members).any() for c in selected
    ):
        return None
    values = predicate.k.values
    singles = all(c.members.sum() == 1 for c in selected)
    if singles and int(values[-1] - values[0]) < 2 * len(values):
        of_keys = values.copy()
    else:
        of_keys = np.full(len(values), len(selected), dtype=np.int64)
        for number, c in enumerate(selected):
            of_keys[c.members] = number
    of_queries = np.full(len(predicate.q.values), int(of_keys.max()) + 1, dtype=np.int64)
    for c in selected:
        of_queries[c.row] = of_keys[c.members][0]
    return of_queries, of_keys


def _distinct_rows(cells: NDArray[np.bool_]) -> set[bytes]:
    return {row.tobytes() for row in cells}


def _index_condition(low: Lowering, s: Select) -> Condition:
    """Equality of indices; an order only where causality settles it."""
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
    """By digits or by bits, whichever the order of the keys allows."""
    k, q = low.scalar(s.k), low.scalar(s.q)
    if k.present.is_zero or q.present.is_zero:
        return NEVER
    build, name = low.build, low.names[s]
    one = build.one
    span = max(k.high, q.high) - min(k.low, q.low) + 1
    if s.is_lookup:
        build.limit(digits(f"look-up in {name}", span))
        asked, held = _matched(q, k, DIGITS)
        channels = [
            Channel(2 * FORBIDDEN * asked[0], held[0]),
            Channel(2 * FORBIDDEN * asked[1], held[1]),
            Channel(-FORBIDDEN * asked[2], one),
            Channel(-FORBIDDEN * one, held[2]),
        ]
    else:
        build.limit(bits(f"equality in {name}", span))
        channels = list(equal_bits(low, *_matched(q, k, REMAINDER)))
    if not build.is_one(k.present):
        channels.append(Channel(-FORBIDDEN * one, one - k.present))
    if not build.is_one(q.present):
        channels.append(Channel(-FORBIDDEN * (one - q.present), one))
    return Condition(tuple(channels))


def _matched(q: Scalar, k: Scalar, parts: Sequence[str]) -> tuple[list[Form], list[Form]]:
    """Parts of the query and of the key, with nothing left of their shifts.

    The shift goes to a side that is a position, if one is: there the formulas bring it for free.
    """
    shift = q.shift - k.shift
    of_query, of_key = (0, -shift) if k.positional else (shift, 0)
    return [q.part(part, of_query) for part in parts], [k.part(part, of_key) for part in parts]
