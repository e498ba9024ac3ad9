"""From a program to a plan: one rule a primitive, in evaluation order.

The rules for what happens at one position are in `maps`, those for attention in `heads` and
`counting`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from raspl.analysis.values import Alphabet
from raspl.compiler import counting, heads, maps
from raspl.compiler.bounds import integers, nearest
from raspl.compiler.context import Lowering, Refused
from raspl.compiler.plan import Plan
from raspl.compiler.residual import START, Encoding, Finite, Scalar, unit
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
"""Beyond this a one-hot variable makes a network that nobody can look at."""


def lower(graph: Graph, alphabet: Alphabet | None) -> tuple[Plan, Lowering]:
    """The plan of a program over an alphabet, and what was learnt on the way."""
    low = Lowering(graph, alphabet)
    for node in graph.nodes:
        if node.type.is_int:
            _check_size(low, node)
        encoding = RULES[type(node)](low, node)
        if encoding is not None:
            low.record(node, encoding)
    build = low.build
    build.limit(integers("positions", 1))
    output = low.encoding(graph.output)
    if isinstance(output, Scalar):
        build.limit(nearest("unembedding", max(abs(output.low), abs(output.high)) + 1))
    plan = Plan(
        dims=tuple(build.dims),
        tokens=tuple(low.tokens.get(node.name, {}) for node in graph.inputs),
        formulas=build.formulas,
        layers=tuple(build.layers),
        output=output,
        limits=tuple(build.limits),
    )
    return plan, low


def _check_size(low: Lowering, node: Node) -> None:
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


def _input(low: Lowering, node: Input) -> Encoding:
    if node.type.is_index:
        raise Refused(
            node,
            "an input of indices",
            f"the input {node.name} is a sequence of type {node.type}, and only tokens "
            "can be embedded",
        )
    values = tuple(low.values[node].tolist())
    dims = [low.build.dim(f"{node.name} = {v}", node.name, START) for v in values]
    low.tokens[node.name] = {v: {dim: 1.0} for v, dim in zip(values, dims, strict=True)}
    return Finite(values, tuple(unit(dim) for dim in dims))


def _full(low: Lowering, node: Full) -> Encoding:
    return maps.nothing() if node.value is None else low.constant(node.value)


def _indices(low: Lowering, node: Indices) -> Encoding:
    build = low.build
    residues = low.index_residues() if node in low.compared else None
    value = build.position - build.one
    return Scalar(value, build.one, 0, 0, residues, positional=True)


def _select(low: Lowering, node: Select) -> None:
    """Nothing stands in the stream for a selector: each head that reads it has its conditions."""


RULES: Rules[type[Node], Callable[[Lowering, Any], Encoding | None]] = Rules(
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
