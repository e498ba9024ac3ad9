"""Alphabets of numbered tokens, and draws from them, which several tasks share."""

import numpy as np

from raspl.tasks.task import Ints, TaskError


def numbered(tokens: int) -> list[str]:
    if tokens < 1:
        raise TaskError("A task needs at least one token.")
    return [str(token) for token in range(tokens)]


def without_replacement(rng: np.random.Generator, tokens: int, lengths: Ints) -> Ints:
    """Each row the beginning of its own random permutation of all tokens."""
    order = rng.random((len(lengths), tokens), dtype=np.float32).argsort(axis=1)
    return order[:, : lengths.max()]
