"""Every program that can be built of the components, by cost.

Bottom-up: each level holds the values that first appear at that cost, merged by behaviour. As long
as levels are small they are kept; the last level is only compared with the sketches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from raspl.synthesis.bank import Bank, Batch
from raspl.synthesis.catalogue import MAPS
from raspl.synthesis.choices import Choices
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import Rule
from raspl.synthesis.heads import heads
from raspl.synthesis.matches import Matches
from raspl.synthesis.output_tables import OutputTables
from raspl.synthesis.scope import Scope
from raspl.synthesis.settings import Settings
from raspl.synthesis.sketches import SketchMatcher

GROUP = 16_384
"""Candidates of several blocks that are compared with the sketches together, at least."""


class Enumeration:
    """All programs over a set of examples; what fits goes to the matches."""

    def __init__(
        self, layout: Layout, literals: tuple[int, ...], settings: Settings, matches: Matches
    ) -> None:
        self.bank = Bank(layout, settings.most_bytes)
        self._layout, self._literals, self._settings = layout, literals, settings
        self._matches = matches

    def steps(self) -> Iterator[tuple[int, int | None]]:
        """The cost, and how many more candidates were tried; None when a cost is exhausted."""
        bank, layout, matches, literals = self.bank, self._layout, self._matches, self._literals
        positions = self._settings.positions
        choices, tables = Choices(bank, layout.wanted), OutputTables(bank, layout.wanted)
        for batch in leaves(layout, literals, positions):
            bank.add(batch)
        cost = 0
        while True:
            bank.close()
            choices.add_level(cost)
            choices.add_matches(cost, matches)
            tables.add_matches(cost, matches)
            sketches = choices.sketches(cost)
            matcher = SketchMatcher(layout.wanted, bank, sketches, matches)
            if cost == 0:
                for batch in leaves(layout, literals, positions):
                    matcher.check(replace(batch, values=batch.values[layout.asked]), 0)
                yield 0, None
            cost += 1
            total = 0
            for group in _groups(self._candidates(cost, final=True)):
                for size in self._check(group, cost, matcher):
                    total += size
                    yield cost, size
            yield cost, None
            if total > self._settings.most_kept:
                return
            for batch in self._candidates(cost, final=False):
                bank.add(batch)
                yield cost, batch.values.shape[1]
            if bank.full:
                return

    def _check(self, group: list[Batch], cost: int, matcher: SketchMatcher) -> Iterator[int]:
        """Check the blocks of a group in their order; how many candidates each has."""
        promising = matcher.promising(group, cost)
        for number, batch in enumerate(group):
            if promising[number]:
                matcher.check(batch, cost)
                if self._matches.has_new:
                    promising[number:] = True
            yield batch.values.shape[1]

    def _candidates(self, cost: int, final: bool) -> Iterator[Batch]:
        return candidates(Scope(self.bank, self._literals, final, self._settings.fragment), cost)


def candidates(scope: Scope, cost: int) -> Iterator[Batch]:
    """Everything that costs so much."""
    for component in MAPS.values():
        yield from component.candidates(scope, cost)
    yield from heads(scope, cost)


def _groups(batches: Iterator[Batch]) -> Iterator[list[Batch]]:
    """Blocks in their order, as many together as are worth an operation on all of them."""
    group: list[Batch] = []
    size = 0
    for batch in batches:
        group.append(batch)
        size += batch.values.shape[1]
        if size >= GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def leaves(layout: Layout, literals: tuple[int, ...], positions: bool = True) -> Iterator[Batch]:
    """What costs nothing: the tokens, the literals, the indices, and "no such index"."""
    shape = (len(layout), 1)
    yield Batch(Rule("tokens", "Int"), (), layout.tokens[:, None])
    for value in literals:
        rule = Rule("literal", "Int", literals=(value,))
        yield Batch(rule, (), np.full(shape, value, dtype=layout.dtype))
    if not positions:
        return
    yield Batch(Rule("indices", "Index"), (), layout.places[:, None])
    none = np.full(shape, np.iinfo(layout.dtype).min, dtype=layout.dtype)
    yield Batch(Rule("none", "Index"), (), none)
