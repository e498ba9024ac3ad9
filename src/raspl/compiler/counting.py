"""Counting: how many keys a query selects, as an exact integer (docs, "Counting")."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from raspl.compiler.bounds import GAP, counted
from raspl.compiler.conditions import Predicate, compares_indices, predicate_of
from raspl.compiler.context import Lowering, Refused
from raspl.compiler.heads import head
from raspl.compiler.indices import nothing, rounded
from raspl.compiler.plan import Channel
from raspl.compiler.positions import part_of
from raspl.compiler.residual import Form, Scalar
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
    part = partial(_part_of_zero, one)
    return replace(nothing(), part=part, present=one)


def _part_of_zero(one: Form, part: str, shift: int) -> Form:
    return float(part_of(part, shift)) * one


def _nearly_counted(low: Lowering, node: SelWidth, predicate: Predicate) -> Form:
    """position × the fraction of keys in the classes that the query selects."""
    build, name = low.build, low.names[node]
    q, k = predicate.q, predicate.k
    queries = [c for c in predicate.query_classes() if c.row.any()]
    keys = [c for c in predicate.key_classes() if c.row.any()]
    # Either a fraction for each class of keys, gated by the queries that select it, or one for
    # each class of queries, of all the keys that it selects.
    if len(queries) <= len(keys):
        parts = [(k.member(c.row), q.member(c.members)) for c in queries]
    else:
        parts = [(k.member(c.members), q.member(c.row)) for c in keys]
    made = head(low, node, "measures what fraction of the keys match", [])
    build.limit(counted(f"count {name}", len(parts)))
    gates = []
    for number, (share, asks) in enumerate(parts):
        fraction = build.move(made, share, f"{name}: fraction {number}", name)
        gates.append(fraction if build.is_one(asks) else build.both(fraction, asks))
    return build.units(f"{name}: nearly", name, [(1.0, gate, build.position) for gate in gates])


def _rounded(low: Lowering, node: SelWidth, nearly: Form) -> Scalar:
    """The position nearest to a number: the score is 2·number·position - position².

    The sink stands for 0, since its position is 0. The keys are 0 … i + 1, which are all the
    counts that position i can have.
    """
    build, name = low.build, low.names[node]
    channels = [
        Channel(2.0 * GAP * nearly, build.position),
        Channel(-GAP * build.one, build.formula("position²")),
    ]
    made = build.head(name, "rounds the count to a position", channels)
    return rounded(low, lambda form, part: build.move(made, form, part, name), name)
