"""The program that a term stands for, built by the language's own typing rules."""

from __future__ import annotations

from itertools import count

from raspl.language.ir.graph import Graph, merge
from raspl.language.ir.primitives import Aggr, Full, Indices, Input, Node, Select, SelWidth, TokMap
from raspl.language.ir.primitives import Site as BuildSite
from raspl.language.ir.scalar import Fn, Lit
from raspl.language.ir.types import INT
from raspl.language.source import Origin, Span
from raspl.synthesis.catalogue import MAPS, SELECTORS
from raspl.synthesis.components import TOKENS, Rule, Term
from raspl.synthesis.scalars import plus

ORIGIN = Origin(Span("<search>", 1, 1, 1, 1, ""))


def to_graph(term: Term, bits: int, name: str = "found") -> Graph:
    """The program of a term, checked by the language's own typing rules as it is built."""
    maker = Maker(bits)
    output = maker.node(term)
    return merge(
        Graph(name=name, inputs=(maker.tokens,), output=output, bits=bits, lines=len(maker.known))
    )


class Maker:
    """Builds nodes; a term that occurs twice becomes one node."""

    def __init__(self, bits: int) -> None:
        self.tokens: Input = Input(type=INT, origin=ORIGIN, name="x")
        self.known: dict[Term, Node] = {TOKENS: self.tokens}
        self.site: BuildSite = BuildSite(ORIGIN, bits, count(1).__next__)

    def node(self, term: Term) -> Node:
        known = self.known.get(term)
        if known is None:
            args = [self.node(arg) for arg in term.args]
            rule = term.rule
            known = self.known[term] = (
                self._head(rule, args) if rule.is_head else MAPS[rule.name].node(self, rule, args)
            )
        return known

    def full(self, const: int | None) -> Node:
        return Full.build(self.site, x=self.tokens, const=const)

    def indices(self) -> Node:
        return Indices.build(self.site, x=self.tokens)

    def shifted(self, node: Node, number: int) -> Node:
        return TokMap.build(self.site, x=node, func=Fn(1, plus(number)))

    def select(self, k: Node, q: Node, pred: Fn) -> Select:
        return Select.build(self.site, k=k, q=q, pred=pred)

    def extreme(self, node: Node, reduction: str) -> Node:
        everything = self.select(node, node, Fn(2, Lit(1)))
        return Aggr.build(self.site, s=everything, v=node, reduction=reduction)

    def _head(self, rule: Rule, args: list[Node]) -> Node:
        s = SELECTORS[rule.name].node(self, rule, args)
        if rule.reduction == "width":
            return SelWidth.build(self.site, s=s)
        if rule.reduction == "has":
            return Aggr.build(self.site, s=s, v=self.full(1), default=0)
        v = args[-1]
        default = None if v.type.is_index else rule.default
        return Aggr.build(self.site, s=s, v=v, default=default, reduction=rule.reduction)
