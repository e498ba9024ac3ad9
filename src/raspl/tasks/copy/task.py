"""Copy: the tokens again. Unique tokens make it an induction head; repeated ones defeat that."""

from dataclasses import replace

import numpy as np

from raspl.tasks.shipped import PAPER, Preset, ShippedTask, alone, at_a_desk
from raspl.tasks.symbols import numbered, without_replacement
from raspl.tasks.task import Ints, Task, keep


def copy_unique(tokens: int = 100) -> Task:
    """`SoS a c d b > a c d b EoS`, tokens drawn without replacement."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = keep(without_replacement(rng, tokens, lengths), lengths)
        return prompt, prompt

    return Task(
        name="copy_unique",
        about="the tokens again; no token occurs twice",
        symbols=numbered(tokens),
        sample=sample,
        solve=list,
        longest=tokens,
    )


def copy_repeat(tokens: int = 2) -> Task:
    """`SoS a a b a > a a b a EoS`, tokens drawn with replacement."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = keep(rng.integers(tokens, size=(len(lengths), lengths.max())), lengths)
        return prompt, prompt

    return Task(
        name="copy_repeat",
        about="the tokens again; few tokens, often repeated",
        symbols=numbered(tokens),
        sample=sample,
        solve=list,
    )


RECIPE = Preset(
    {
        **PAPER, "layers": 6, "heads": 8, "width": 512, "steps": 100_000, "context": 512,
        "batch": 128, "learning_rate": 1e-4, "final_learning_rate": 1e-6, "weight_decay": 0.1,
    },
    trained=(10, 20, 30, 35, 40, 45),
    tested=(50,),
    curves_at=45,
)  # fmt: skip
TASKS = (
    ShippedTask(
        "copy_unique",
        copy_unique,
        presets={
            "paper": RECIPE,
            "desk": at_a_desk(
                (10, 20, 30, 35, 40, 45), (50,), 45, heads=1, learning_rate=2e-3, steps=2000
            ),
            "laptop": alone(
                tokens=40, max_length=16, test_lengths=(18, 20), context=96, heads=1,
                learning_rate=2e-3,
            ),
        },
        paper_exact_match="96 %",
        paper_alphabet=tuple(range(-2, 128)),
        place=2,
    ),
    ShippedTask(
        "copy_repeat",
        copy_repeat,
        presets={
            "paper": RECIPE,
            # Unique copy's lengths, width, depth and context. It has to copy by position, which
            # takes lower rates and more patience.
            "desk": at_a_desk(
                (20, 30, 40), (50,), 40, learning_rate=1.5e-3,
                matrix_learning_rate=0.01, steps=12_000,
            ),
            "laptop": alone(
                max_length=24, test_lengths=(27, 30), context=96, learning_rate=1e-3, steps=3000
            ),
        },
        # Hardly longer than an example: it learns the places sooner, and fails less.
        other_presets={
            "copy_repeat_tight": {
                "paper": replace(RECIPE, fields={**RECIPE.fields, "context": 112}),
                "laptop": alone(
                    max_length=24, test_lengths=(27, 30), context=64, learning_rate=1e-3,
                    steps=3000,
                ),
                "desk": at_a_desk(
                    (40,), (50,), 40, context=112, learning_rate=1.5e-3,
                    matrix_learning_rate=0.01, steps=4000,
                )
            }
        },
        paper_exact_match="0 %",
        place=10,
    ),
)  # fmt: skip
