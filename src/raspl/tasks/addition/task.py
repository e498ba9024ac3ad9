"""Addition: two numbers of one length with a zero before each, so that a last carry has a place.

    SoS 0 5 4 + 0 3 7 > 0 9 1 EoS                                         plain
    SoS a 0 b 5 c 4 + a 0 b 3 c 7 > a 0 b 9 c 1 EoS                       hints, forward
    SoS a 0 b 5 c 4 + a 0 b 3 c 7 > c 1 b 9 a 0 EoS                       hints, reverse

Hints are a random contiguous slice of a longer run of hint tokens. Digits are kept least
significant first in here (`place` 0 is the ones), as carries run that way.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np

from raspl.tasks.shipped import PAPER, Preset, ShippedTask, alone, at_a_desk
from raspl.tasks.task import NOTHING, Ints, Task, TaskError, interleave

Order: TypeAlias = Literal["plain", "forward", "reverse"]
Summands: TypeAlias = Callable[[np.random.Generator, Ints], tuple[Ints, Ints]]

CARRIES = ("standard", "balanced", "hard", "easy")
"""Distributions by how carries come about, beside those balanced over nines."""
PLUS = 10
FIRST_HINT = 11


def addition(order: Order = "plain", hints: int = 100) -> Task:
    if order != "plain" and hints < 2:
        raise TaskError(f"Addition with hints needs at least 2 of them, not {hints}.")
    named = [f"h{hint}" for hint in range(hints)] if order != "plain" else []

    def sampler(summands: Summands) -> Callable[[np.random.Generator, Ints], tuple[Ints, Ints]]:
        return lambda rng, lengths: written(order, hints, rng, *summands(rng, lengths))

    about = "add two numbers"
    return Task(
        name="addition",
        about=about if order == "plain" else f"{about} with index hints, answer {order}",
        symbols=[*map(str, range(10)), "+", *named],
        sample=sampler(standard),
        solve=partial(solve, order),
        variants={
            "standard": sampler(standard),
            "balanced": sampler(balanced),
            "balanced_nines": sampler(balanced_nines),
            "hard": sampler(hard),
            "easy": sampler(standard),
        },
        test_on="hard",
        longest=None if order == "plain" else hints - 1,
        words={
            "train": "standard carries",
            "balanced_nines": "carries balanced over nines too",
            **{name: f"{name} carries" for name in CARRIES},
        },
    )


def standard(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
    """Two numbers whose lengths are independent.

    The second lengths are the first ones shuffled among the examples: where training draws
    lengths uniformly they are uniform too, and in a test of one length both numbers have it.
    """
    return number(rng, lengths), number(rng, rng.permutation(lengths), int(lengths.max()))


def number(rng: np.random.Generator, lengths: Ints, width: int | None = None) -> Ints:
    """Random digits, zeros beyond the length; a number of several digits begins with no zero."""
    width = int(lengths.max()) if width is None else width
    place = np.arange(width)
    digits = rng.integers(10, size=(len(lengths), width))
    leading = (place == lengths[:, None] - 1) & (lengths[:, None] > 1)
    digits = np.where(leading, rng.integers(1, 10, size=digits.shape), digits)
    return np.where(place < lengths[:, None], digits, 0)


def balanced(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
    """The longest carry chain has a uniform length from 0 to the number's, at a random place."""
    chains = rng.integers(0, lengths + 1)
    return with_chain(rng, lengths, chains, rng.integers(0, lengths - chains + 1))


