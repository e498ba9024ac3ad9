"""Count: from a to b, `SoS 2 5 > 2 3 4 5 EoS`. The length is the number of output numbers."""

from collections.abc import Sequence

import numpy as np

from raspl.tasks.count.counterfactual import counterfactual
from raspl.tasks.shipped import PAPER, Preset, ShippedTask, at_a_desk, on_a_laptop
from raspl.tasks.task import Ints, Task, TaskError, keep


def count(numbers: int = 155) -> Task:
    if numbers < 1:
        raise TaskError("Count needs at least one number.")

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        return pair(rng.integers(0, numbers - lengths + 1), lengths)

    def every(length: int) -> tuple[Ints, Ints]:
        first = np.arange(numbers - length + 1)
        return pair(first, np.full(len(first), length))

    return Task(
        name="count",
        about="write the numbers from the first to the second",
        symbols=[str(number) for number in range(numbers)],
        sample=sample,
        solve=solve,
        every=every,
        longest=numbers,
        counterfactual=counterfactual(numbers),
    )


def pair(first: Ints, lengths: Ints) -> tuple[Ints, Ints]:
    prompt = np.stack((first, first + lengths - 1), axis=1)
    return prompt, keep(first[:, None] + np.arange(lengths.max()), lengths)


def solve(prompt: Sequence[str]) -> list[str]:
    first, last = map(int, prompt)
    return [str(number) for number in range(first, last + 1)]


TASKS = (
    ShippedTask(
        "count",
        count,
        presets={
            "paper": Preset(
                {
                    **PAPER, "layers": 6, "heads": 8, "width": 64, "steps": 10_000, "context": 256,
                    "batch": 128, "learning_rate": 1e-3, "final_learning_rate": 1e-5,
                    "weight_decay": 0.1,
                },
                trained=(20, 40, 60, 80, 100),
                tested=(50, 100, 150),
                curves_at=45,
            ),
            "desk": at_a_desk(
                (20, 40, 60, 80, 100), (50, 100, 150), 45, steps=1200, init_std=0.06,
                layout="packed", loss="all", batch=32,
            ),
            "laptop": on_a_laptop(numbers=60, test_lengths=(19, 25), steps=1200, init_std=0.06),
        },
        paper_exact_match="100 %",
        paper_alphabet=tuple(range(-2, 156)),
        place=0,
    ),
)  # fmt: skip
