"""What is enumerated over: the values of a bank, in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from raspl.synthesis.bank import Bank, Level
from raspl.synthesis.columns import Block, Ids, Step
from raspl.synthesis.components import Kind
from raspl.synthesis.fragments import EVERYTHING, Fragment

CHUNK = 4096
"""Candidates in one block, so that a block stays in the processor's cache."""
LITERALS = slice(1, None)
"""The part of the integers of cost 0 that are literals; the first are the tokens."""


@dataclass(frozen=True)
class Scope:
    """What is enumerated: every position, or in the last step only those that are asked about."""

    bank: Bank
    literals: tuple[int, ...]
    final: bool
    fragment: Fragment = EVERYTHING

    def values(self, level: Level) -> Block:
        return level.asked if self.final else level.values

    def level(self, kind: Kind, cost: int) -> Level:
        return self.bank.level(kind, cost)

    def wants(self, kind: Kind) -> bool:
        """In the last step an index or a count is no output."""
        return not self.final or kind in ("Int", "Bool")

    @property
    def rows(self) -> Ids:
        """The rows that values are computed at."""
        layout = self.bank.layout
        return layout.asked if self.final else np.arange(len(layout))

    @property
    def steps(self) -> Sequence[Step]:
        """The keys of those rows."""
        layout = self.bank.layout
        return layout.asked_steps if self.final else layout.steps


def variable(level: Level) -> slice:
    """The part of a level of integers that is not a literal."""
    return slice(0, 1) if level.first == 0 else slice(None)


def pieces(size: int) -> Iterator[slice]:
    for start in range(0, size, CHUNK):
        yield slice(start, min(size, start + CHUNK))


def pair_pieces(a: int, b: int) -> Iterator[tuple[Ids, Ids]]:
    """All pairs of a first and a second, in pieces of whole blocks."""
    for start in range(0, a * b, CHUNK):
        flat = np.arange(start, min(a * b, start + CHUNK))
        yield flat // b, flat % b
