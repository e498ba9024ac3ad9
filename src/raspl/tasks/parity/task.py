"""Parity of bits: plain, by a scratchpad that walks from 1 to 1, or by their sum modulo 10.

SoS 0 0 1 1 0 > 0 EoS                                    plain
SoS a 0 b 0 c 1 d 1 e 0 > + c - d + EoS                  scratchpad: + even so far, - odd
SoS 0 0 1 1 0 > 2 , 0 EoS                                sum
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from raspl.tasks.shipped import PAPER, Preset, ShippedTask, alone, at_a_desk, on_a_laptop
from raspl.tasks.task import NOTHING, Ints, Task, TaskError, interleave, keep

Scratchpad: TypeAlias = Literal["plain", "scratchpad", "sum"]

EVEN, ODD, FIRST_HINT = 2, 3, 4
"""Symbols of the scratchpad form, behind the bits 0 and 1."""
COMMA = 10
"""The symbol of the sum form, behind the digits."""


def parity(scratchpad: Scratchpad = "plain", hints: int = 100) -> Task:
    if scratchpad == "scratchpad" and hints < 1:
        raise TaskError(f"The parity scratchpad needs at least 1 hint, not {hints}.")
    symbols = {
        "plain": ["0", "1"],
        "scratchpad": ["0", "1", "+", "-", *(f"h{hint}" for hint in range(hints))],
        "sum": [*map(str, range(10)), ","],
    }[scratchpad]
    about = {
        "plain": "whether the number of ones is odd",
        "scratchpad": "the hint of each 1 and the parity so far, + even and - odd",
        "sum": "the sum of the bits modulo 10, then their parity",
    }[scratchpad]
    return Task(
        name="parity",
        about=about,
        symbols=symbols,
        sample=partial(sample, scratchpad, hints),
        solve=partial(solve, scratchpad),
        longest=hints if scratchpad == "scratchpad" else None,
        final=None if scratchpad == "plain" else 1,
    )


def sample(
    scratchpad: Scratchpad, hints: int, rng: np.random.Generator, lengths: Ints
) -> tuple[Ints, Ints]:
    bits = keep(rng.integers(2, size=(len(lengths), lengths.max())), lengths)
    ones = (bits == 1).sum(axis=1)[:, None]
    if scratchpad == "plain":
        return bits, ones % 2
    if scratchpad == "sum":
        return bits, np.concatenate((ones % 10, np.full_like(ones, COMMA), ones % 2), axis=1)
    start = rng.integers(0, hints - lengths + 1)
    hint = keep(FIRST_HINT + start[:, None] + np.arange(bits.shape[1]), lengths)
    sign = np.where(np.cumsum(bits == 1, axis=1) % 2 == 0, EVEN, ODD)
    walk = [np.where(bits == 1, token, NOTHING) for token in (hint, sign)]
    first = np.full((len(lengths), 1), EVEN)
    return interleave(hint, bits), np.concatenate((first, interleave(*walk)), axis=1)


def solve(scratchpad: Scratchpad, prompt: Sequence[str]) -> list[str]:
    if scratchpad != "scratchpad":
        ones = list(prompt).count("1")
        answer = str(ones % 2)
        return [answer] if scratchpad == "plain" else [str(ones % 10), ",", answer]
    answer_tokens, odd = ["+"], False
    for hint, bit in zip(prompt[::2], prompt[1::2], strict=True):
        if bit == "1":
            odd = not odd
            answer_tokens += [hint, "-" if odd else "+"]
    return answer_tokens


RECIPE = Preset(
    {
        **PAPER, "layers": 6, "heads": 8, "width": 512, "steps": 10_000, "context": 512,
        "batch": 256, "learning_rate": 1e-3, "final_learning_rate": 1e-6, "weight_decay": 0.1,
        "grad_clip": 1.0,
    },
    trained=(20, 30, 35, 40, 45),
    tested=(50,),
    curves_at=45,
)  # fmt: skip

AT_A_DESK = partial(at_a_desk, (20, 30, 40, 45), (50,), 40, learning_rate=1.5e-3, steps=3000)

TASKS = (
    ShippedTask(
        "parity_scratchpad",
        parity,
        {"scratchpad": "scratchpad"},
        {
            "paper": RECIPE,
            "desk": AT_A_DESK(hints=60),
            "laptop": alone(max_length=20, test_lengths=(25,), context=128, steps=3000, hints=32),
        },
        other_presets={
            "parity_few_hints": {"paper": replace(RECIPE, fields={**RECIPE.fields, "hints": 60})},
            # With as many as the paper has, it takes longer to learn which follows which.
            "parity_all_hints": {
                "desk": AT_A_DESK(hints=100, steps=6000),
                "laptop": alone(
                    max_length=20, test_lengths=(25,), context=128, steps=6000, hints=64
                ),
            },
        },
        paper_exact_match="100 %",
        paper_alphabet=(-4, -3, -2, -1, 0, 1, *range(10, 128)),  # hints for 118 bits
        place=6,
    ),
    ShippedTask(
        "parity_sum",
        parity,
        {"scratchpad": "sum", "hints": 0},
        {
            "paper": RECIPE,
            "desk": AT_A_DESK(),
            "laptop": alone(max_length=20, test_lengths=(25,), context=128, steps=3000),
        },
        place=12,
    ),
    ShippedTask(
        "parity_plain",
        parity,
        {"scratchpad": "plain", "hints": 0},
        {
            "paper": RECIPE,
            "desk": AT_A_DESK(),
            "laptop": on_a_laptop(
                optimiser="adamw", learning_rate=2e-3, max_length=20, test_lengths=(25,), steps=2500
            ),
        },
        paper_exact_match="0 %",
        place=13,
    ),
)
