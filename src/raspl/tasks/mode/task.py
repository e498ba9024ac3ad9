"""Mode: the most frequent letter, alone or after one of two scratchpads of counts.

    SoS a b b c b a c b > b EoS
    SoS a b b c b a c b > 2 a 2 c 4 b b EoS     by frequency, ascending
    SoS a b b c b a c b > a 2 b 4 c 2 b EoS     by first appearance

Counts are written digit by digit. Letters of equal count stand in the alphabet's order.
"""

import string
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from raspl.tasks.shipped import PAPER, Preset, ShippedTask, alone, at_a_desk
from raspl.tasks.task import NOTHING, Ints, Task, TaskError, keep

Scratchpad: TypeAlias = Literal["none", "frequency", "appearance"]

CHOSEN = 5
"""Letters in one example, drawn again for each (appendix, "Mode")."""
DIGITS = 3
"""Room for a count in the scratchpad."""


def mode(letters: int = 52, scratchpad: Scratchpad = "none") -> Task:
    if not CHOSEN <= letters <= len(string.ascii_letters):
        most = len(string.ascii_letters)
        raise TaskError(f"Mode needs from {CHOSEN} to {most} letters, not {letters}.")
    names = string.ascii_letters[:letters]
    written = scratchpad != "none"
    return Task(
        name="mode",
        about="the most frequent letter"
        + (f", after the letters' counts by {scratchpad}" if written else ""),
        symbols=[*names, *string.digits] if written else list(names),
        sample=partial(sample, letters, scratchpad),
        solve=partial(solve, scratchpad),
        longest=10**DIGITS - 1 if written else None,
        final=1 if written else None,
    )


def sample(
    letters: int, scratchpad: Scratchpad, rng: np.random.Generator, lengths: Ints
) -> tuple[Ints, Ints]:
    rows, width = len(lengths), int(lengths.max())
    alphabet = rng.random((rows, letters)).argsort(axis=1)[:, :CHOSEN]
    drawn = keep(rng.integers(CHOSEN, size=(rows, width)), lengths)
    drawn, counts = untied(rng, drawn)
    prompt = np.where(
        drawn < 0, NOTHING, np.take_along_axis(alphabet, np.maximum(drawn, 0), axis=1)
    )
    winner = np.take_along_axis(alphabet, counts.argmax(axis=1)[:, None], axis=1)
    if scratchpad == "none":
        return prompt, winner
    if scratchpad == "frequency":
        order = np.lexsort((alphabet, counts), axis=1)
    else:
        place = np.where(drawn[:, :, None] == np.arange(CHOSEN), np.arange(width)[:, None], width)
        order = place.min(axis=1).argsort(axis=1)
    ordered = np.take_along_axis(counts, order, axis=1)
    letter = np.where(ordered > 0, np.take_along_axis(alphabet, order, axis=1), NOTHING)
    number = decimal(ordered, zero=letters)
    parts = (
        (number, letter[:, :, None]) if scratchpad == "frequency" else (letter[:, :, None], number)
    )
    pad = np.concatenate(parts, axis=2).reshape(rows, -1)
    return prompt, np.concatenate((pad, winner), axis=1)


def untied(rng: np.random.Generator, drawn: Ints) -> tuple[Ints, Ints]:
    """Where letters tie for the most frequent, turn one token of one of them into another."""
    counts = (drawn[:, :, None] == np.arange(CHOSEN)).sum(axis=1)
    top = counts == counts.max(axis=1, keepdims=True)
    tied = np.flatnonzero(top.sum(axis=1) > 1)
    if len(tied):
        chance = np.where(top[tied], rng.random((len(tied), CHOSEN)), -1.0)
        loser, winner = chance.argsort(axis=1)[:, -2:].T
        chance = np.where(drawn[tied] == loser[:, None], rng.random(drawn[tied].shape), -1.0)
        drawn = drawn.copy()
        drawn[tied, chance.argmax(axis=1)] = winner
        counts[tied, loser] -= 1
        counts[tied, winner] += 1
    return drawn, counts


def decimal(numbers: Ints, zero: int) -> Ints:
    """Digits of each number along a new last axis, no leading zeros, nothing for 0."""
    shifted = numbers[..., None] // 10 ** np.arange(DIGITS)[::-1]
    return np.where(shifted > 0, shifted % 10 + zero, NOTHING)


def solve(scratchpad: Scratchpad, prompt: Sequence[str]) -> list[str]:
    counts = Counter(prompt)
    answer = max(counts, key=lambda letter: counts[letter])
    if scratchpad == "none":
        return [answer]
    if scratchpad == "appearance":
        return [token for letter in counts for token in (letter, *str(counts[letter]))] + [answer]
    order = sorted(counts, key=lambda letter: (counts[letter], string.ascii_letters.index(letter)))
    return [token for letter in order for token in (*str(counts[letter]), letter)] + [answer]


RECIPE = Preset(
    {
        **PAPER, "layers": 6, "heads": 8, "width": 512, "steps": 10_000, "context": 256,
        "batch": 128, "learning_rate": 1e-3, "final_learning_rate": 1e-6, "weight_decay": 0.1,
        "grad_clip": 1.0,
    },
    trained=(10, 20, 30, 40, 45),
    tested=(50, 60, 80),
    curves_at=45,
)  # fmt: skip


# Tested alike and in one context, so that a scratchpad is compared with runs that are there anyway.
AT_A_DESK = partial(
    at_a_desk, tested=(50, 60), curves_at=40, context=96, width=128, batch=128,
    learning_rate=1.5e-3, matrix_learning_rate=0.01,
)  # fmt: skip
DESK = AT_A_DESK((10, 20, 30, 40), heads=1, steps=2000)
DESK_SCRATCHPAD = AT_A_DESK((20, 40), layers=3, heads=2, steps=6000)


def scratchpad_preset(max_length: int, tested: int) -> Preset:
    return alone(
        letters=8, max_length=max_length, test_lengths=(tested,), context=80, heads=2, steps=4500
    )


TASKS = (
    ShippedTask(
        "mode",
        mode,
        {"scratchpad": "none"},
        {
            "paper": RECIPE,
            "desk": DESK,
            "laptop": alone(letters=8, max_length=16, test_lengths=(20, 32), context=40),
        },
        paper_exact_match="100 %",
        paper_alphabet=tuple(range(10)),
        place=1,
    ),
    ShippedTask(
        "mode_scratchpad_frequency",
        mode,
        {"scratchpad": "frequency"},
        {"paper": RECIPE, "desk": DESK_SCRATCHPAD, "laptop": scratchpad_preset(32, 40)},
        paper_exact_match="0 %",
        place=8,
    ),
    ShippedTask(
        "mode_scratchpad_appearance",
        mode,
        {"scratchpad": "appearance"},
        {"paper": RECIPE, "desk": DESK_SCRATCHPAD, "laptop": scratchpad_preset(24, 30)},
        place=9,
    ),
)
