"""What a program costs: the six measures.

They are taken on the graph, that is after inlining and after merging common subexpressions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import Any

from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import (
    REDUCTIONS,
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
from raspl.language.ir.scalar import OPERATORS, Expr, Fn, Lit, Var
from raspl.language.ir.tables import Rules


@dataclass(frozen=True, slots=True)
class Measures:
    """The size of a program, as its author and as a Transformer would count it."""

    lines: int
    """Statements in the source, with those of the author's helpers, without the library's."""
    operations: int
    """Nodes of the graph: applications of core functions. The inputs are free."""
    heads: int
    """Aggregates and selector widths: attention heads."""
    depth: int
    """The longest chain of heads: attention layers."""
    width: int
    """The most heads in one layer, when every head stands in the first layer that it can."""
    bits: float
    """Description length: see `description_length`."""


def measure(graph: Graph) -> Measures:
    """The six measures of a program."""
    layers = [layer for node, layer in head_layers(graph).items() if is_head(node)]
    return Measures(
        lines=graph.lines,
        operations=sum(not isinstance(node, Input) for node in _written(graph)),
        heads=len(layers),
        depth=max(layers, default=0),
        width=max(Counter(layers).values(), default=0),
        bits=round(description_length(graph), 1),
    )


def is_head(node: Node) -> bool:
    """Whether a node is what an attention head puts out."""
    return node.is_head


def head_layers(graph: Graph) -> dict[Node, int]:
    """For each node the number of attention layers that must have run before it is known."""
    layers: dict[Node, int] = {}
    for node in graph.nodes:
        layers[node] = max((layers[arg] for arg in node.args), default=0) + is_head(node)
    return layers


def description_length(graph: Graph) -> float:
    """Bits that single this program out, given only that it is RASP-L of its width.

    The nodes are written in order, and last which of them is the output. A node costs the choice
    of its primitive among eight, of each argument among the nodes before it, and its attributes:
    a literal costs the width of the program and one bit more (it may be None), a reduction the
    choice among three, a scalar function the symbols of its expression in prefix order, each
    chosen among the operators, the parameters and "literal".
    """
    bits = 0.0
    nodes = _written(graph)
    for index, node in enumerate(nodes):
        if not isinstance(node, Input):
            bits += log2(len(ATTRIBUTES)) + len(node.args) * _choice(index)
            bits += ATTRIBUTES[type(node)](node, graph.bits)
    return bits + _choice(len(nodes))


def _written(graph: Graph) -> list[Node]:
    """The nodes, every constant once: a named token and a truth value may be one number."""
    constants: set[int | None] = set()
    nodes: list[Node] = []
    for node in graph.nodes:
        if isinstance(node, Full):
            if node.value in constants:
                continue
            constants.add(node.value)
        nodes.append(node)
    return nodes


def _choice(options: int) -> float:
    return log2(max(1, options))


def _fn_bits(fn: Fn, width: int) -> float:
    symbol = log2(len(OPERATORS) + fn.arity + 1)

    def cost(expr: Expr) -> float:
        if isinstance(expr, Lit):
            return symbol + width
        if isinstance(expr, Var):
            return symbol
        return symbol + sum(cost(arg) for arg in expr.args)

    return cost(fn.body)


ATTRIBUTES: Rules[type[Node], Callable[[Any, int], float]] = Rules(
    "the description length",
    {
        Full: lambda node, width: width + 1,
        Indices: lambda node, width: 0,
        TokMap: lambda node, width: _fn_bits(node.fn, width),
        SeqMap: lambda node, width: _fn_bits(node.fn, width),
        Where: lambda node, width: 0,
        Select: lambda node, width: _fn_bits(node.fn, width),
        SelWidth: lambda node, width: 0,
        Aggr: lambda node, width: width + 1 + log2(len(REDUCTIONS)),
    },
)
