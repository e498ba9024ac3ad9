"""Tables at the output: is what is wanted a function of one or two values of the bank?"""

from __future__ import annotations

import numpy as np

from raspl.synthesis.bank import Bank
from raspl.synthesis.columns import Block
from raspl.synthesis.components import Term
from raspl.synthesis.matches import Matches
from raspl.synthesis.separation import Contradictions, pair_covers
from raspl.synthesis.tables import entries_of, table_rule

MISSES = 64
"""Covers of the sample that don't cover all, from which on the sample is added to."""


class OutputTables:
    """Tables of the integers of a bank."""

    def __init__(self, bank: Bank, wanted: Block) -> None:
        self._bank, self._wanted = bank, wanted
        self._contradictions = Contradictions(wanted)
        # Every output but the default takes an entry.
        self._least = max(1, len(np.unique(wanted)) - 1)

    def add_matches(self, cost: int, matches: Matches) -> None:
        """Every table of values that cost so much or less together.

        Complete for tables of one level more, as a table costs one at least.
        """
        levels = self._bank.levels["Int"]
        asked = np.concatenate([level.asked for level in levels], axis=1)
        costs = np.repeat(np.arange(len(levels)), [len(level) for level in levels])
        while missed := self._tried(asked, costs, cost, matches):
            self._contradictions.add(np.concatenate(missed))

    def _tried(
        self, asked: Block, costs: Block, most: int, matches: Matches
    ) -> list[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
        """Try the covers of the sample; contradictions that they don't tell apart."""
        missed = []
        sets = self._contradictions.told_apart(asked)
        for cover in pair_covers(sets, costs, len(self._contradictions), most + 1):
            if not matches.has_room(cover.cost + self._least):
                continue
            columns = asked[:, list(cover.values)]
            pairs = self._contradictions.missed(columns)
            if len(pairs):
                missed.append(pairs)
                if len(missed) == MISSES:
                    break
                continue
            entries = entries_of(tuple(columns.T), self._wanted)
            rule = None if entries is None else table_rule(entries)
            if rule is not None and matches.has_room(cover.cost + rule.cost):
                terms = tuple(self._bank.term("Int", at) for at in cover.values)
                matches.add(Term(rule, terms))
        return missed
