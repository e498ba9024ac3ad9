"""Sort: the numbers in ascending order."""

from collections.abc import Sequence

import numpy as np

from raspl.tasks.shipped import PAPER, Preset, ShippedTask, alone, at_a_desk
from raspl.tasks.symbols import numbered, without_replacement
from raspl.tasks.task import Ints, Task, keep


def sort(numbers: int = 100) -> Task:
    """`SoS 4 12 3 7 > 3 4 7 12 EoS`, numbers drawn without replacement."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = without_replacement(rng, numbers, lengths)
        past = np.where(np.arange(prompt.shape[1]) < lengths[:, None], prompt, numbers)
        return keep(prompt, lengths), keep(np.sort(past, axis=1), lengths)

    def solve(prompt: Sequence[str]) -> list[str]:
        return sorted(prompt, key=int)

    return Task(
        name="sort",
        about="the numbers in ascending order; no number occurs twice",
        symbols=numbered(numbers),
        sample=sample,
        solve=solve,
        longest=numbers,
    )


TASKS = (
    ShippedTask(
        "sort",
        sort,
        presets={
            "paper": Preset(
                {
                    **PAPER, "layers": 2, "heads": 16, "width": 1024, "steps": 100_000,
                    "context": 1024, "batch": 512, "learning_rate": 1e-5,
                    "final_learning_rate": 0.0, "weight_decay": 0.1,
                },
                trained=(10, 20, 30, 35, 40, 45),
                tested=(50, 60),
                curves_at=45,
            ),
            "desk": at_a_desk((10, 20, 30, 35, 40, 45), (50, 60), 45, steps=1500),
            "laptop": alone(numbers=32, max_length=10, test_lengths=(13,), steps=1500),
        },
        paper_exact_match="96 %",
        paper_alphabet=tuple(range(-2, 128)),
        place=3,
    ),
)  # fmt: skip
