"""What attention does: conditions, orders and payloads of heads.

The score of a key is -FORBIDDEN for each condition that it breaks, plus an integer by which the
keys that break none are ordered, times GAP. The sink, a key in front of the first token, has the
score -FORBIDDEN/2: below every key that may be attended, above every key that may not. Nothing
stands in the stream at the sink, so a head that attends it moves nothing. See docs/compiler.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.language.primitives import Aggr, Indices, Node, Select, SelWidth, TokMap
from raspl.language.types import NULL
from raspl.meaning import arrays

from .bounds import (
    FORBIDDEN,
    GAP,
    averaged,
    counted,
    distinct,
    integers,
    ordered,
    ranked,
)
from .context import Lowering, Refused
from .maps import MOST_PAIRS, nothing
from .plan import Channel
from .residual import DISTINCT, MODULI, ZERO, Encoding, Finite, Form, Scalar, total


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
    if _compares_indices(s):
        return _index_condition(low, s)
    predicate = _predicate(low, s)
    if predicate.cells.all():
        return ALWAYS
    if not predicate.cells.any():
        return NEVER
    return Condition(_finite_channels(low, predicate))


def _compares_indices(s: Select) -> bool:
    return s.fn.comparison is not None and s.k.type.is_index


def _predicate(low: Lowering, s: Select) -> Predicate:
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
        known = _known_order(s)
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


def _known_order(s: Select) -> bool | None:
    """Where both sides are the position, shifted, causality may settle an order by itself."""
    key, query = _shift(s.k), _shift(s.q)
    if key is None or query is None:
        return None
    # At the query's own position the key leads by this much, and it only falls behind before.
    lead = key - query
    op = s.fn.comparison
    if (op == "<=" and lead <= 0) or (op == "<" and lead < 0):
        return True
    if (op == ">=" and lead < 0) or (op == ">" and lead <= 0):
        return False
    return None


def _shift(node: Node) -> int | None:
    shift = 0
    while isinstance(node, TokMap) and node.type.is_index:
        shift += node.fn.shift or 0
        node = node.x
    return shift if isinstance(node, Indices) else None


def aggr(low: Lowering, node: Aggr) -> Encoding:
    """One head, and for a mean of different values the MLPs that truncate it."""
    asked = condition(low, node.s)
    if node.type.is_index:
        return _aggr_index(low, node, asked)
    assert node.default is not None
    if asked.never:
        return low.constant(node.default)
    v = low.finite(node.v)
    if node.reduction == "mean" and not node.s.is_lookup and len(v.values) > 1:
        return _mean(low, node, asked, v)
    return _pick(low, node, asked, v)


def _head(
    low: Lowering, node: Aggr | SelWidth, does: str, channels: list[Channel],
    moves: list[tuple[Form, str]],
) -> tuple[Form, ...]:  # fmt: skip
    """A head with the sink's channel added."""
    sink = Channel(-FORBIDDEN / 2 * low.build.one, low.build.sink)
    selector = low.selectors.index(node.s)
    return low.build.head(low.names[node], does, [*channels, sink], moves, selector)


def _latest(low: Lowering) -> Channel:
    """Of keys that are equal so far, the latest."""
    return Channel(GAP * low.build.one, low.build.position)


def _pick(low: Lowering, node: Aggr, asked: Condition, v: Finite) -> Finite:
    """The selected value that is greatest or least, from one key (docs, "Max and min")."""
    name, build = low.names[node], low.build
    channels = list(asked.channels)
    if not node.s.is_lookup:
        channels.append(_latest(low))
        if len(v.values) > 1:
            ranks = total(float(r) * form for r, form in enumerate(v.forms))
            sign = 1.0 if node.reduction == "max" else -1.0
            channels.append(Channel(sign * GAP * build.position, ranks))
        build.limit(ranked(f"head {name}", len(v.values)))
    values = low.values[node].tolist()
    rest = next((x for x in values if x in v.values), values[0]) if asked.always else node.default
    assert rest is not None
    moved = [x for x in values if x != rest and x in v.values]
    moves = [(v.of([x]), f"{name} = {x}") for x in moved]
    verb = "looks up" if node.s.is_lookup else _verb(node)
    written = _head(low, node, f"{verb} {low.names[node.v]}", channels, moves)
    return low.one_hot(values, dict(zip(moved, written, strict=True)), rest)


