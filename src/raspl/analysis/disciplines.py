"""Three readings of what is legal, from the widest to the narrowest (docs/types.md).

*Letter* is what the type checker allows: every program that was built. *Strict* closes the ways
around the type rules by which counts stand in for arithmetic on positions. *Compilable* is what has
weights for every length. Each is decided on the graph, after inlining.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

from raspl.analysis.predicates import access_of, known_order
from raspl.language.diagnostics import Diagnostic
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Aggr, Input, Node, Select, SelWidth, SeqMap
from raspl.language.ir.types import NULL
from raspl.language.rules import Rule

Discipline: TypeAlias = Literal["letter", "strict", "compilable"]
DISCIPLINES: tuple[Discipline, ...] = get_args(Discipline)


INDEX_WIDTH = Rule(
    "S1",
    "index-width",
    "Strictly, sel_width counts keys by tokens and truth values, never by comparing indices.",
)
CLASS_WIDTH = Rule(
    "S2",
    "class-width",
    "Strictly, a count that depends on who asks is one of the program's own input tokens.",
)
CLASS_COMPARISON = Rule(
    "S3",
    "class-comparison",
    "Strictly, a count that depends on who asks is compared with its own maximum or minimum only.",
)
NO_WIDTH = Rule(
    "C1",
    "no-width",
    "No single head counts keys whose index satisfies a predicate, at every length.",
)
NO_ORDER = Rule(
    "C2", "no-order", "No single softmax head selects by an order of indices, at every length."
)


class Breach(NamedTuple):
    """What a discipline refuses in a legal program, and why."""

    node: Node
    rule: Rule
    message: str
    instead: str

    @property
    def diagnostic(self) -> Diagnostic:
        origin = self.node.origin
        note = f"inside of the library function `{origin.via}`" if origin.via else ""
        return Diagnostic(self.rule, self.message, self.instead, origin.span, note)


def breaches(graph: Graph, discipline: Discipline) -> list[Breach]:
    """Everything in a legal program that a discipline refuses."""
    return list(RULES[discipline](graph))


def disciplines_of(graph: Graph) -> tuple[Discipline, ...]:
    """The disciplines that a program meets."""
    return tuple(one for one in DISCIPLINES if not breaches(graph, one))


def _letter(graph: Graph) -> Iterator[Breach]:
    """The type checker has refused everything else already."""
    return iter(())


def _strict(graph: Graph) -> Iterator[Breach]:
    by_class = set()
    for node in graph.nodes:
        if not isinstance(node, SelWidth):
            continue
        if compares_indices(node.s):
            yield Breach(
                node,
                INDEX_WIDTH,
                "this counts keys by comparing indices, which calculates their difference",
                "count by tokens and truth values; compare positions directly with < or ==",
            )
        elif not is_running(node, graph.bits):
            by_class.add(node.type.family)
            if not (isinstance(node.s.k, Input) and isinstance(node.s.q, Input)):
                yield Breach(
                    node,
                    CLASS_WIDTH,
                    "this counts within classes that the program itself has computed, which "
                    "numbers the places of each part of the input",
                    "count tokens of the input itself, as num_prev(x, x) does, or count with a "
                    "condition on the key alone, as cumsum does",
                )
    yield from _meetings(graph, by_class)


def _meetings(graph: Graph, by_class: set[int]) -> Iterator[Breach]:
    """A count within classes is compared with its own running maximum or minimum only."""
    for node in graph.nodes:
        if isinstance(node, SeqMap):
            one, other = node.x, node.y
        elif isinstance(node, Select) and compares_indices(node):
            one, other = node.k, node.q
        else:
            continue
        if {one.type.family, other.type.family} & by_class and "Count" in (
            one.type.kind,
            other.type.kind,
        ):
            allowed = NULL in (one.type, other.type) or (
                _is_extreme_of(one, other, graph.bits) or _is_extreme_of(other, one, graph.bits)
            )
            if not allowed:
                yield Breach(
                    node,
                    CLASS_COMPARISON,
                    "this compares a count within classes with its value at other places, "
                    "which aligns the parts of the input with each other",
                    "compare it with its own maximum or minimum (argmax, argmin); to align "
                    "parts, write hints into the input",
                )


def _compilable(graph: Graph) -> Iterator[Breach]:
    for node in graph.nodes:
        if isinstance(node, SelWidth) and compares_indices(node.s):
            yield Breach(
                node,
                NO_WIDTH,
                "this counts keys whose index satisfies a predicate",
                "no single head counts over unbounded values; count by tokens",
            )
        elif isinstance(node, Aggr) and compares_indices(node.s):
            op = node.s.fn.comparison
            if op != "==" and not node.s.is_lookup and known_order(node.s) is None:
                yield Breach(
                    node,
                    NO_ORDER,
                    f"this selects by `{op}` between indices",
                    "one softmax head of fixed weights can't do that at every length; select by "
                    "equality, or by tokens",
                )


RULES: Mapping[Discipline, Callable[[Graph], Iterator[Breach]]] = MappingProxyType(
    {"letter": _letter, "strict": _strict, "compilable": _compilable}
)


def compares_indices(select: Select) -> bool:
    """Whether a select looks at an Index or Count; with None there is nothing to look at."""
    looked_at = [node for place, node in enumerate((select.k, select.q)) if place in select.fn.used]
    return any(node.type.is_index for node in looked_at) and NULL not in (
        node.type for node in looked_at
    )


def is_running(width: SelWidth, bits: int) -> bool:
    """Whether a count is of the same keys whoever asks, so that it only ever grows: a clock."""
    return access_of(width.s, bits).kind in ("all", "never")


def _is_extreme_of(extreme: Node, count: Node, bits: int) -> bool:
    """Whether a node is the greatest or least that another has been so far."""
    if not isinstance(extreme, Aggr) or extreme.reduction == "mean" or extreme.v is not count:
        return False
    access = access_of(extreme.s, bits)
    return access.kind == "all" and access.keep is None and access.ask is None
