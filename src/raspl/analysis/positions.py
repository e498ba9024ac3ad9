"""Does a program look at positions, or only at what has occurred and how often?

Positions are looked at by every Index, and by a selector that compares a running count: as such a
count never falls, keys of one count lie side by side.
"""

from __future__ import annotations

from raspl.analysis.disciplines import compares_indices, is_running
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Indices, Select, SelWidth


def looks_at_positions(graph: Graph) -> bool:
    """Whether anything in a program depends on where keys stand."""
    if any(isinstance(node, Indices) for node in graph.nodes):
        return True
    running = {
        node.type.family
        for node in graph.nodes
        if isinstance(node, SelWidth) and is_running(node, graph.bits)
    }
    return any(
        isinstance(node, Select)
        and compares_indices(node)
        and bool({node.k.type.family, node.q.type.family} & running)
        for node in graph.nodes
    )
