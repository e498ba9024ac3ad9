"""The cheapest terms that match the examples, a few of each cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from raspl.synthesis.components import Term
from raspl.synthesis.program_text import program_body

NO_COST = 1 << 30
"""Beyond any cost."""


@dataclass
class Matches:
    """Terms that give the wanted output at every asked position."""

    most: int
    """How many of one cost are kept."""
    by_cost: dict[int, list[Term]] = field(default_factory=dict)
    has_new: bool = False
    """Whether something was added since this was last set to False."""
    _by_text: dict[str, Term] = field(default_factory=dict)
    """Of each program, by its lines, the cheapest way to make it."""

    def add(self, term: Term) -> None:
        text = program_body(term)
        known = self.by_cost.get(term.cost, [])
        twin = self._by_text.get(text)
        if len(known) >= self.most or (twin is not None and twin.cost <= term.cost):
            return
        if twin is not None:
            self.by_cost[twin.cost].remove(twin)
        self._by_text[text] = term
        self.by_cost[term.cost] = [*known, term]
        self.has_new = True

    def has_room(self, cost: int) -> bool:
        """Whether a term of this cost would be kept."""
        return len(self.by_cost.get(cost, ())) < self.most and cost <= self.highest_cost

    @property
    def highest_cost(self) -> int:
        """Beyond this cost there are enough cheaper terms."""
        total = 0
        for cost in sorted(self.by_cost):
            total += len(self.by_cost[cost])
            if total >= self.most:
                return cost
        return NO_COST

    @property
    def lowest_cost(self) -> int:
        """The cost of the cheapest term, or beyond any cost if there is none."""
        return min((cost for cost, terms in self.by_cost.items() if terms), default=NO_COST)

    def cheapest_first(self) -> list[Term]:
        return [term for cost in sorted(self.by_cost) for term in self.by_cost[cost]]
