"""Decision lists: the first flag that holds gives the output.

`where(flag, output, rest)`, and so on, with literals as outputs. Where a state is reached step by
step and never left, as in R-trivial languages, this is the natural program: the last step taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.columns import Block, Bools, Ids
from raspl.synthesis.separation import Words, as_words

STARTS = 6
"""Lists that are tried, each with another first flag."""
SPARE = 3
"""How many flags more than outputs a list may have."""


@dataclass(frozen=True)
class Decision:
    """If a flag is as given, this is the output."""

    flag: int
    holds: bool
    output: int


@dataclass(frozen=True)
class DecisionList:
    """Decisions in their order, and the output if none applies."""

    decisions: tuple[Decision, ...]
    otherwise: int


def decision_lists(flags: Bools, costs: Ids, wanted: Block) -> Iterator[DecisionList]:
    """Lists that give the wanted output at every row; `flags` has a column for each flag."""
    true = as_words(np.ascontiguousarray(flags.T))
    outputs = np.unique(wanted)
    rows = as_words(wanted[None, :] == outputs[:, None])
    everything = np.bitwise_or.reduce(rows, axis=0)
    tried: set[tuple[int, bool]] = set()
    for _ in range(STARTS):
        found = _greedy(true, costs, rows, everything, tried)
        if found is None:
            return
        decisions, last = found
        if last is not None:
            yield DecisionList(
                tuple(Decision(at, holds, int(outputs[o])) for at, holds, o in decisions),
                int(outputs[last]),
            )
        tried.add(decisions[0][:2])


def _greedy(
    true: Words, costs: Ids, rows: Words, left: Words, tried: set[tuple[int, bool]]
) -> tuple[list[tuple[int, bool, int]], int | None] | None:
    """Decisions that each settle much for their cost; the number of the last output if all is."""
    decisions: list[tuple[int, bool, int]] = []
    while len(decisions) < len(rows) + SPARE:
        remaining = [number for number, row in enumerate(rows) if (row & left).any()]
        if len(remaining) == 1:
            return (decisions, remaining[0]) if decisions else None
        best = _best(true, costs, rows, left, tried if not decisions else set())
        if best is None:
            return (decisions, None) if decisions else None
        at, holds, _ = best
        decisions.append(best)
        left = left & ~(true[at] if holds else ~true[at])
    return decisions, None


def _best(
    true: Words, costs: Ids, rows: Words, left: Words, tried: set[tuple[int, bool]]
) -> tuple[int, bool, int] | None:
    best: tuple[float, int, bool, int] | None = None
    for holds in (True, False):
        settled = (true if holds else ~true) & left
        size = np.bitwise_count(settled).sum(axis=1, dtype=np.int64)
        value: NDArray[np.float64] = size / (2.0 + costs)
        for at, was in tried:
            if was == holds:
                value[at] = 0
        for number, row in enumerate(rows):
            pure = ~(settled & ~row).any(axis=1)
            at = int(np.argmax(value * pure))
            if pure[at] and value[at] > 0 and (best is None or value[at] > best[0]):
                best = float(value[at]), at, holds, number
    return None if best is None else best[1:]
