"""The cheapest terms that fit the examples, a few of each cost."""

from __future__ import annotations

from dataclasses import dataclass, field

from .rules import Term
from .show import body

NO_COST = 1 << 30
"""Beyond any cost."""


@dataclass
class Hits:
    """Terms that give the wanted output at every asked position."""

    most: int
    """How many of one cost are kept."""
    by_cost: dict[int, list[Term]] = field(default_factory=dict)
    has_news: bool = False
    """Whether something was added since this was last set to False."""
    _costs: dict[str, int] = field(default_factory=dict)
    """Of each program, by its lines, the least cost at which it was made."""

    def add(self, term: Term) -> None:
        known = self.by_cost.setdefault(term.cost, [])
        text = body(term)
        if len(known) < self.most and term.cost < self._costs.get(text, NO_COST):
            self._costs[text] = term.cost
            known.append(term)
            self.has_news = True

    def is_wanted(self, cost: int) -> bool:
        """Whether a term of this cost would be kept."""
        return len(self.by_cost.get(cost, ())) < self.most and cost <= self.worst

    @property
    def worst(self) -> int:
        """Beyond this cost there are enough cheaper terms."""
        total = 0
        for cost in sorted(self.by_cost):
            total += len(self.by_cost[cost])
            if total >= self.most:
                return cost
        return NO_COST

    @property
    def least(self) -> int:
        """The cost of the cheapest term, or beyond any cost if there is none."""
        return min(self.by_cost, default=NO_COST)

    def cheapest_first(self) -> list[Term]:
        return [term for cost in sorted(self.by_cost) for term in self.by_cost[cost]]
