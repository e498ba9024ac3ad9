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

from .bank import Bank, Batch
from .hits import Hits
from .layout import Block, Bools
from .rules import Term, chosen, literal, negated, replaced

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
    taken: frozenset[int]
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
        self._masks = np.array(masks, dtype=np.float32).reshape(len(masks), len(wanted))
        self._choices = [c for g in goals if (c := _choice(g, wanted))]
        signs, totals, sizes = [], [], []
        for choice in self._choices:
            want = (wanted == choice.high) & choice.goal.mask
            signs.append(np.where(want, -1.0, 1.0) * choice.goal.mask)
            totals.append(want.sum())
            sizes.append(choice.goal.mask.sum())
        self._signs = np.array(signs, dtype=np.float32).reshape(len(signs), len(wanted))
        self._totals, self._sizes = np.array(totals), np.array(sizes)

    def check(self, batch: Batch, cost: int) -> None:
        """Keep the candidates of a block that reach a goal."""
        if batch.rule.result == "Int":
            self._check_ints(batch, cost)
        elif batch.rule.result == "Bool" and len(self._choices):
            self._check_bools(batch, cost)

    def _check_ints(self, batch: Batch, cost: int) -> None:
        wrong = (batch.values != self._wanted[:, None]).astype(np.float32)
        reached = (self._masks @ wrong) == 0
        for number in np.flatnonzero(reached.any(axis=1)):
            columns = np.flatnonzero(reached[number])[:TRIED]
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
        for column in columns:
            values = batch.values[almost.rest, column]
            off = values[values != almost.new]
            if not len(off) or (off != off[0]).any() or int(off[0]) in almost.taken:
                continue
            old, new, goal = int(off[0]), almost.new, almost.goal

            def complete(term: Term, old: int = old, new: int = new, goal: Goal = goal) -> Term:
                return goal.complete(replaced(term, old, new))

            self._keep(batch, np.array([column]), cost + goal.extra + 1, complete)

    def _check_bools(self, batch: Batch, cost: int) -> None:
        wrong = self._signs @ batch.values.astype(np.float32) + self._totals[:, None]
        for number, choice in enumerate(self._choices):
            for is_flipped in (False, True):
                target = self._sizes[number] if is_flipped else 0
                columns = np.flatnonzero(wrong[number] == target)[:TRIED]
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
            args = tuple(a if isinstance(a, int) else int(a[column]) for a in batch.args)
            self._hits.add(complete(self._bank.compose(batch.rule, args)))


def _almost(goal: Goal, wanted: Block, new: int) -> _Almost | None:
    rest = goal.mask & (wanted == new)
    mask = goal.mask & ~rest
    if not rest.any() or not mask.any():
        return None
    taken = frozenset(int(value) for value in np.unique(wanted[mask]))
    return _Almost(goal, new, mask, np.flatnonzero(rest), taken)


def _choice(goal: Goal, wanted: Block) -> _Choice | None:
    values = np.unique(wanted[goal.mask])
    return _Choice(goal, int(values[0]), int(values[1])) if len(values) == 2 else None
