"""What the variables of a network are called: as in the program, where it gives them a name."""

from __future__ import annotations

from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Full, Indices, Input, Node, Select, SeqMap, TokMap
from raspl.language.vocabulary import literal_text

LONGEST = 36
OUTPUT = "output"


def node_names(graph: Graph) -> dict[Node, str]:
    """A name for every node, all different."""
    given: dict[Node, str] = {graph.output: OUTPUT}
    for name, node, _ in graph.names:
        given.setdefault(node, name)
    names: dict[Node, str] = {}
    variables, selectors = {"constants"}, set[str]()
    for node in graph.nodes:
        # A selector is no variable of the network, so it may share the name of its head.
        taken = selectors if isinstance(node, Select) else variables
        name = node.name if isinstance(node, Input) else given.get(node) or _formula(node, names)
        names[node] = _fresh(name, taken)
        taken.add(names[node])
    return names


def _formula(node: Node, names: dict[Node, str]) -> str:
    """What a node computes, in terms of named ones, or else the text that made it."""
    if isinstance(node, Indices):
        return "indices"
    if isinstance(node, Full):
        return f"full {literal_text(node.value)}"
    if isinstance(node, TokMap | SeqMap):
        formula = node.fn.formula([names[arg] for arg in node.args])
        if len(formula) <= LONGEST:
            return formula
    snippet = " ".join(node.origin.span.snippet.split()) or type(node).__name__.lower()
    via = node.origin.via
    if via and not snippet.startswith(f"{via}("):
        snippet = f"{via} in {snippet}"
    return snippet if len(snippet) <= LONGEST else snippet[: LONGEST - 1] + "…"


def _fresh(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
