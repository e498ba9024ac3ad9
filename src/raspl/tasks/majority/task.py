"""Majority: the more frequent bit, `SoS 0 1 1 > 1 EoS`. In a tie one bit is changed."""

from collections.abc import Sequence

import numpy as np

from raspl.tasks.shipped import ShippedTask
from raspl.tasks.task import Ints, Task, keep


def majority() -> Task:
    return Task("majority", "the more frequent bit", ["0", "1"], sample, solve)


def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
    bits = rng.integers(2, size=(len(lengths), lengths.max()))
    tied = 2 * keep(bits, lengths).clip(0).sum(axis=1) == lengths
    bits[tied, 0] ^= 1
    prompt = keep(bits, lengths)
    return prompt, (2 * prompt.clip(0).sum(axis=1) > lengths).astype(np.int64)[:, None]


def solve(prompt: Sequence[str]) -> list[str]:
    return [max("01", key=list(prompt).count)]


TASKS = (ShippedTask("majority", majority),)
