"""What a search found, and what it can say about the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Literal

from raspl.analysis.disciplines import Discipline, disciplines_of
from raspl.analysis.positions import looks_at_positions
from raspl.language.ir.graph import Graph
from raspl.synthesis.components import Term
from raspl.synthesis.examples import Example
from raspl.synthesis.settings import Settings

Ending = Literal["work", "clock", "user"]
"""The work was all that the settings allow, the time was up, or the user broke it off."""


@dataclass(frozen=True)
class Progress:
    """Where a search stands."""

    cost: int
    candidates: int
    distinct: int
    rate: float
    seconds: float
    found: int
    round: int
    work: float
    """The share that is used of the work that it may do; it may well end before."""

    def __str__(self) -> str:
        return (
            f"cost {self.cost} · {self.candidates:,} candidates · "
            f"{self.distinct:,} distinct · {self.rate:,.0f} a second · "
            f"{self.found} found · {self.seconds:.0f} s · {self.work:.0%} of the work it may do"
        )


@dataclass(frozen=True)
class Find:
    """A program that fits every example of the training lengths that it was tried on."""

    term: Term
    graph: Graph

    @property
    def cost(self) -> int:
        return self.term.cost

    @cached_property
    def disciplines(self) -> tuple[Discipline, ...]:
        """The readings of the rules that it meets."""
        return disciplines_of(self.graph)

    @cached_property
    def positions(self) -> bool:
        """Whether it looks at positions."""
        return looks_at_positions(self.graph)


def cheapest_of(finds: Sequence[Find], number: int) -> tuple[Find, ...]:
    """The first so many, and among them one that looks at no position if there is any."""
    best = finds[:number]
    free = (find for find in finds[number:] if not find.positions)
    return (*best, *(islice(free, 1) if all(find.positions for find in best) else ()))


@dataclass(frozen=True)
class Result:
    """What was found, and what can be said about the rest."""

    source: str
    settings: Settings
    finds: tuple[Find, ...]
    exhausted: int
    """No program of this cost or less fits: all were considered."""
    components: str
    examples: tuple[Example, ...]
    candidates: int
    distinct: int
    seconds: float
    rounds: int
    ended_by: Ending | None = None
    """What ended the search before it was complete, if anything did."""

    def with_finds_of(self, other: Result) -> Result:
        """With what another search found, the cheapest first."""
        known = {find.term for find in self.finds}
        fresh = (find for find in other.finds if find.term not in known)
        finds = sorted((*self.finds, *fresh), key=lambda find: find.cost)
        return replace(self, finds=tuple(finds), ended_by=self.ended_by or other.ended_by)

    def shortened(self, number: int) -> Result:
        """With the cheapest finds only."""
        return replace(self, finds=cheapest_of(self.finds, number))

    def cheapest(self, positions: bool = True) -> Find | None:
        """The cheapest find; without `positions`, of those that look at none."""
        return next((find for find in self.finds if positions or not find.positions), None)

    @property
    def is_out_of_time(self) -> bool:
        """Whether more time would have taken it further, so that its result may not be repeated."""
        return self.ended_by in ("clock", "user")

    @property
    def is_proved(self) -> bool:
        """Whether the search can build no cheaper program than the first find."""
        return bool(self.finds) and self.finds[0].cost <= self.exhausted + 1

    @property
    def tried(self) -> str:
        """Up to which cost every program was tried, as a clause."""
        if self.exhausted < 0:
            return "the search did not get through the programs of any cost"
        return f"the search tried every program that it can build up to cost {self.exhausted}"

    def statement(self) -> str:
        """What was exhausted, in one sentence."""
        ruled_out = (
            "No cost is ruled out yet by"
            if self.exhausted < 0
            else f"No program of cost {self.exhausted} or less that the search can build fits"
        )
        return (
            f"{ruled_out} the examples of the training lengths (searched on {len(self.examples)} "
            f"examples, finds checked on {self.settings.held_in} more).{self._caution()}"
        )

    def _caution(self) -> str:
        """What to know about a search that another run may not repeat."""
        if not self.is_out_of_time:
            return ""
        ended = (
            "You ended the search"
            if self.ended_by == "user"
            else f"The clock ended the search at its limit of {self.settings.budget:g} s"
        )
        return (
            f" {ended}, before its work was done, so another run may find more or less; give it "
            "more time (--budget) for a result that can be repeated."
        )
