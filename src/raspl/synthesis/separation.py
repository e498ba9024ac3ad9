"""Which values tell the wanted outputs apart, and which few of them do so together.

Two asked positions contradict each other if their wanted outputs differ. Some values determine the
output, so that a table of them computes it, if and only if of every two such positions at least one
of the values differs. So a value is a set of contradictions that it tells apart, kept as bits over
a sample of them, and what is looked for are cheap values whose sets cover all. A choice that covers
the sample but not all contradictions adds to the sample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.columns import Block, Ids

Words = NDArray[np.uint64]
CHUNK = 16_384
"""Values that are compared together, so that memory stays bounded."""
FIRST = 192
"""Contradictions in the first sample."""
BEAM = 16
"""Incomplete choices of values that are gone on with."""
BRANCHES = 12
"""Values that one of them is continued with."""


class Contradictions:
    """A sample of pairs of asked rows whose wanted outputs differ."""

    def __init__(self, wanted: Block, seed: int = 0) -> None:
        self._wanted = wanted
        self.pairs: NDArray[np.int64] = np.zeros((0, 2), dtype=np.int64)
        rng = np.random.default_rng((seed, 3))
        rows = rng.integers(len(wanted), size=(8 * FIRST, 2))
        rows = rows[wanted[rows[:, 0]] != wanted[rows[:, 1]]]
        self.add(np.concatenate((self._one_of_each(), rows[:FIRST])))

    def _one_of_each(self) -> NDArray[np.int64]:
        """A pair for every two different outputs."""
        _, first = np.unique(self._wanted, return_index=True)
        pairs = [(a, b) for at, a in enumerate(first) for b in first[:at]]
        return np.array(pairs[:FIRST], dtype=np.int64).reshape(-1, 2)

    def add(self, pairs: NDArray[np.int64]) -> None:
        together = np.concatenate((self.pairs, np.sort(pairs, axis=1)))
        _, first = np.unique(together, axis=0, return_index=True)
        self.pairs = together[np.sort(first)]

    def __len__(self) -> int:
        return len(self.pairs)

    def told_apart(self, values: Block) -> Words:
        """For each column the contradictions that it tells apart, as bits."""
        first, second = self.pairs.T
        parts = [
            as_words(np.ascontiguousarray((part[first] != part[second]).T))
            for part in (values[:, at : at + CHUNK] for at in range(0, values.shape[1], CHUNK))
        ]
        words: Words = np.concatenate(parts)
        return words

    def missed(self, columns: Block, most: int = 16) -> NDArray[np.int64]:
        """Contradictions that some columns together don't tell apart, of all that there are."""
        _, group = np.unique(columns, axis=0, return_inverse=True)
        group = group.reshape(-1)
        found = []
        order = np.lexsort((self._wanted, group))
        for a, b in pairwise(order.tolist()):
            if group[a] == group[b] and self._wanted[a] != self._wanted[b]:
                found.append((a, b))
                if len(found) == most:
                    break
        return np.array(found, dtype=np.int64).reshape(-1, 2)


def as_words(bits: NDArray[np.bool_]) -> Words:
    """Rows of bits as rows of 64-bit words."""
    padded = np.pad(bits, ((0, 0), (0, -bits.shape[1] % 64)))
    words: Words = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    return words


def full_words(number: int) -> Words:
    """All of so many bits set."""
    words: Words = as_words(np.ones((1, number), dtype=np.bool_))[0]
    return words


@dataclass(frozen=True)
class Cover:
    """Values that together tell apart all contradictions of the sample."""

    values: tuple[int, ...]
    cost: int


@dataclass(frozen=True)
class _Partial:
    left: Words
    values: tuple[int, ...]
    cost: int


def distinct(sets: Words, costs: Ids) -> Ids:
    """Of values that tell apart the same, the cheapest; none that tells nothing apart."""
    order = np.argsort(costs, kind="stable")
    _, first = np.unique(sets[order], axis=0, return_index=True)
    kept = order[np.sort(first)]
    return kept[sets[kept].any(axis=1)]


def pair_covers(sets: Words, costs: Ids, size: int, bound: int) -> Iterator[Cover]:
    """Every cover of one or two values whose costs are below a bound together.

    The values must be sorted by cost.
    """
    if not size and len(sets):
        # Where one output is wanted, everything determines it.
        yield Cover((0,), int(costs[0]))
    bits = _bits(sets, size)
    counts = bits.sum(axis=0, dtype=np.int64)
    if not len(sets) or not size or not counts.all():
        return
    # What few values tell apart comes first: most pairs fail on the first word already.
    hard_first = np.argsort(counts, kind="stable")
    harder = np.ascontiguousarray(bits[:, hard_first], dtype=np.bool_)
    rows = ~as_words(harder)
    missing = np.ascontiguousarray(rows.T)
    whole = full_words(size)
    for at in np.flatnonzero(bits[:, hard_first[0]]):
        left = whole & rows[at]
        if not left.any():
            yield Cover((int(at),), int(costs[at]))
            continue
        last = int(np.searchsorted(costs, bound - costs[at], side="left"))
        others = np.flatnonzero((missing[0, :last] & left[0]) == 0)
        for word, open_bits in zip(missing[1:], left[1:], strict=True):
            if not len(others):
                break
            others = others[(word[others] & open_bits) == 0]
        for other in others.tolist():
            yield Cover((int(at), other), int(costs[at] + costs[other]))


def beam_covers(
    sets: Words, costs: Ids, size: int, most: int, guess: float = 2.0
) -> Iterator[Cover]:
    """Some covers of up to so many values.

    `guess` is what a halving of the open contradictions is taken to cost: the greater, the more it
    looks for values that tell much apart, and the less for cheap ones.
    """
    missing = np.ascontiguousarray(~sets.T)
    beam = [_Partial(full_words(size), (), 0)]
    for _ in range(most):
        following: dict[bytes, tuple[float, _Partial]] = {}
        for partial in beam:
            # Word by word: adding along the short axis of the sets would take ten times as long.
            count = np.zeros(len(sets), dtype=np.int64)
            for word, open_bits in zip(missing, partial.left, strict=True):
                count += np.bitwise_count(word & open_bits)
            score = partial.cost + costs + guess * np.log2(1 + count)
            kept = min(BRANCHES, len(score))
            for at in np.argpartition(score, kept - 1)[:kept]:
                cost = partial.cost + int(costs[at])
                values = (*partial.values, int(at))
                if not count[at]:
                    yield Cover(values, cost)
                    continue
                left = partial.left & missing[:, at]
                key = left.tobytes()
                better = following.get(key)
                if better is None or score[at] < better[0]:
                    following[key] = float(score[at]), _Partial(left, values, cost)
        ranked = sorted(following.values(), key=lambda pair: (pair[0], pair[1].values))
        beam = [partial for _, partial in ranked[:BEAM]]


def _bits(sets: Words, size: int) -> NDArray[np.uint8]:
    """A row a value, a column a contradiction: 1 where the value tells it apart."""
    return np.unpackbits(sets.view(np.uint8), axis=1, bitorder="little")[:, :size]
