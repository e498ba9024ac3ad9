"""Whether a program gives what examples want, by the batch executor of the language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from raspl.executors import batch
from raspl.language.ir.graph import Graph
from raspl.synthesis.columns import Bools
from raspl.synthesis.examples import Example


class Checked:
    """Examples as one matrix, on which programs are tried."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = tuple(examples)
        self._lengths = [len(example.tokens) for example in examples]
        shape = len(examples), max(self._lengths, default=0)
        self._tokens = np.zeros(shape, dtype=np.int64)
        self._wanted = np.zeros(shape, dtype=np.int64)
        self._asked = np.zeros(shape, dtype=np.bool_)
        for row, example in enumerate(examples):
            self._tokens[row, : len(example.tokens)] = example.tokens
            for place, wanted in enumerate(example.wanted):
                if wanted is not None:
                    self._wanted[row, place], self._asked[row, place] = wanted, True

    @property
    def wanted(self) -> NDArray[np.int64]:
        """What is wanted at all asked positions, one after the other."""
        return self._wanted[self._asked]

    def values(self, graph: Graph) -> NDArray[np.int64] | None:
        """What a program gives at all asked positions; None if it fails anywhere."""
        results = batch.run(graph, self._tokens, lengths=self._lengths)
        return None if results.errors else results.values[self._asked]

    def wrong(self, graph: Graph) -> Bools:
        """At which positions a program is wrong; from an error on, it is wrong everywhere."""
        results = batch.run(graph, self._tokens, lengths=self._lengths)
        wrong: Bools = (results.values != self._wanted) & self._asked
        for number, error in results.errors.items():
            wrong[number, error.position :] = True
        return wrong

    def counterexamples(self, graph: Graph, most: int) -> list[Example]:
        """The shortest examples on which a program is wrong, each cut off where it goes wrong."""
        wrong = self.wrong(graph)
        rows = np.flatnonzero(wrong.any(axis=1))
        ends = wrong[rows].argmax(axis=1) + 1
        order = np.argsort(ends, kind="stable")[:most]
        return [prefix(self.examples[rows[at]], int(ends[at])) for at in order]

    def until(self, asked: int) -> Example:
        """The example of an asked position, cut off there."""
        row, place = np.argwhere(self._asked)[asked]
        return prefix(self.examples[row], int(place) + 1)


def prefix(example: Example, length: int) -> Example:
    """The first so many positions, and on to the next that is asked. Programs are causal, so what
    is asked of an example is asked of its prefixes too."""
    while length < len(example.tokens) and example.wanted[length - 1] is None:
        length += 1
    return Example(example.tokens[:length], example.wanted[:length])


def correct_mask(graph: Graph, examples: Sequence[Example]) -> Bools:
    """For each example whether the output is right at every asked position; an error is not."""
    right: Bools = np.logical_not(Checked(examples).wrong(graph).any(axis=1))
    return right
