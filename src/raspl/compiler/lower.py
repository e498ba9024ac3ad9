"""From a program to a plan: one rule a primitive.

The rules for what happens at one position are in `maps`, those for attention in `heads` and
`counting`. What nothing asks for is never built.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from raspl.analysis.values import Alphabet
from raspl.compiler import counting, heads, maps
from raspl.compiler.bounds import integers, nearest
from raspl.compiler.context import Asked, Coder, Lowering, Refused, Rule
from raspl.compiler.features import Vector, numbering
from raspl.compiler.indices import nothing, of_position
from raspl.compiler.plan import Plan
from raspl.compiler.residual import Form, IndexLogits, Logits, Output, Scalar, total, unit
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import (
    Aggr,
    Full,
    Indices,
    Input,
    Node,
    Select,
    SelWidth,
    SeqMap,
    TokMap,
    Where,
)
from raspl.language.ir.tables import Rules

MOST_VALUES = 4096
"""Of more values no code can tell all apart exactly in float32."""
FRAMES = 12
"""Calls that one rule may be inside of the rule that asked for it."""


def lower(graph: Graph, alphabet: Alphabet | None) -> tuple[Plan, Lowering]:
    """The plan of a program over an alphabet, and what was learnt on the way."""
    low = Lowering(graph, alphabet, RULES)
    for node in graph.nodes:
        _check(low, node)
    build = low.build
    with _deep(len(graph.nodes)):
        output = _output(low, graph.output)
    build.limit(integers("positions", 1))
    if isinstance(output, IndexLogits):
        build.limit(nearest("unembedding", max(abs(output.low), abs(output.high)) + 1))
    plan = Plan(
        dims=tuple(build.dims),
        tokens=tuple(low.tokens.get(node.name, {}) for node in graph.inputs),
        formulas=build.formulas,
        layers=build.layers(),
        output=output,
        limits=tuple(build.limits),
    )
    return plan, low


@contextmanager
def _deep(nodes: int) -> Iterator[None]:
    """Rules call each other from the output backwards, as deep as a program is long."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 1000 + FRAMES * nodes))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _check(low: Lowering, node: Node) -> None:
    RULES[type(node)]
    if isinstance(node, Aggr):
        heads.REDUCED[node.reduction]
    if not node.type.is_int:
        return
    count = len(low.values[node])
    if not count:
        raise Refused(node, "fails on every input", "this fails on every input")
    if count > MOST_VALUES:
        raise Refused(
            node,
            "too many values",
            f"`{low.names[node]}` can have {count:,} values, more than {MOST_VALUES:,}: "
            "give a smaller alphabet",
        )


def _output(low: Lowering, node: Node) -> Output:
    """What the unembedding reads (docs, "Unembedding")."""
    if not node.type.is_int:
        scalar = low.scalar(node)
        return IndexLogits(scalar.value, scalar.present, scalar.low, scalar.high)
    values = low.values[node]
    if len(values) <= 2:
        forms = [low.member(node, values == value) for value in values]
    else:
        number = low.feature(node, numbering(values))
        forms = [
            total((2.0 * t * number, -(float(t) ** 2) * low.build.one))
            for t in numbering(values).tolist()
        ]
    return Logits(tuple(values.tolist()), tuple(forms))


def _input(low: Lowering, node: Input) -> Coder:
    if node.type.is_index:
        raise Refused(
            node,
            "an input of indices",
            f"the input {node.name} is a sequence of type {node.type}, and only tokens "
            "can be embedded",
        )

    def coder(code: Vector, asked: Asked) -> Form:
        dim = low.build.dim(asked.name, asked.variable, asked.code)
        for out, number in zip(low.tokens[node.name].values(), code.tolist(), strict=True):
            if number:
                out[dim] = float(number)
        return unit(dim)

    return coder


def _full(low: Lowering, node: Full) -> Coder | Scalar:
    """Of a constant every code is one, which needs no rule."""
    return nothing() if node.value is None else low.mapped(node, node, np.array([node.value]))


def _indices(low: Lowering, node: Indices) -> Scalar:
    return of_position(low)


def _select(low: Lowering, node: Select) -> None:
    """Nothing stands in the stream for a selector: each head that reads it has its conditions."""


RULES: Rules[type[Node], Rule] = Rules(
    "the compiler",
    {
        Input: _input,
        Full: _full,
        Indices: _indices,
        TokMap: maps.tok_map,
        SeqMap: maps.seq_map,
        Where: maps.where,
        Select: _select,
        SelWidth: counting.sel_width,
        Aggr: heads.aggr,
    },
)