def _verb(node: Aggr) -> str:
    return "takes any" if node.reduction == "mean" else f"takes the {node.reduction} of"


def _mean(low: Lowering, node: Aggr, asked: Condition, v: Finite) -> Finite:
    """The mean, spread over all selected keys, then truncated (docs, "Truncated mean").

    Values are moved as their distance from the least one, which keeps the error small.
    """
    name, build = low.names[node], low.build
    lowest, highest = v.values[0], v.values[-1]
    above = total(float(x - lowest) * form for x, form in zip(v.values, v.forms, strict=True))
    moves = [(above, f"{name}: mean above {lowest}"), (build.one, f"{name}: found")]
    does = f"averages {low.names[node.v]}"
    mean, found = _head(low, node, does, list(asked.channels), moves)
    build.limit(averaged(f"mean {name}", highest - lowest))
    steps = range(lowest, highest + 1)
    reached = [_at_least(low, name, t, lowest, mean, found) for t in steps]
    assert node.default is not None
    known = {}
    for t, this, next_one in zip(steps, reached, [*reached[1:], ZERO], strict=True):
        if t != node.default:
            terms = [*_snapped(low, 1.0, this), *_snapped(low, -1.0, next_one)]
            known[t] = build.relu(f"{name} = {t}", name, terms)
    values = {*low.values[node].tolist(), node.default}
    return low.one_hot(sorted(values), known, node.default)


def _at_least(low: Lowering, name: str, t: int, lowest: int, mean: Form, found: Form) -> Form:
    """About 1 where the truncated mean is at least t, about 0 elsewhere or where none is selected.

    n(mean - t) is at least 0 or at most -1 if t > 0, and n(mean - t + 1) at least 1 or at most 0
    if t <= 0, since the mean of m <= n integers is a multiple of 1/m.
    """
    build = low.build
    reciprocal = build.formula("1 / position")
    steps = (0.75, 0.25) if t > 0 else (-0.25, -0.75)
    threshold = (t if t > 0 else t - 1) - lowest
    beyond = total((mean, float(1 - threshold) * found, -1.0 * build.one))
    terms = [
        (weight, beyond + step * reciprocal, build.position)
        for weight, step in zip((2.0, -2.0), steps, strict=True)
    ]
    return build.units(f"{name} ≥ {t}", name, terms)


def _snapped(low: Lowering, weight: float, nearly: Form) -> list[tuple[float, Form]]:
    """Exactly 0 or 1 from what is within a quarter of it (docs, "Snapping")."""
    if nearly.is_zero:
        return []
    half = 0.5 * low.build.one
    double = 2.0 * nearly
    return [(weight, double - half), (-weight, double - 3.0 * half)]


def _aggr_index(low: Lowering, node: Aggr, asked: Condition) -> Scalar:
    """The greatest, least or looked-up index, from one key (docs, "Latest and first")."""
    build, name = low.build, low.names[node]
    v = low.scalar(node.v)
    if asked.never or v.present.is_zero:
        return nothing()
    channels = list(asked.channels)
    if not node.s.is_lookup:
        sign = 1.0 if node.reduction == "max" else -1.0
        if v.positional:
            channels.append(Channel(sign * GAP * build.one, build.position))
            build.limit(integers(f"head {name}", 1))
        else:
            channels += [_latest(low), Channel(sign * GAP * build.position, v.value)]
            build.limit(ordered(f"head {name}", max(abs(v.low), abs(v.high)) + 1))
        if not build.is_one(v.present):
            channels.append(Channel(-FORBIDDEN * build.one, build.one - v.present))
    moves = [(v.value, name), (v.present, f"{name} is there")]
    groups = v.residues if node in low.compared else None
    labels = low.residue_names(name)
    for forms, names in zip(groups or (), labels, strict=False):
        moves += list(zip(forms, names, strict=True))
    verb = "looks up" if node.s.is_lookup else f"takes the {node.reduction} of"
    value, present, *rest = _head(low, node, f"{verb} {low.names[node.v]}", channels, moves)
    if asked.always and build.is_one(v.present):
        present = build.one
    residues = _regrouped(rest) if groups else None
    return Scalar(value, present, v.low, v.high, residues)


