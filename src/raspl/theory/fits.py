"""Whether a program gives what examples want, by the executors of the language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from raspl.language.graph import Graph
from raspl.meaning import reference
from raspl.meaning.reference import RunError

from .examples import Example


def fits(graph: Graph, example: Example) -> bool:
    """Whether the output is right at every asked position; an error is not."""
    try:
        output = reference.run(graph, example.tokens)
    except RunError:
        return False
    return all(w is None or w == o for w, o in zip(example.wanted, output, strict=True))


def failures(graph: Graph, examples: Sequence[Example], most: int) -> list[Example]:
    """The first examples on which a program is wrong."""
    failed: list[Example] = []
    for example in examples:
        if not fits(graph, example):
            failed.append(example)
            if len(failed) == most:
                break
    return failed


def agreement(graph: Graph, examples: Sequence[Example]) -> float:
    """The share of examples that are right as a whole: exact match."""
    return float(np.mean([fits(graph, example) for example in examples]))
