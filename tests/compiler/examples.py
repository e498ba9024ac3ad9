"""Task sequences for the shipped programs: prompts with their answers, of about a given length."""

from __future__ import annotations

from random import Random

import torch

from raspl import programs
from raspl.executors import stream

torch.set_num_threads(1)

NAMES = tuple(name for name in programs.NAMES if name.endswith(programs.PAPER))
"""The paper's formats, whose sequences are made here."""
ALPHABETS = {name: programs.alphabet(name) or () for name in NAMES}

START, END = -1, -2
PLUS, EQUALS, STOP, TOP_HINT = -2, -3, -5, -100


def addition(a: int, b: int, digits: int, order: int) -> tuple[list[int], list[int]]:
    """The prompt and the answer; order -1 writes the answer from the least significant digit."""
    hints = [TOP_HINT - place for place in range(digits + 1)]

    def hinted(number: int) -> list[list[int]]:
        written = [int(digit) for digit in str(number).zfill(digits + 1)]
        return [list(pair) for pair in zip(hints, written, strict=True)]

    def flat(pairs: list[list[int]]) -> list[int]:
        return [token for pair in pairs for token in pair]

    prompt = [START, *flat(hinted(a)), PLUS, *flat(hinted(b)), EQUALS]
    return prompt, [*flat(hinted(a + b)[::order]), STOP]


def task_sequence(name: str, rng: Random, length: int) -> list[int]:
    """A sequence as the task has it, filled up to the length by going on generating."""
    prompt = PROMPTS[name](rng, length)[:length]
    graph = programs.load(name).graph
    sequence: list[int] = stream.generate(
        graph, prompt, until=ENDS.get(name), limit=length
    ).tolist()
    repeated = sequence * (length // len(sequence) + 1)
    return repeated[:length]


def _count(rng: Random, length: int) -> list[int]:
    a = rng.randint(0, 60)
    return [START, a, rng.randint(a, 155)]


def _mode(rng: Random, length: int) -> list[int]:
    return rng.choices(range(10), weights=range(1, 11), k=length)


def _distinct(rng: Random, length: int) -> list[int]:
    return rng.sample(range(128), min(128, max(1, length // 2 - 2)))


def _add(rng: Random, length: int) -> list[int]:
    digits = min(100, max(1, length // 6))
    a = rng.randrange(1, 10**digits)
    b = rng.choice((rng.randrange(10**digits), 10**digits - a))
    return addition(a, b, digits, 1)[0]


def _parity(rng: Random, length: int) -> list[int]:
    count = min(118, max(1, length // 4))
    return [t for hint in range(10, 10 + count) for t in (hint, rng.randint(0, 1))] + [-3]


PROMPTS = {
    "count_paper": _count,
    "mode_paper": _mode,
    "copy_unique_paper": lambda rng, n: [START, *_distinct(rng, n), END, START],
    "sort_paper": lambda rng, n: [*_distinct(rng, n), START],
    "conjunction_paper": lambda rng, n: [int(rng.random() > 1 / n) for _ in range(n)],
    "addition_reverse_paper": _add,
    "addition_forward_paper": _add,
    "parity_scratchpad_paper": _parity,
}
ENDS = {
    "count_paper": END,
    "copy_unique_paper": END,
    "sort_paper": END,
    "addition_reverse_paper": STOP,
    "addition_forward_paper": STOP,
    "parity_scratchpad_paper": -4,
}
