"""Counter-based randomness: what is drawn depends on its address and on nothing before it.

A training batch is a pure function of (seed, step) and a test set of (seed, length), so a resumed
run draws exactly what it would have drawn, in any order and on any machine.
"""

from enum import IntEnum

import numpy as np


class Purpose(IntEnum):
    """What a stream is for; streams of different purposes never meet."""

    TRAIN = 0
    TEST = 1
    PROBE = 2
    SHOW = 3
    INSIDE = 4


def stream(seed: int, purpose: Purpose, *address: int) -> np.random.Generator:
    """A generator of its own for each address (a step; a distribution and a length)."""
    sequence = np.random.SeedSequence((seed, int(purpose), *address))
    return np.random.Generator(np.random.Philox(sequence))
