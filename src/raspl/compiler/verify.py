"""Does a network say what its program says? At every position of random sequences.

An input on which the program fails (an overflow, a division by zero) has no answer from there on;
it is compared up to that position, and the rest is counted as skipped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from raspl.compiler.network import Network
from raspl.executors import reference, stream
from raspl.executors.inputs import to_array
from raspl.language.ir.graph import Graph

Columns = Sequence[Sequence[int]]
"""One sequence for each input."""
BY_REFERENCE = 64
"""Longer inputs are run by the stream executor, which gives the same values in linear time."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a network and its program differ first."""

    columns: tuple[tuple[int, ...], ...]
    position: int
    wanted: int
    given: int


@dataclass(frozen=True, slots=True)
class Verification:
    """What was compared."""

    sequences: int
    positions: int
    longest: int
    skipped: int
    """Positions after an error of the program."""
    mismatches: tuple[Mismatch, ...]

    def __str__(self) -> str:
        found = len(self.mismatches)
        result = _counted(found, "mismatch", "mismatches") if found else "no mismatch"
        skipped = f", {self.skipped:,} after an error of the program" if self.skipped else ""
        up_to = "up to " if self.sequences > 1 else ""
        return (
            f"{result} on {_counted(self.sequences, 'sequence', 'sequences')} of "
            f"{up_to}{_counted(self.longest, 'token', 'tokens')}, "
            f"{_counted(self.positions, 'position', 'positions')}{skipped}"
        )


def _counted(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def random_columns(network: Network, rng: Random, length: int) -> Columns:
    """A sequence over the alphabet for each input."""
    return [
        [rng.choice(given.tokens or (0,)) for _ in range(length)]
        for given in network.description.inputs
    ]


def sample(network: Network, count: int, seed: int, longest: int) -> Iterable[Columns]:
    """Random inputs; their lengths are spread evenly in the logarithm."""
    rng = Random(seed)
    longest = min(longest, network.longest)
    for _ in range(count):
        length = round(float(np.exp(rng.uniform(0, np.log(max(longest, 1))))))
        yield random_columns(network, rng, length)


def verify(network: Network, graph: Graph, inputs: Iterable[Columns]) -> Verification:
    """Compare the network with the program at every position of some inputs."""
    sequences = positions = skipped = longest = 0
    mismatches = []
    for columns in inputs:
        length = len(columns[0])
        wanted = outputs(graph, columns)
        given = network.predict(*(column[: len(wanted)] for column in columns))
        differ = np.flatnonzero(wanted != given)
        if len(differ):
            first = int(differ[0])
            mismatches.append(
                Mismatch(tuple(map(tuple, columns)), first, int(wanted[first]), int(given[first]))
            )
        sequences += 1
        positions += len(wanted)
        skipped += length - len(wanted)
        longest = max(longest, length)
    return Verification(sequences, positions, longest, skipped, tuple(mismatches))


def outputs(graph: Graph, columns: Columns) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """What the program gives, up to its first error."""
    is_short = len(columns[0]) <= BY_REFERENCE
    machine = reference.Machine(graph) if is_short else stream.Machine(graph)
    values = []
    try:
        for tokens in zip(*columns, strict=True):
            values.append(machine.step(*tokens))
    except reference.RunError:
        pass
    return to_array(values)
