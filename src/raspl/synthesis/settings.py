"""What a search looks for, and for how long."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from raspl.analysis.disciplines import Discipline
from raspl.synthesis.examples import ExampleSource
from raspl.synthesis.fragments import Fragment


@dataclass(frozen=True)
class Settings:
    """What is searched, and for how long."""

    max_length: int = 5
    min_length: int | None = None
    """Where examples are all of one length, equal to `max_length`."""
    budget: float = 60.0
    """Seconds at most; what ends a search as a rule is `work`, so that its result is repeatable."""
    work: int = 4_000_000_000
    """Values that are computed at most: candidates, times the positions of the examples."""
    examples: int = 24
    search_length: int = 12
    """Longer examples than this are not searched on; finds are tried on all training lengths."""
    held_in: int = 300
    """Examples of the training lengths on which a find is tried before it counts."""
    keep: int = 5
    """How many programs are wanted."""
    seed: int = 0
    max_cost: int = 5
    stop_at_first: bool = False
    """End with a find that costs little more than what is exhausted, proved cheapest or not."""
    rules: Discipline = "letter"
    """The reading of the rules that programs must meet (docs/types.md)."""
    positions: bool = True
    """Whether programs may look at positions: indices, look-ups, running counts compared."""
    deep: bool = True
    """Whether to look for tables of values beyond what is enumerated."""
    most_kept: int = 8_000_000
    """A level of more candidates than this is only compared with the sketches, and not kept."""
    most_bytes: int = 1_500_000_000

    @property
    def fragment(self) -> Fragment:
        return Fragment(self.rules, self.positions)


def settings_for(
    source: ExampleSource,
    max_length: int | None = None,
    one_length: bool = False,
    **others: Any,
) -> Settings:
    """Settings with lengths that a source has; `others` are further fields.

    Without `max_length` it is the usual one, or the nearest that the source has.
    """
    shortest, longest = source.lengths
    usual = max(Settings.max_length, shortest)
    most = max_length or min(usual, longest or usual)
    return replace(Settings(max_length=most, min_length=most if one_length else None), **others)