def balanced_nines(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
    """Balanced, but half of the runs of nines stand on a place that makes at most 8.

    In balanced data a place that makes exactly 9 nearly always carries if there are nines below it,
    so that a model need not look past them. Here it can't tell without looking.
    """
    chains = rng.integers(0, lengths + 1)
    starts = rng.integers(0, lengths - chains + 1)
    first, second = with_chain(rng, lengths, chains, starts)
    rows = np.arange(len(lengths))
    place = np.minimum(starts, lengths - 1)
    leads = (place == lengths - 1) & (lengths > 1)
    digit = np.where(first[rows, place] == 9, rng.integers(leads, 9), first[rows, place])
    calm = (chains > 0) & (rng.random(len(lengths)) < 0.5)
    first[rows, place] = np.where(calm, digit, first[rows, place])
    second[rows, place] = np.where(
        calm, rng.integers(0, 9 - np.minimum(digit, 8)), second[rows, place]
    )
    return first, second


def hard(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
    """The longest chain there is, as in 381 + 619: every place carries into the next."""
    return with_chain(rng, lengths, lengths, np.zeros_like(lengths))


def with_chain(
    rng: np.random.Generator, lengths: Ints, chains: Ints, starts: Ints
) -> tuple[Ints, Ints]:
    """Summands whose longest carry chain has the given length and starts at the given place.

    A chain starts where two digits make at least 10 and goes on while they make exactly 9, so
    that only the carry coming in makes them carry. Everything else in the second number is free,
    as long as no other chain grows longer.
    """
    first = number(rng, lengths)
    rows, width = first.shape
    column = np.arange(width)
    begins = (column == starts[:, None]) & (chains[:, None] > 0)
    first = np.where(begins & (first == 0), rng.integers(1, 10, size=first.shape), first)
    follows = (column > starts[:, None]) & (column < (starts + chains)[:, None])
    free = rng.integers(10, size=first.shape)
    generating = rng.integers(np.minimum(10 - first, 9), 10)
    calm = rng.integers(0, 10 - first)
    second = np.zeros_like(first)
    running = np.zeros(rows, dtype=np.int64)
    for place in range(width):
        digit, own = first[:, place], free[:, place]
        # A free 9 behind a chain that may not grow becomes a 10 or, next to a 9, an 8.
        grows = (running > 0) & (running >= chains) & (digit + own == 9)
        own = np.where(grows, np.where(own < 9, own + 1, own - 1), own)
        own = np.where(chains == 0, calm[:, place], own)
        own = np.where(begins[:, place], generating[:, place], own)
        own = np.where(follows[:, place], 9 - digit, own)
        own = np.where(place < lengths, own, 0)
        total = digit + own
        running = np.where(total >= 10, 1, np.where((total == 9) & (running > 0), running + 1, 0))
        second[:, place] = own
    return first, second


def written(
    order: Order, hints: int, rng: np.random.Generator, first: Ints, second: Ints
) -> tuple[Ints, Ints]:
    """Prompt and answer, most significant digit first; a row's own length plus the zero before."""
    rows = len(first)
    used = (first > 0) | (second > 0)
    lengths = np.maximum(first.shape[1] - used[:, ::-1].argmax(axis=1), 1)
    lengths = np.where(used.any(axis=1), lengths, 1)
    first, second = (np.pad(digits, ((0, 0), (0, 1))) for digits in (first, second))
    width = first.shape[1]
    answer = added(first, second)
    exists = np.arange(width) <= lengths[:, None]
    first, second, answer = (
        np.where(exists, digits, NOTHING)[:, ::-1] for digits in (first, second, answer)
    )
    plus = np.full((rows, 1), PLUS)
    if order == "plain":
        return np.concatenate((first, plus, second), axis=1), answer
    slice_start = rng.integers(0, hints - lengths)
    hint = FIRST_HINT + (slice_start + lengths)[:, None] - np.arange(width)[::-1]
    hint = np.where(exists[:, ::-1], hint, NOTHING)
    prompt = np.concatenate((interleave(hint, first), plus, interleave(hint, second)), axis=1)
    if order == "forward":
        return prompt, interleave(hint, answer)
    return prompt, interleave(hint[:, ::-1], answer[:, ::-1])


def added(first: Ints, second: Ints) -> Ints:
    """Digits of the sum, place by place."""
    answer = np.empty_like(first)
    carry = np.zeros(len(first), dtype=np.int64)
    for place in range(first.shape[1]):
        carry, answer[:, place] = np.divmod(first[:, place] + second[:, place] + carry, 10)
    return answer


def solve(order: Order, prompt: Sequence[str]) -> list[str]:
    middle = list(prompt).index("+")
    left, right = prompt[:middle], prompt[middle + 1 :]
    if order == "plain":
        return list(str(int("".join(left)) + int("".join(right))).zfill(len(left)))
    total = str(int("".join(left[1::2])) + int("".join(right[1::2]))).zfill(len(left) // 2)
    pairs = list(zip(left[::2], total, strict=True))
    return list(chain(*(pairs if order == "forward" else reversed(pairs))))


RECIPE = Preset(
    {
        **PAPER, "layers": 6, "heads": 8, "width": 512, "steps": 30_000, "context": 512,
        "batch": 64, "learning_rate": 1e-4, "final_learning_rate": 0.0, "grad_clip": 1.0,
    },
    trained=(20, 30, 35, 40, 45),
    tested=(50,),
    curves_at=45,
)  # fmt: skip
PAPER_ALPHABET = (*range(-200, -99), -5, -3, -2, -1, *range(10))
"""Hints for 100 digits and a leading zero, signs, digits."""


def hinted(steps: int, **changes: Any) -> Preset:
    return alone(
        train_on="balanced", max_length=6, test_lengths=(7, 8), context=72, learning_rate=1.5e-3,
        weight_decay=0.3, hints=10, steps=steps, **changes,
    )  # fmt: skip


HINTED_AT_A_DESK = {
    "train_on": "balanced", "learning_rate": 1.5e-3, "weight_decay": 0.3
}  # fmt: skip
REVERSE_AT_A_DESK = at_a_desk(
    (20, 30, 40), (50,), 40, context=445, hints=51, steps=12_000, **HINTED_AT_A_DESK
)
"""An example of 50 digits has 309 tokens."""


def at_twenty_digits(**changes: Any) -> Preset:
    """Half of the paper's lengths, as forward addition does not converge at all of them."""
    return at_a_desk(
        (10, 15, 20), (25,), 20, max_length=20, test_lengths=(25,), context=230,
        hints=26, steps=8000, **HINTED_AT_A_DESK, **changes,
    )  # fmt: skip


PLAIN_AT_A_DESK = at_a_desk(
    (6,), (11,), 6, test_on="easy", max_length=6, test_lengths=(11,), context=44,
    learning_rate=5e-4, steps=8000,
)  # fmt: skip
"""To 10 and to 20 digits it did not converge at any setting tried (docs/desk.md)."""


TASKS = (
    ShippedTask(
        "addition_reverse",
        addition,
        {"order": "reverse"},
        {"paper": RECIPE, "desk": REVERSE_AT_A_DESK, "laptop": hinted(2500)},
        paper_exact_match="100 %",
        paper_alphabet=PAPER_ALPHABET,
        place=4,
    ),
    ShippedTask(
        "addition_forward",
        addition,
        {"order": "forward"},
        {"paper": RECIPE, "desk": at_twenty_digits(), "laptop": hinted(4000)},
        # On standard carries two layers don't reliably fit their training data.
        other_presets={
            "addition_forward_standard": {
                "paper": RECIPE,
                "desk": at_twenty_digits(layers=3),
                "laptop": hinted(5000, layers=3),
            }
        },
        paper_alphabet=PAPER_ALPHABET,
        place=5,
    ),
    ShippedTask(
        "addition_plain",
        addition,
        {"order": "plain", "hints": 0},
        {
            "paper": RECIPE,
            "desk": PLAIN_AT_A_DESK,
            "laptop": alone(
                train_on="standard", test_on="easy", max_length=3, test_lengths=(4,), steps=5000
            ),
        },
        paper_exact_match="0 %",
        place=11,
    ),
)
