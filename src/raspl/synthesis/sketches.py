"""The last step: does a candidate fill the hole of a sketch?

A sketch is a program with one hole: all of it, or one branch of a `where` whose condition and other
branch are known already. What fills the hole must be right at some of the asked positions, and may
be anything elsewhere. Besides, what is wanted may be a table of a candidate, and a truth value may
choose between two literals. So the last step looks one to three maps further than its cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.bank import Bank, Batch
from raspl.synthesis.columns import Block, Bools, Ids
from raspl.synthesis.components import HAS, Rule, Term, chosen, literal, negated, of_literal
from raspl.synthesis.matches import Matches
from raspl.synthesis.separation import Contradictions
from raspl.synthesis.tables import entries_of, table_rule

PROBES = 6
"""Rows, or pairs of them, on which a candidate must be right before others are looked at."""
MORE = 24
"""Rows on which a candidate must be right before all others are looked at."""
TRIED = 64
"""Candidates of one block that are looked at for one sketch."""


@dataclass(frozen=True)
class Sketch:
    """A program with a hole: `where(condition, hole, other)`, or nothing but the hole."""

    mask: Bools
    """The asked positions at which what fills the hole must be right."""
    extra_cost: int = 0
    """The cost of all but the hole."""
    condition: Term | None = None
    other: Term | None = None
    in_else: bool = False
    """Whether the hole is where the condition is false."""

    def fill(self, term: Term) -> Term:
        if self.condition is None or self.other is None:
            return term
        if self.in_else:
            return chosen(self.condition, self.other, term)
        return chosen(self.condition, term, self.other)


@dataclass(frozen=True)
class _TwoValued:
    """A sketch whose hole wants two values at most, between which a truth value may choose."""

    sketch: Sketch
    low: int
    high: int

    @property
    def is_truth(self) -> bool:
        """Whether a truth value is the output as it is."""
        return (self.low, self.high) == (0, 1)

    def extra_cost(self, is_flipped: bool, is_has: bool) -> int:
        """A head that says whether anything is selected may give two literals itself."""
        is_free = is_has or (self.is_truth and not is_flipped)
        return self.sketch.extra_cost + int(not is_free)

    def fill(self, term: Term, is_flipped: bool) -> Term:
        """`is_flipped`: the term is true where the low value is wanted."""
        if self.is_truth and not is_flipped:
            return self.sketch.fill(term)
        if term.rule.reduction == HAS:
            value, default = (self.low, self.high) if is_flipped else (self.high, self.low)
            return self.sketch.fill(of_literal(term, value, default))
        if self.is_truth:
            return self.sketch.fill(negated(term))
        low, high = literal(self.low), literal(self.high)
        made = chosen(term, low, high) if is_flipped else chosen(term, high, low)
        return self.sketch.fill(made)


class SketchMatcher:
    """Tries whole blocks of candidates in all the sketches at once."""

    def __init__(
        self, wanted: Block, bank: Bank, sketches: Sequence[Sketch], matches: Matches
    ) -> None:
        self._wanted, self._bank, self._matches = wanted, bank, matches
        self._sketches = list(sketches)
        rng = np.random.default_rng(0)
        self._rows = [rng.permutation(np.flatnonzero(sketch.mask)) for sketch in sketches]
        self._contradictions = Contradictions(wanted)
        two_valued = [(number, _two_valued(s, wanted)) for number, s in enumerate(sketches)]
        self._two_valued = [(number, two) for number, two in two_valued if two is not None]

    def promising(self, group: Sequence[Batch], cost: int) -> Bools:
        """Of which blocks `check` would keep something, unless there is no room for it.

        Small blocks cost as many operations as large ones, so those of a group are joined here.
        The answer holds until something is kept: that changes what there is room for.
        """
        found = np.zeros(len(group), dtype=np.bool_)
        for kind, fitting in (("Int", self._any_int), ("Bool", self._any_bool)):
            numbers = [number for number, b in enumerate(group) if b.rule.result == kind]
            if not numbers:
                continue
            blocks = [group[number].values for number in numbers]
            ends = np.cumsum([block.shape[1] for block in blocks])
            for columns in fitting(np.concatenate(blocks, axis=1), cost):
                at = np.searchsorted(ends, columns, side="right")
                found[np.array(numbers)[at]] = True
        return found

    def check(self, batch: Batch, cost: int) -> None:
        """Keep the candidates of a block that fill a sketch."""
        if batch.rule.result == "Int":
            self._check_ints(batch, cost)
            self._check_tables(batch, cost)
        elif batch.rule.result == "Bool":
            self._check_bools(batch, cost)

    def _any_int(self, values: Block, cost: int) -> Iterator[Ids]:
        for number, sketch in enumerate(self._sketches):
            if self._matches.has_room(cost + sketch.extra_cost):
                yield self._fitting(values, self._wanted, number)
        if self._matches.has_room(cost + 1):
            yield self._determining(values)

    def _any_bool(self, values: Block, cost: int) -> Iterator[Ids]:
        for _, _, columns in self._choosing(values):
            yield columns

    def _check_ints(self, batch: Batch, cost: int) -> None:
        for number, sketch in enumerate(self._sketches):
            if self._matches.has_room(cost + sketch.extra_cost):
                columns = self._fitting(batch.values, self._wanted, number)[:TRIED]
                self._keep(batch, columns, cost + sketch.extra_cost, sketch.fill)

    def _fitting(self, values: Block, wanted: Block, number: int) -> Ids:
        """The columns that are right wherever a sketch asks."""
        rows = self._rows[number]
        # Whole rows are compared at the speed of memory, and few columns survive some of them.
        right = values[rows[0]] == wanted[rows[0]]
        for row in rows[1:PROBES]:
            right &= values[row] == wanted[row]
        columns: Ids = right.nonzero()[0]
        # Of those, most fail on some rows more, and so the rest are compared for next to none.
        for some in (rows[PROBES:MORE], rows[MORE:]):
            if len(columns) and len(some):
                same = values[np.ix_(some, columns)] == wanted[some, None]
                columns = columns[same.all(axis=0)]
        return columns

    def _check_tables(self, batch: Batch, cost: int) -> None:
        """Is what is wanted a function of a candidate?"""
        if not self._matches.has_room(cost + 1):
            return
        values = batch.values
        for column in self._determining(values)[:TRIED]:
            entries = entries_of((values[:, column],), self._wanted)
            rule = None if entries is None else table_rule(entries)
            # A table without entries changes nothing: the candidate is a match itself.
            if rule is not None and rule.entries:
                fill = partial(_table_of, rule)
                self._keep(batch, np.array([column]), cost + rule.cost, fill)

    def _determining(self, values: Block) -> Ids:
        """The columns that differ wherever a sample of outputs does. Most fail the first pairs."""
        pairs = self._contradictions.pairs
        if not len(pairs):
            return np.zeros(0, dtype=np.int64)
        apart = values[pairs[0, 0]] != values[pairs[0, 1]]
        for a, b in pairs[1:PROBES]:
            apart &= values[a] != values[b]
        columns: Ids = apart.nonzero()[0]
        if len(columns):
            few = values[:, columns]
            columns = columns[(few[pairs[:, 0]] != few[pairs[:, 1]]).all(axis=0)]
        return columns

    def _check_bools(self, batch: Batch, cost: int) -> None:
        for two, is_flipped, columns in self._choosing(batch.values):
            fill = partial(two.fill, is_flipped=is_flipped)
            extra = two.extra_cost(is_flipped, batch.rule.reduction == HAS)
            self._keep(batch, columns[:TRIED], cost + extra, fill)

    def _choosing(self, values: Block) -> Iterator[tuple[_TwoValued, bool, Ids]]:
        """The truth values that choose between the two values of a sketch, one way or the other."""
        for number, two in self._two_valued:
            true = (self._wanted == two.high).astype(values.dtype)
            for is_flipped in (False, True):
                columns = self._fitting(values, 1 - true if is_flipped else true, number)
                if len(columns):
                    yield two, is_flipped, columns

    def _keep(
        self, batch: Batch, columns: NDArray[np.int64], cost: int, fill: Callable[[Term], Term]
    ) -> None:
        for column in columns:
            if not self._matches.has_room(cost):
                return
            args = tuple(int(arg[column]) for arg in batch.args)
            self._matches.add(fill(self._bank.compose(batch.rule, args)))


def _table_of(rule: Rule, term: Term) -> Term:
    return Term(rule, (term,))


def _two_valued(sketch: Sketch, wanted: Block) -> _TwoValued | None:
    values = [int(value) for value in np.unique(wanted[sketch.mask])]
    if set(values) <= {0, 1}:
        return _TwoValued(sketch, 0, 1)
    return _TwoValued(sketch, *values) if len(values) == 2 else None
