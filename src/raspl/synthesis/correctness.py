"""Whether a program gives what examples want, by the batch executor of the language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from raspl.executors import batch
from raspl.language.ir.graph import Graph
from raspl.synthesis.examples import Example


def correct_mask(graph: Graph, examples: Sequence[Example]) -> NDArray[np.bool_]:
    """For each example whether the output is right at every asked position; an error is not."""
    results = batch.run(graph, [example.tokens for example in examples])
    return np.array(
        [
            number not in results.errors
            and all(
                wanted is None or wanted == output
                for wanted, output in zip(example.wanted, results[number], strict=True)
            )
            for number, example in enumerate(examples)
        ],
        dtype=np.bool_,
    )


def counterexamples(graph: Graph, examples: Sequence[Example], most: int) -> list[Example]:
    """The first examples on which a program is wrong."""
    return [examples[at] for at in np.flatnonzero(~correct_mask(graph, examples))[:most]]
