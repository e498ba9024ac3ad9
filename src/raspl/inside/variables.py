"""The variables of a program that can be looked for in a network.

They are what the author gave a name and what attention heads put out, wherever the output needs
them. Left out are the inputs, which every network has; an output that is no head's; constants and
positions, which no input changes; and selectors, which live inside of a head and never stand in the
residual stream (`raspl inspect` compares those with the attention).
"""

from __future__ import annotations

from dataclasses import dataclass

from raspl.compiler.names import node_names
from raspl.language.ir.graph import Graph, postorder
from raspl.language.ir.primitives import Aggr, Full, Indices, Input, Node, Select


@dataclass(frozen=True)
class Variable:
    """A node of the program under the name that a reader knows it by."""

    name: str
    node: Node
    depth: int
    """The longest chain of heads that it is computed by."""
    is_local: bool
    """Whether it is read at its own position only: by maps, or as the query of a head."""


def variables(graph: Graph) -> tuple[Variable, ...]:
    """In the order of the program."""
    named = {node for _, node, _ in graph.names} - {graph.output}
    depths, names, spread = head_depths(graph), node_names(graph), spreading(graph)
    return tuple(
        Variable(names[node], node, depths[node], node not in spread)
        for node in graph.nodes
        if (node in named or node.is_head) and not is_fixed(node)
    )


def spreading(graph: Graph) -> set[Node]:
    """What other positions read too: keys and values of heads, and all that those are made of.

    Anything else matters only at the positions whose output is asked for.
    """
    found: set[Node] = set()
    for node in reversed(list(postorder(graph.output))):
        match node:
            case Select():
                found.add(node.k)
            case Aggr():
                found.add(node.v)
        if node in found:
            found.update(node.args)
    return found


def is_fixed(node: Node) -> bool:
    """Whether there is nothing to swap: an input itself, a selector, or what no input changes."""
    if isinstance(node, Input | Select):
        return True
    leaves = [one for one in postorder(node) if not one.args]
    return all(isinstance(one, Full | Indices) for one in leaves)


def head_depths(graph: Graph) -> dict[Node, int]:
    """How many heads stand behind one another before each node is known."""
    depths: dict[Node, int] = {}
    for node in postorder(graph.output):
        below = max((depths[arg] for arg in node.args), default=0)
        depths[node] = below + node.is_head
    return depths
