"""Programs of the form `where(condition, a, b)`, found without trying the triples.

Each known value is right at some of the asked positions: its cover. For a condition, any cover that
holds where the condition is true will do for a, and any that holds where it is false for b; so the
cheapest of each is found by set inclusion on bit masks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.bank import Bank, Level
from raspl.synthesis.columns import Block, Bools
from raspl.synthesis.components import Kind, Term, chosen
from raspl.synthesis.matches import NO_COST, Matches
from raspl.synthesis.sketches import Sketch

Words = NDArray[np.uint64]
TOGETHER = 2_000_000
"""Comparisons in one NumPy operation."""
NESTED = 2
"""Up to which cost covers and conditions are tried for a choice inside a choice."""


def packed(masks: Bools) -> Words:
    """Masks as rows of 64-bit words."""
    width = -masks.shape[1] % 64
    padded = np.pad(masks, ((0, 0), (0, width)))
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


@dataclass(frozen=True)
class _Table:
    """Distinct masks, cheapest first, with the value that each stands for."""

    masks: Words
    costs: NDArray[np.int64]
    kinds: tuple[Kind, ...]
    ids: NDArray[np.int64]

    def upto(self, cost: int) -> int:
        """How many of them cost this much or less."""
        return int(np.searchsorted(self.costs, cost, side="right"))


class Choices:
    """Covers and conditions of all the values of a bank, level after level."""

    def __init__(self, bank: Bank, wanted: Block) -> None:
        self._bank, self._wanted = bank, wanted
        words = packed(np.zeros((0, len(wanted)), dtype=np.bool_))
        empty = _Table(words, np.zeros(0, np.int64), (), np.zeros(0, np.int64))
        self._covers = self._conditions = empty
        self._whole = packed(np.ones((1, len(wanted)), dtype=np.bool_))[0]

    def add_level(self, cost: int) -> None:
        """Take in the values of one more level."""
        level = self._bank.level("Int", cost)
        right = np.ascontiguousarray((level.asked == self._wanted[:, None]).T)
        self._covers = _merged(self._covers, packed(right), level, "Int", cost)
        level = self._bank.level("Bool", cost)
        true = np.ascontiguousarray(level.asked.astype(np.bool_).T)
        self._conditions = _merged(self._conditions, packed(true), level, "Bool", cost)

    def sketches(self, cost: int) -> list[Sketch]:
        """What is left to be found once a cheap condition and one of its branches are known."""
        sketches = [Sketch(np.ones(len(self._wanted), dtype=np.bool_))]
        conditions, covers = self._conditions, self._covers
        seen: set[bytes] = set()
        for at in range(conditions.upto(min(1, cost))):
            for in_else in (False, True):
                mask = conditions.masks[at]
                need = mask if in_else else self._whole & ~mask
                missing = self._whole & ~need
                if not need.any() or not missing.any() or missing.tobytes() in seen:
                    continue
                best = self._cheapest(need, covers.upto(cost))
                term = None if best is None else self._term(covers, best)
                nested = self._split(need, NESTED, NESTED, NO_COST if term is None else term.cost)
                other = nested or term
                if other is None:
                    continue
                seen.add(missing.tobytes())
                condition = self._term(conditions, at)
                bits = np.unpackbits(missing.view(np.uint8), bitorder="little")
                sketches.append(
                    Sketch(
                        bits[: len(self._wanted)].astype(np.bool_),
                        1 + condition.cost + other.cost,
                        condition,
                        other,
                        in_else,
                    )
                )
        return sketches

    def add_matches(self, cost: int, matches: Matches) -> None:
        """Every `where` of known values that fits; complete for a cost of one level more."""
        for of_condition in range(1, cost + 1):
            first = self._conditions.upto(of_condition - 1)
            last = self._conditions.upto(of_condition)
            # The cheaper the conditions, the fewer they are, and the deeper one can afford to go.
            limit = cost if of_condition == 1 else cost - of_condition + (of_condition == 2)
            found = self._inclusions(self._whole, slice(first, last), limit)
            for at, a, b in found:
                total = 1 + of_condition + int(self._covers.costs[a] + self._covers.costs[b])
                if matches.has_room(total):
                    matches.add(self._choice(at, a, b))

    def _choice(self, at: int, a: int, b: int) -> Term:
        parts = self._term(self._covers, a), self._term(self._covers, b)
        return chosen(self._term(self._conditions, at), *parts)

    def _split(self, need: Words, conditions: int, covers: int, bound: int) -> Term | None:
        """The cheapest choice that is right at `need`, if it costs less than the bound."""
        best: Term | None = None
        last = self._conditions.upto(conditions)
        for at, a, b in self._inclusions(need, slice(0, last), covers):
            total = 1 + int(
                self._conditions.costs[at] + self._covers.costs[a] + self._covers.costs[b]
            )
            if total < bound:
                bound, best = total, self._choice(at, a, b)
        return best

    def _inclusions(self, need: Words, part: slice, limit: int) -> list[tuple[int, int, int]]:
        covers = self._covers.masks[: self._covers.upto(limit)]
        conditions = self._conditions.masks[part]
        if not len(covers) or not len(conditions):
            return []
        found = []
        together = max(1, TOGETHER // (len(covers) * covers.shape[1]))
        for start in range(0, len(conditions), together):
            block = conditions[start : start + together]
            a = _first_superset(covers, block & need)
            b = _first_superset(covers, ~block & need)
            for at in np.flatnonzero((a >= 0) & (b >= 0) & (a != b)):
                found.append(((part.start or 0) + start + int(at), int(a[at]), int(b[at])))
        return found

    def _cheapest(self, need: Words, count: int) -> int | None:
        at = int(_first_superset(self._covers.masks[:count], need[None])[0]) if count else -1
        return None if at < 0 else at

    def _term(self, table: _Table, at: int) -> Term:
        return self._bank.term(table.kinds[at], int(table.ids[at]))


def _first_superset(covers: Words, needs: Words) -> NDArray[np.int64]:
    """For each need the first cover that includes it, or -1."""
    inside = np.ones((len(needs), len(covers)), dtype=np.bool_)
    for word in range(covers.shape[1]):
        inside &= (needs[:, word, None] & ~covers[None, :, word]) == 0
    return np.where(inside.any(axis=1), inside.argmax(axis=1), -1)


def _merged(table: _Table, masks: Words, level: Level, kind: Kind, cost: int) -> _Table:
    if not len(masks):
        return table
    together = np.concatenate((table.masks, masks))
    _, first = np.unique(together, axis=0, return_index=True)
    first = np.sort(first)
    kinds = (*table.kinds, *[kind] * len(masks))
    return _Table(
        together[first],
        np.concatenate((table.costs, np.full(len(masks), cost)))[first],
        tuple(kinds[at] for at in first),
        np.concatenate((table.ids, level.ids))[first],
    )
