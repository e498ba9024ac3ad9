"""What a program would have said, had one of its variables been another.

A node of the graph becomes a further input, and whatever is computed from it stays. The result is a
program like any other, so every executor runs it, and there is no second meaning to get wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from raspl.executors import batch
from raspl.language.ir.graph import Graph, postorder
from raspl.language.ir.primitives import Input, Node

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
NAME = "replaced"


@dataclass(frozen=True)
class Column:
    """A node's value for each sequence and position; None is -1, as everywhere outside."""

    values: Ints
    failed: Bools
    """Sequences on which the program goes wrong."""


def column(graph: Graph, node: Node, tokens: Ints, sizes: Ints) -> Column:
    """What a node holds on sequences of the given sizes, which stand in rows from the left."""
    return _run(replace(graph, output=node), sizes, tokens)


def counterfactual(graph: Graph, node: Node, tokens: Ints, sizes: Ints, values: Ints) -> Column:
    """The program's output on `tokens`, if the node held `values` instead of its own."""
    return _run(opened(graph, node), sizes, tokens, values)


def opened(graph: Graph, node: Node) -> Graph:
    """The same program with a node as its last input."""
    given = Input(type=node.type, origin=node.origin, name=NAME)
    return replace(exchanged(graph, node, given), inputs=(*graph.inputs, given))


def exchanged(graph: Graph, node: Node, other: Node) -> Graph:
    """The same program with another node in the place of one."""
    renewed: dict[Node, Node] = {node: other}
    for one in postorder(graph.output):
        if one in renewed:
            continue
        args = tuple(renewed[arg] for arg in one.args)
        renewed[one] = one.with_args(args, one.type) if args != one.args else one
    names = (named._replace(node=renewed.get(named.node, named.node)) for named in graph.names)
    return replace(graph, output=renewed[graph.output], names=tuple(names))


def _run(graph: Graph, sizes: Ints, *columns: Ints) -> Column:
    results = batch.run(graph, *columns, lengths=sizes.tolist())
    failed = np.zeros(len(columns[0]), dtype=np.bool_)
    failed[list(results.errors)] = True
    values = np.zeros(columns[0].shape, dtype=np.int64)
    values[:, : results.values.shape[1]] = results.values
    return Column(values, failed)
