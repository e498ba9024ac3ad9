"""How many test examples training drew, at lengths short enough for that to happen.

Training draws fresh examples, but there are few short ones. As a batch is a pure function of its
step, the training stream can be drawn again after the run: nothing is recorded while it trains.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from raspl.tasks import Examples, Task
from raspl.training.batches import drawn
from raspl.training.configuration import Configuration
from raspl.training.evaluation import drawn_for_test

REDRAWN = 5_000
"""Steps that are drawn again at the most: all of a laptop's, and enough for what is short."""


def overlap(task: Task, config: Configuration, lengths: Sequence[int]) -> dict[int, float]:
    """For each length, the share of its test examples that occurred in the steps drawn again."""
    wanted = [
        fingerprints(drawn_for_test(task, config, config.train_on, length)) for length in lengths
    ]
    if not wanted:
        return {}
    every = np.unique(np.concatenate(wanted))
    seen = np.zeros(len(every), dtype=np.bool_)
    for step in range(min(config.steps, REDRAWN)):
        for examples in drawn(task, config, step):
            prints = fingerprints(examples)
            place = np.minimum(np.searchsorted(every, prints), len(every) - 1)
            seen[place[every[place] == prints]] = True
        if seen.all():
            break
    return {
        length: float(seen[np.searchsorted(every, prints)].mean())
        for length, prints in zip(lengths, wanted, strict=True)
    }


def fingerprints(examples: Examples) -> NDArray[np.uint64]:
    """A 64-bit number for each example, the same wherever its holes are."""
    present = examples.present
    column = np.where(present, np.cumsum(present, axis=1) - 1, 0)
    random = np.random.Generator(np.random.Philox(0))
    width = (examples.tokens.shape[1],)
    factors = random.integers(0, 2**64, size=width, dtype=np.uint64)
    values = np.where(present, examples.tokens + 1, 0).astype(np.uint64)
    return np.asarray((values * factors[column]).sum(axis=1, dtype=np.uint64))
