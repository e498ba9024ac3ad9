"""Does a program weigh what it selects, or does one selected key tell it all?

A maximum, or a mean of equal values, is told by one key. A count, or a mean of different values,
hangs on all of them: where it is compared with a threshold, one key among n decides, and a
Transformer's attention must be exact to 1/n. That gets harder with length.
"""

from __future__ import annotations

from raspl.analysis.values import Values, infer
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Aggr, Node, SelWidth


def weighs(graph: Graph) -> bool:
    """Whether a program counts, or takes a mean of values that may differ."""
    values = infer(graph)
    return any(isinstance(node, SelWidth) or _averages(node, values) for node in graph.nodes)


def _averages(node: Node, values: Values) -> bool:
    return (
        isinstance(node, Aggr)
        and node.reduction == "mean"
        and not node.type.is_index
        and not node.s.is_lookup
        and len(values.selected[node]) > 1
    )