def _regrouped(forms: list[Form]) -> tuple[tuple[Form, ...], ...]:
    rest = iter(forms)
    return tuple(tuple(next(rest) for _ in range(m)) for m in MODULI)


def sel_width(low: Lowering, node: SelWidth) -> Scalar:
    """A count: a uniform head, a gate, and a head that rounds (docs, "Counting")."""
    if _compares_indices(node.s) and NULL not in (node.s.k.type, node.s.q.type):
        raise Refused(
            node,
            "width of an index predicate",
            "this counts keys whose *index* satisfies a predicate: a uniform head counts the "
            "values of a finite set, and no single head counts over unbounded ones",
        )
    if _compares_indices(node.s):
        return _counted_zero(low)
    predicate = _predicate(low, node.s)
    if not predicate.cells.any():
        return _counted_zero(low)
    nearly = _nearly_counted(low, node, predicate)
    return _rounded(low, node, nearly)


def _counted_zero(low: Lowering) -> Scalar:
    one = low.build.one
    return Scalar(ZERO, one, 0, 0, tuple((one, *(ZERO,) * (m - 1)) for m in MODULI))


def _nearly_counted(low: Lowering, node: SelWidth, predicate: Predicate) -> Form:
    """position × the fraction of keys in the classes that the query selects."""
    build, name = low.build, low.names[node]
    q, k = predicate.q, predicate.k
    queries = [(m, row) for m, row in predicate.query_classes() if row.any()]
    keys = [(m, row) for m, row in predicate.key_classes() if row.any()]
    # Either a fraction for each class of keys, gated by the queries that select it, or one for
    # each class of queries, of all the keys that it selects.
    if len(queries) <= len(keys):
        parts = [
            (low.member(k, _chosen(k, row)), low.member(q, members)) for members, row in queries
        ]
    else:
        parts = [(low.member(k, members), low.member(q, _chosen(q, row))) for members, row in keys]
    labels = [f"{name}: fraction {number}" for number in range(len(parts))]
    moves = [(share, label) for (share, _), label in zip(parts, labels, strict=True)]
    fractions = _head(low, node, "measures fractions of keys", [], moves)
    build.limit(counted(f"count {name}", len(parts)))
    gates = [
        fraction if build.is_one(asks) else build.both(fraction, asks)
        for fraction, (_, asks) in zip(fractions, parts, strict=True)
    ]
    return build.units(f"{name}: nearly", name, [(1.0, gate, build.position) for gate in gates])


def _chosen(side: Finite, row: NDArray[np.bool_]) -> list[int]:
    return [v for v, chosen in zip(side.values, row, strict=True) if chosen]


def _rounded(low: Lowering, node: SelWidth, nearly: Form) -> Scalar:
    """The position nearest to a number: the score is 2·number·position - position².

    The sink stands for 0, since its position is 0. The keys are 0 … i + 1, which are all the
    counts that position i can have.
    """
    build, name = low.build, low.names[node]
    square = build.formula("position²")
    channels = [
        Channel(2.0 * GAP * nearly, build.position),
        Channel(-GAP * build.one, square),
    ]
    moves = [(build.position, name)]
    labels = low.residue_names(name)
    if node in low.compared:
        # The count at position p - 1 is p, so its remainders are those of the next index; where
        # the sink is attended nothing is moved, and remainder 0 is what is left.
        for forms, names in zip(low.index_residues(), labels, strict=True):
            moves += [(forms[r - 1], names[r]) for r in range(1, len(forms))]
    value, *rest = build.head(name, "rounds the count to a position", channels, moves)
    residues = None
    if node in low.compared:
        left = iter(rest)
        groups = [[next(left) for _ in range(m - 1)] for m in MODULI]
        residues = tuple((build.one - total(group), *group) for group in groups)
    return Scalar(value, build.one, 0, 1, residues)
