"""Distinct behaviours by type and cost, each with the cheapest way to make it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.columns import Block, Ids, Layout
from raspl.synthesis.components import TRUTH, Kind, Rule, Term

KINDS: tuple[Kind, ...] = ("Int", "Bool", "Index", "Count")
OPERANDS = 3


@dataclass(frozen=True)
class Batch:
    """Candidates of one rule: their operands' ids, one row an operand, and their values."""

    rule: Rule
    args: tuple[Ids, ...]
    values: Block


@dataclass(frozen=True)
class Level:
    """The values of one type that first appear at one cost."""

    first: int
    """The id of the first of them."""
    values: Block
    asked: Block
    """The values at the rows that are asked about."""
    rules: NDArray[np.int32]
    args: NDArray[np.int32]

    def __len__(self) -> int:
        return int(self.values.shape[1])

    @property
    def ids(self) -> Ids:
        return np.arange(self.first, self.first + len(self))


@dataclass
class _Pending:
    blocks: list[Block] = field(default_factory=list)
    rules: list[NDArray[np.int32]] = field(default_factory=list)
    args: list[NDArray[np.int32]] = field(default_factory=list)


class Bank:
    """All values found so far. Values of equal type and equal behaviour are one."""

    def __init__(self, layout: Layout, most: int) -> None:
        self.layout = layout
        self.levels: dict[Kind, list[Level]] = {kind: [] for kind in KINDS}
        self.rules: list[Rule] = []
        self.full = False
        self._most = most
        self._number: dict[Rule, int] = {}
        self._known: dict[Kind, list[NDArray[np.uint64]]] = {kind: [] for kind in KINDS}
        self._pending: dict[Kind, _Pending] = {kind: _Pending() for kind in KINDS}

    @property
    def distinct(self) -> int:
        """How many behaviours are known."""
        return sum(len(run) for runs in self._known.values() for run in runs)

    def add(self, batch: Batch) -> None:
        """Keep the candidates that behave like nothing known."""
        if self.full:
            return
        kind = batch.rule.result
        hashes, first = np.unique(self.layout.hashes(batch.values), return_index=True)
        new = ~self._is_known(kind, hashes)
        fresh = np.sort(first[new])
        if not len(fresh):
            return
        self._remember(kind, hashes[new])
        args = np.zeros((OPERANDS, len(fresh)), dtype=np.int32)
        for row, arg in zip(args, batch.args, strict=False):
            row[:] = arg[fresh]
        pending = self._pending[kind]
        pending.blocks.append(np.ascontiguousarray(batch.values[:, fresh]))
        pending.rules.append(np.full(len(fresh), self._rule(batch.rule), dtype=np.int32))
        pending.args.append(args)
        self.full = self.distinct * len(self.layout) > self._most

    def close(self) -> None:
        """End a cost level: what was added becomes operands of the next."""
        # A truth value is an integer too, at no cost.
        self._close("Bool")
        truths = self.levels["Bool"][-1]
        self.add(Batch(Rule(TRUTH, "Int", ("Bool",)), (truths.ids,), truths.values))
        for kind in KINDS:
            if kind != "Bool":
                self._close(kind)

    def _close(self, kind: Kind) -> None:
        pending, levels = self._pending[kind], self.levels[kind]
        first = levels[-1].first + len(levels[-1]) if levels else 0
        values = (
            np.concatenate(pending.blocks, axis=1)
            if pending.blocks
            else np.zeros((len(self.layout), 0), dtype=self.layout.dtype)
        )
        empty = np.zeros((OPERANDS, 0), dtype=np.int32)
        levels.append(
            Level(
                first,
                values,
                np.ascontiguousarray(values[self.layout.asked]),
                np.concatenate([np.zeros(0, dtype=np.int32), *pending.rules]),
                np.concatenate([empty, *pending.args], axis=1),
            )
        )
        self._pending[kind] = _Pending()

    def level(self, kind: Kind, cost: int) -> Level:
        return self.levels[kind][cost]

    def term(self, kind: Kind, id_: int) -> Term:
        """How a value is made."""
        level = next(level for level in reversed(self.levels[kind]) if level.first <= id_)
        at = id_ - level.first
        rule = self.rules[level.rules[at]]
        return self.compose(rule, tuple(int(arg) for arg in level.args[:, at]))

    def compose(self, rule: Rule, args: tuple[int, ...]) -> Term:
        """A rule on values of the bank."""
        operands = zip(rule.operands, args, strict=False)
        return Term(rule, tuple(self.term(kind, arg) for kind, arg in operands))

    def _rule(self, rule: Rule) -> int:
        if rule not in self._number:
            self._number[rule] = len(self.rules)
            self.rules.append(rule)
        return self._number[rule]

    def _is_known(self, kind: Kind, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
        known = np.zeros(len(hashes), dtype=np.bool_)
        for run in self._known[kind]:
            at = np.minimum(np.searchsorted(run, hashes), len(run) - 1)
            known |= run[at] == hashes
        return known

    def _remember(self, kind: Kind, hashes: NDArray[np.uint64]) -> None:
        # Sorted runs, each at least twice as long as the next: few to look through, cheap to grow.
        runs = self._known[kind]
        runs.append(hashes)
        while len(runs) > 1 and len(runs[-2]) < 2 * len(runs[-1]):
            last = runs.pop()
            runs[-1] = np.sort(np.concatenate((runs[-1], last)))
