"""Counting: how many keys a query selects, as an exact integer (docs, "Counting")."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from raspl.compiler.bounds import GAP, counted
from raspl.compiler.conditions import Predicate, compares_indices, predicate_of
from raspl.compiler.context import Lowering, Refused
from raspl.compiler.heads import head
from raspl.compiler.plan import Channel
from raspl.compiler.residual import MODULI, ZERO, Finite, Form, Scalar, total
from raspl.language.ir.primitives import SelWidth
from raspl.language.ir.types import NULL


def sel_width(low: Lowering, node: SelWidth) -> Scalar:
    """A count: a uniform head, a gate, and a head that rounds (docs, "Counting")."""
    if compares_indices(node.s) and NULL not in (node.s.k.type, node.s.q.type):
        raise Refused(
            node,
            "width of an index predicate",
            "this counts keys whose *index* satisfies a predicate: a uniform head counts the "
            "values of a finite set, and no single head counts over unbounded ones",
        )
    if compares_indices(node.s):
        return _counted_zero(low)
    predicate = predicate_of(low, node.s)
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
    fractions = head(low, node, "measures fractions of keys", [], moves)
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
