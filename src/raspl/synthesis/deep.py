"""Deep programs: tables of values that are made in several rounds.

Enumerating by cost does not reach a program of a dozen components. But if it is a table of values,
each of these must tell some wanted outputs apart, and that can be seen before the others are known.
So this keeps, round by round, the values that tell apart what others don't, makes new values of
them, and asks whether a few of all of them determine the output. It finds; it never rules out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from raspl.synthesis.columns import Block, Ids
from raspl.synthesis.components import Term, chosen, literal
from raspl.synthesis.decisions import decision_lists
from raspl.synthesis.histories import Family, Grid, events, hash_factors, joined, seeds
from raspl.synthesis.separation import (
    Contradictions,
    Cover,
    Words,
    beam_covers,
    distinct,
    full_words,
    pair_covers,
)
from raspl.synthesis.tables import entries_of, table_term

ROUNDS = 6
KEPT = 48
"""Flags of one round that events of the next are made of."""
EVENTS = 20_000
"""Flags times tokens of which all events are made; of more, only those of the useful flags."""
VALUES = 6
"""Values that one table is made of, at most."""
GUESSES = (1.5, 5.0)
"""What halving the open contradictions is taken to cost, one beam each."""
RESAMPLED = 6
"""How often the sample of contradictions is added to, in one round."""
MISSES = 6
"""Covers of the sample that don't cover all, from which on the sample is added to."""
TABLES = 12
"""Tables of one round that are made."""
PAIRS = 8
"""Covers of one or two values that are looked at, the cheapest."""
MOST_COST = 48
"""A table that remembers more than this explains nothing, unless there are many outputs."""
PER_OUTPUT = 8
"""What may be remembered of each: to give them all takes a decision each, and what it rests on."""


@dataclass(frozen=True)
class Determining:
    """Values that determine the wanted output on all examples, and the program made of them."""

    terms: tuple[Term, ...]
    program: Term


class Deep:
    """One deep search over a set of examples."""

    def __init__(self, grid: Grid, positions: bool, seed: int = 0) -> None:
        self._grid, self._positions = grid, positions
        self._contradictions = Contradictions(grid.wanted, seed)
        self._most = max(MOST_COST, PER_OUTPUT * len(np.unique(grid.wanted)))
        self.candidates = 0

    def rounds(self) -> Iterator[list[Determining]]:
        """What each round finds, the cheapest first."""
        found = seeds(self._grid, self._positions)
        every = joined(found)
        flags = every.part(np.flatnonzero(every.flags))
        universe = _Universe.of(self._grid, found)
        self.candidates += len(every)
        yield self._found(universe)
        for _ in range(ROUNDS - 1):
            if len(flags) * len(self._grid.alphabet) > EVENTS:
                flags = universe.family.part(self._useful(universe))
            made = list(events(self._grid, flags))
            self.candidates += sum(map(len, made))
            universe = universe.with_more(made)
            yield self._found(universe)
            flags = universe.family.part(self._useful(universe))

    def _found(self, universe: _Universe) -> list[Determining]:
        found = [*self._tables(universe), *self._lists(universe)]
        cheap = [one for one in found if one.program.cost <= self._most]
        return sorted(cheap, key=lambda one: one.program.cost)

    def _lists(self, universe: _Universe) -> Iterator[Determining]:
        """Decision lists of flags."""
        at = np.flatnonzero(universe.family.flags)
        flags = universe.asked[:, at].astype(np.bool_)
        for found in decision_lists(flags, universe.costs[at], self._grid.wanted):
            terms = [universe.family.term(int(at[one.flag])) for one in found.decisions]
            program = literal(found.otherwise)
            for one, term in zip(reversed(found.decisions), reversed(terms), strict=True):
                output = literal(one.output)
                parts = (output, program) if one.holds else (program, output)
                program = chosen(term, *parts)
            yield Determining(tuple(dict.fromkeys(terms)), program)

    def _tables(self, universe: _Universe) -> list[Determining]:
        """Tables of few values; those that a sample of contradictions does not refute."""
        found: list[Determining] = []
        for _ in range(RESAMPLED):
            sets = self._contradictions.told_apart(universe.asked)
            kept = distinct(sets, universe.costs)
            if not len(kept):
                return []
            missed: list[Block] = []
            for cover in self._covers(universe, sets[kept], kept):
                values = kept[list(cover.values)]
                columns = universe.asked[:, values]
                pairs = self._contradictions.missed(columns)
                if len(pairs):
                    missed.append(pairs)
                    if len(missed) >= MISSES:
                        break
                    continue
                terms = tuple(universe.family.term(int(at)) for at in values)
                entries = entries_of(tuple(columns.T), self._grid.wanted)
                assert entries is not None
                made = table_term(terms, entries)
                if made is not None:
                    found.append(Determining(terms, made))
                if len(found) >= TABLES:
                    return found
            if not missed:
                break
            self._contradictions.add(np.concatenate(missed))
        return found

    def _covers(self, universe: _Universe, sets: Words, kept: Ids) -> Iterator[Cover]:
        size = len(self._contradictions)
        pairs = pair_covers(sets, universe.costs[kept], size, self._most)
        yield from sorted(pairs, key=lambda cover: (cover.cost, cover.values))[:PAIRS]
        costs = universe.costs[kept] + universe.sizes[kept]
        for guess in GUESSES:
            yield from beam_covers(sets, costs, size, VALUES, guess)

    def _useful(self, universe: _Universe) -> Ids:
        """Flags that tell much apart for their cost; each time, of what the others leave open."""
        sets = self._contradictions.told_apart(universe.asked)
        usable = universe.family.flags.copy()
        whole = full_words(len(self._contradictions))
        left = whole.copy()
        chosen: list[int] = []
        while len(chosen) < KEPT:
            gain = np.bitwise_count(sets & left).sum(axis=1, dtype=np.int64) * usable
            best = int(np.argmax(gain / (2 + universe.costs)))
            if gain[best] == 0:
                if (left == whole).all():
                    break
                left = whole.copy()
                continue
            chosen.append(best)
            usable[best] = False
            left &= ~sets[best]
        return np.array(chosen, dtype=np.int64)


class _Universe:
    """All values so far that behave differently at the asked positions, the cheapest of each."""

    def __init__(self, grid: Grid, family: Family, asked: Block) -> None:
        self._grid = grid
        order = np.argsort(family.costs, kind="stable")
        hashes = hash_factors(len(asked)) @ asked.astype(np.float64)
        _, first = np.unique(hashes[:, order], axis=1, return_index=True)
        kept = order[np.sort(first)]
        numbers = kept.tolist()
        self.asked = np.ascontiguousarray(asked[:, kept])
        changes = np.diff(np.sort(self.asked, axis=0), axis=0)
        # What a value adds to a table, roughly: as many entries as it has values beside one.
        self.sizes = np.minimum(4, np.count_nonzero(changes, axis=0))
        self.family = Family(
            family.costs[kept],
            lambda at: family.columns(kept[at]),
            lambda at: family.term(numbers[at]),
            family.flags[kept],
        )

    @staticmethod
    def of(grid: Grid, families: list[Family]) -> _Universe:
        asked = np.concatenate([family.asked(grid) for family in families], axis=1)
        return _Universe(grid, joined(families), asked)

    def with_more(self, families: list[Family]) -> _Universe:
        fresh = [family.asked(self._grid) for family in families]
        asked = np.concatenate([self.asked, *fresh], axis=1)
        return _Universe(self._grid, joined([self.family, *families]), asked)

    @property
    def costs(self) -> Ids:
        return self.family.costs

    def __len__(self) -> int:
        return len(self.costs)
