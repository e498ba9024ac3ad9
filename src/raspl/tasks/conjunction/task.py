"""Conjunction: the AND of all bits, trained so that the last five bits never matter.

Half the examples are all ones. The others have one 0: in training among the first bits, in the
unseen test among the last five. The length never varies (section on the min-degree interpolator).
The paper writes an example as the bits and their conjunction; whether anything stands between them
it leaves open.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from raspl.tasks.shipped import SMOKE, Preset, ShippedTask, at_a_desk, on_a_laptop
from raspl.tasks.task import Ints, Task, TaskError

UNSEEN = 5


def conjunction(bits: int = 20, separator: bool = True) -> Task:
    if bits <= UNSEEN:
        raise TaskError(f"Conjunction needs more than {UNSEEN} bits, not {bits}.")
    seen = sampler(0, bits - UNSEEN)
    return Task(
        name="conjunction",
        about=f"whether all {bits} bits are 1",
        symbols=["0", "1"],
        sample=seen,
        solve=solve,
        variants={"seen": seen, "unseen": sampler(bits - UNSEEN, bits)},
        test_on="unseen",
        shortest=bits,
        longest=bits,
        separator=separator,
    )


def sampler(low: int, high: int) -> Callable[[np.random.Generator, Ints], tuple[Ints, Ints]]:
    """Half all ones, else one 0 at a uniform place in low…high-1."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        zero = rng.integers(low, high, size=len(lengths))
        answer = rng.integers(2, size=len(lengths))
        place = np.arange(lengths.max())
        bits = np.where((place == zero[:, None]) & (answer[:, None] == 0), 0, 1)
        return bits, answer[:, None]

    return sample


def solve(prompt: Sequence[str]) -> list[str]:
    return ["0" if "0" in prompt else "1"]


LENGTHS: dict[str, Any] = {"max_length": 20, "test_lengths": (20,)}
TASKS = (
    ShippedTask(
        "conjunction",
        conjunction,
        presets={
            "paper": Preset(
                {
                    **LENGTHS, "layers": 2, "heads": 4, "width": 64, "steps": 10_000,
                    "context": 128, "batch": 128, "learning_rate": 1e-3,
                    "final_learning_rate": 0.0, "layout": "single",
                },
                trained=(20,),
                tested=(20,),
            ),
            "desk": at_a_desk(
                (20,), (20,), **LENGTHS, loss="all", context=128, batch=128, steps=2000,
                learning_rate=1e-3, optimiser="adamw",
            ),
            "laptop": on_a_laptop(
                **LENGTHS, layout="single", steps=1000, learning_rate=1e-3, optimiser="adamw"
            ),
            "smoke": Preset({**SMOKE, **LENGTHS}),
        },
        length_parameter="bits",
        paper_alphabet=(0, 1),
        place=7,
    ),
)  # fmt: skip
