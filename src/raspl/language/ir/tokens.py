"""Which values of a program are tokens, so that people are shown their names.

Inputs are, and so is the output of a program that reads one sequence: it says which token comes
next, unless whoever asks knows that it outputs labels. Looking up, choosing and replacing pass
tokens on. What is calculated may be a token or any other number.
"""

from __future__ import annotations

from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Aggr, Full, Input, Node, SeqMap, TokMap, Where
from raspl.language.ir.types import INT
from raspl.language.vocabulary import Token


def token_nodes(graph: Graph, outputs_tokens: bool = True) -> frozenset[Node]:
    """The nodes whose values are tokens, if the program has names for its tokens at all."""
    if graph.vocabulary is None:
        return frozenset()
    found: set[Node] = set()
    for node in graph.nodes:  # arguments first: from the inputs on
        is_named = isinstance(node, Full) and isinstance(node.value, Token)
        if isinstance(node, Input) or is_named or any(each in found for each in _passed(node)):
            found.add(node)
    if not outputs_tokens:
        found.discard(graph.output)
    elif len(graph.inputs) == 1:
        found.add(graph.output)
    for node in reversed(graph.nodes):  # and back from the output
        if node in found:
            found.update(_passed(node))
    return frozenset(node for node in found if node.type == INT)


def _passed(node: Node) -> tuple[Node, ...]:
    """The nodes whose values a node hands on as they are."""
    match node:
        case Where():
            return node.a, node.b
        case Aggr(reduction=("max" | "min")):
            return (node.v,)
        case Aggr() if node.s.is_lookup:
            return (node.v,)
        case TokMap() | SeqMap():
            return tuple(node.args[index] for index in sorted(node.fn.handed_on))
    return ()
