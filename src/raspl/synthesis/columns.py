"""How values of many candidates lie in memory.

A value is a column: one entry for each position of each example. Positions are sorted by their
place in the sequence, latest first. Then the queries that can see key j are a prefix of all
positions, so attention is a loop over j of operations on whole blocks of candidates: the candidates
lie side by side in the last axis, where NumPy works with SIMD instructions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from raspl.errors import RasplError
from raspl.synthesis.examples import Example

Block = NDArray[np.signedinteger]
Bools = NDArray[np.bool_]
Ids = NDArray[np.int64]
MARGIN = 8
"""How far a place may be counted on before it nears the end of the range."""


@dataclass(frozen=True)
class Step:
    """One key place j: the first `count` queries see it, query s at row `keys[s]`."""

    count: int
    keys: Ids


@dataclass(frozen=True)
class Layout:
    """The positions of a set of examples, and which of them are asked about."""

    examples: tuple[Example, ...]
    tokens: Block = field(init=False)
    places: Block = field(init=False)
    wanted: Block = field(init=False)
    asked: Ids = field(init=False)
    """Rows at which an output is wanted."""
    steps: tuple[Step, ...] = field(init=False)
    asked_steps: tuple[Step, ...] = field(init=False)
    table: Ids = field(init=False)
    """For a row and a place: the row of that place in the same sequence, or -1 if it lies ahead."""
    weights: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        order = sorted(
            ((place, number) for number, e in enumerate(self.examples) for place in _range(e)),
            key=lambda pair: (-pair[0], pair[1]),
        )
        row_of = {pair: row for row, pair in enumerate(order)}
        tokens = [self.examples[number].tokens[place] for place, number in order]
        wanted = [self.examples[number].wanted[place] for place, number in order]
        longest = order[0][0] + 1
        numbers = [*tokens, *(number for number in wanted if number is not None)]
        dtype = _dtype(max(map(abs, numbers)), longest)
        asked = np.array([row for row, w in enumerate(wanted) if w is not None], dtype=np.int64)
        if not len(asked):
            raise RasplError("the examples ask for no output at any position")
        put = object.__setattr__
        put(self, "tokens", np.array(tokens, dtype=dtype))
        put(self, "places", np.array([place for place, _ in order], dtype=dtype))
        put(self, "wanted", np.array([wanted[row] for row in asked], dtype=dtype))
        put(self, "asked", asked)
        table = np.full((len(order), longest), -1, dtype=np.int64)
        for row, (place, number) in enumerate(order):
            table[row, : place + 1] = [row_of[j, number] for j in range(place + 1)]
        put(self, "table", table)
        put(self, "steps", _steps(order, row_of, range(len(order)), longest))
        put(self, "asked_steps", _steps(order, row_of, asked, longest))
        # Sums of entries times these weights are exact in float64: a linear hash over the integers.
        # Two different columns get the same sums with probability below 2**-64 up to 4,000 rows.
        top = 2 ** (52 - int(np.iinfo(dtype).bits) - len(order).bit_length())
        sums = 2 if dtype == np.int8 else 3
        rng = np.random.default_rng(0x5EED)
        put(self, "weights", rng.integers(1, top, size=(sums, len(order))).astype(np.float64))

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def dtype(self) -> np.dtype[np.signedinteger]:
        return self.tokens.dtype

    @property
    def bits(self) -> int:
        """The width of a program that can read these tokens."""
        return int(np.iinfo(self.dtype).bits)

    def hashes(self, block: Block) -> NDArray[np.uint64]:
        """One number a column; equal columns have equal numbers, others differ (see `weights`)."""
        sums = (self.weights @ block.astype(np.float64)).astype(np.int64).view(np.uint64)
        mixed: NDArray[np.uint64] = sums[0]
        for row in sums[1:]:
            mixed = _scattered(mixed) + row * np.uint64(0x9E3779B97F4A7C15)
        return mixed


def _scattered(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64: it breaks the linear ties between the two sums."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        numbers = (numbers ^ (numbers >> np.uint64(shift))) * np.uint64(factor)
    scattered: NDArray[np.uint64] = numbers ^ (numbers >> np.uint64(31))
    return scattered


def _range(example: Example) -> range:
    return range(len(example.tokens))


def _dtype(number: int, longest: int) -> type[np.signedinteger]:
    # The two ends of the range stand for "none" and for "nothing selected". Tokens and places can
    # be counted on from, so they keep away from the ends.
    most = max(number, longest) + MARGIN
    for dtype in (np.int8, np.int16):
        if most < np.iinfo(dtype).max:
            return dtype
    raise RasplError("the tokens leave the range of 16-bit integers")


def _steps(
    order: Sequence[tuple[int, int]],
    row_of: dict[tuple[int, int], int],
    rows: Sequence[int] | Ids | range,
    longest: int,
) -> tuple[Step, ...]:
    steps = []
    for place in range(longest):
        seeing = [order[int(row)] for row in rows if order[int(row)][0] >= place]
        keys = np.array([row_of[place, number] for _, number in seeing], dtype=np.int64)
        steps.append(Step(len(keys), keys))
    return tuple(steps)
