"""Goal-directed last step: is a candidate the output, or all of it but a part that is known?

A goal is a set of asked positions. A candidate that is right there is the whole program, or the
part of `where(condition, candidate, other)` that is missing, since condition and `other` are known
already. Besides, one value of a candidate may be replaced by a literal, and a truth value may
choose between two literals. So the last step looks one to three maps further than its cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.bank import Bank, Batch
from raspl.synthesis.columns import Block, Bools
from raspl.synthesis.components import Term, chosen, literal, negated, replaced
from raspl.synthesis.matches import Hits

TRIED = 64
"""Candidates of one block that are looked at for one goal."""


@dataclass(frozen=True)
class Goal:
    """Asked positions at which a term must be right, and what completes it elsewhere."""

    mask: Bools
    extra: int = 0
    condition: Term | None = None
    other: Term | None = None
    negate: bool = False

    def complete(self, term: Term) -> Term:
        if self.condition is None or self.other is None:
            return term
        if self.negate:
            return chosen(self.condition, self.other, term)
        return chosen(self.condition, term, self.other)


@dataclass(frozen=True)
class _Almost:
    """A goal but for the positions at which one literal is wanted."""

    goal: Goal
    new: int
    mask: Bools
    rest: NDArray[np.int64]
    taken: Block
    """Values that are wanted elsewhere, so they can't be the ones to replace."""


@dataclass(frozen=True)
class _Choice:
    """A goal at which two values are wanted."""

    goal: Goal
    low: int
    high: int


class Goals:
    """Checks whole blocks of candidates against all the goals at once."""

    def __init__(
        self, wanted: Block, literals: Sequence[int], bank: Bank, goals: Sequence[Goal], hits: Hits
    ) -> None:
        self._wanted, self._bank, self._hits = wanted, bank, hits
        self._goals = list(goals)
        self._almost = [a for g in goals for d in literals if (a := _almost(g, wanted, d))]
        masks = [g.mask for g in self._goals] + [a.mask for a in self._almost]
        self._masks = _bytes(masks, len(wanted))
        self._extras = np.array(
            [g.extra for g in self._goals] + [a.goal.extra + 1 for a in self._almost]
        )
        self._choices = [c for g in goals if (c := _choice(g, wanted))]
        self._choice_masks = _bytes([c.goal.mask for c in self._choices], len(wanted))
        self._high = _bytes([wanted == c.high for c in self._choices], len(wanted))

    def check(self, batch: Batch, cost: int) -> None:
        """Keep the candidates of a block that reach a goal."""
        if batch.rule.result == "Int":
            self._check_ints(batch, cost)
        elif batch.rule.result == "Bool" and len(self._choices):
            self._check_bools(batch, cost)

    def _check_ints(self, batch: Batch, cost: int) -> None:
        wrong = np.packbits(batch.values != self._wanted[:, None], axis=0)
        open_ = np.array([self._hits.is_wanted(cost + int(extra)) for extra in self._extras])
        numbers = np.flatnonzero(open_)
        off = np.zeros((len(numbers), wrong.shape[1]), dtype=np.uint8)
        for row, mask in zip(wrong, self._masks[:, numbers], strict=True):
            off |= row & mask[:, None]
        for at in np.flatnonzero(~off.all(axis=1)):
            number = int(numbers[at])
            columns = np.flatnonzero(off[at] == 0)[:TRIED]
            if number < len(self._goals):
                goal = self._goals[number]
                self._keep(batch, columns, cost + goal.extra, goal.complete)
            else:
                self._check_almost(self._almost[number - len(self._goals)], batch, columns, cost)

    def _check_almost(
        self, almost: _Almost, batch: Batch, columns: NDArray[np.int64], cost: int
    ) -> None:
        if not self._hits.is_wanted(cost + almost.goal.extra + 1):
            return
        values = batch.values[np.ix_(almost.rest, columns)]
        off = values != almost.new
        # The values to be replaced must be one and the same, and not be wanted elsewhere.
        info = np.iinfo(values.dtype)
        most = np.where(off, values, info.min).max(axis=0)
        least = np.where(off, values, info.max).min(axis=0)
        usable = (most == least) & ~np.isin(most, almost.taken)
        for column, value in zip(columns[usable], most[usable], strict=True):
            old, new, goal = int(value), almost.new, almost.goal

            def complete(term: Term, old: int = old, new: int = new, goal: Goal = goal) -> Term:
                return goal.complete(replaced(term, old, new))

            self._keep(batch, np.array([column]), cost + goal.extra + 1, complete)

    def _check_bools(self, batch: Batch, cost: int) -> None:
        true = np.packbits(batch.values.astype(np.bool_), axis=0)
        shape = (len(self._choices), true.shape[1])
        straight, flipped = np.zeros(shape, dtype=np.uint8), np.zeros(shape, dtype=np.uint8)
        for row, mask, high in zip(true, self._choice_masks, self._high, strict=True):
            differs = row ^ high[:, None]
            straight |= differs & mask[:, None]
            flipped |= ~differs & mask[:, None]
        for number, choice in enumerate(self._choices):
            for is_flipped, off in ((False, straight), (True, flipped)):
                columns = np.flatnonzero(off[number] == 0)[:TRIED]
                if not len(columns):
                    continue
                is_truth = (choice.low, choice.high) == (0, 1)
                extra = int(is_flipped or not is_truth)

                def complete(
                    term: Term,
                    choice: _Choice = choice,
                    is_truth: bool = is_truth,
                    is_flipped: bool = is_flipped,
                ) -> Term:
                    if is_truth:
                        made = negated(term) if is_flipped else term
                    else:
                        low, high = literal(choice.low), literal(choice.high)
                        made = chosen(term, low, high) if is_flipped else chosen(term, high, low)
                    return choice.goal.complete(made)

                self._keep(batch, columns, cost + choice.goal.extra + extra, complete)

    def _keep(
        self, batch: Batch, columns: NDArray[np.int64], cost: int, complete: Callable[[Term], Term]
    ) -> None:
        for column in columns:
            if not self._hits.is_wanted(cost):
                return
            args = tuple(int(arg[column]) for arg in batch.args)
            self._hits.add(complete(self._bank.compose(batch.rule, args)))


def _bytes(masks: Sequence[Bools], size: int) -> NDArray[np.uint8]:
    """Masks packed into bytes: one row for eight positions, one column a mask."""
    return np.packbits(np.array(masks, dtype=np.bool_).reshape(len(masks), size).T, axis=0)


def _almost(goal: Goal, wanted: Block, new: int) -> _Almost | None:
    rest = goal.mask & (wanted == new)
    mask = goal.mask & ~rest
    if not rest.any() or not mask.any():
        return None
    return _Almost(goal, new, mask, np.flatnonzero(rest), np.unique(wanted[mask]))


def _choice(goal: Goal, wanted: Block) -> _Choice | None:
    values = np.unique(wanted[goal.mask])
    return _Choice(goal, int(values[0]), int(values[1])) if len(values) == 2 else None
