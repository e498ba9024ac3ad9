"""What the variables of a network are called: as in the program, where it gives them a name."""

from __future__ import annotations

from raspl.language.graph import Graph
from raspl.language.primitives import Input, Node, Select

LONGEST = 40


def node_names(graph: Graph) -> dict[Node, str]:
    """A name for every node, all different."""
    given: dict[Node, str] = {}
    for name, node, _ in graph.names:
        given.setdefault(node, name)
    names: dict[Node, str] = {}
    taken: set[str] = {"constants"}
    for node in graph.nodes:
        name = node.name if isinstance(node, Input) else given.get(node) or _described(node, given)
        names[node] = _fresh(name, taken)
        taken.add(names[node])
    return names


def _described(node: Node, given: dict[Node, str]) -> str:
    """The text that made a node, with the library function inside of which it was made."""
    snippet = " ".join(node.origin.span.snippet.split()) or type(node).__name__.lower()
    if isinstance(node, Select):
        return f"select {snippet}"[:LONGEST]
    if node.origin.via:
        snippet = f"{node.origin.via} in {snippet}"
    return snippet if len(snippet) <= LONGEST else snippet[: LONGEST - 1] + "…"


def _fresh(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
