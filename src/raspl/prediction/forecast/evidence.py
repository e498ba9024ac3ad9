"""What is known of a task before any training, from its sampler and its solver alone.

A forecast is a function of this record and of nothing else. No task's name, no shipped program and
nothing that the paper says enters it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from raspl.analysis.cost import measure
from raspl.analysis.disciplines import Discipline, disciplines_of
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Node, Select
from raspl.validated import Record

LookUp: TypeAlias = Literal["position", "count", "content"]
"""By what a head finds its keys: by where they are, by how many there were, or by what they are."""


class Candidate(Record):
    """A program that explains every example of the training lengths."""

    cost: int
    heads: int
    depth: int
    bits: float
    looks_by: tuple[LookUp, ...]
    disciplines: tuple[Discipline, ...]
    source: str
    failure: str | None = None
    """An input beyond the training lengths on which it goes wrong."""

    @property
    def survives(self) -> bool:
        return self.failure is None


class Evidence(Record):
    """All that a forecast rests on."""

    trained_to: int
    impossible: str | None = None
    """Inputs that show that no program of any size computes the task."""
    program: Candidate | None = None
    """The cheapest that is right beyond the training lengths too."""
    without_positions: Candidate | None = None
    """The cheapest of those that look up nothing by position."""
    shortcut: Candidate | None = None
    """The cheapest that goes wrong beyond the training lengths."""
    exhausted: int = -1
    """No program of this cost or less explains the examples."""
    answer_length: float
    """Tokens or labels that must all be right, on average at the longest training length."""
    sensitivity: float | None = None
    """How many prompt tokens, changed alone, change an answer token."""
    candidates: int = 0
    seconds: float = 0.0


def looks_by(graph: Graph) -> tuple[LookUp, ...]:
    """By what the heads of a program find their keys."""
    selects = [node for node in graph.nodes if isinstance(node, Select)]
    return tuple(sorted({_looks_by(side) for select in selects for side in _sides(select)}))


def _sides(select: Select) -> list[Node]:
    """Keys and queries, as far as the predicate looks at them."""
    return [node for place, node in enumerate((select.k, select.q)) if place in select.fn.used]


def _looks_by(node: Node) -> LookUp:
    if not node.type.is_index:
        return "content"
    return "count" if node.type.kind == "Count" else "position"


def candidate(graph: Graph, cost: int, source: str, failure: str | None) -> Candidate:
    size = measure(graph)
    return Candidate(
        cost=cost,
        heads=size.heads,
        depth=size.depth,
        bits=size.bits,
        looks_by=looks_by(graph),
        disciplines=disciplines_of(graph),
        source=source,
        failure=failure,
    )
