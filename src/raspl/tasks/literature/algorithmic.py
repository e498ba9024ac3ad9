"""The eight algorithmic tasks of Huang et al."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from string import ascii_lowercase
from types import MappingProxyType

import numpy as np

from raspl.tasks.literature.strings import bits, letters, with_ones
from raspl.tasks.task import Task

NUMBERS = [str(number) for number in range(150)]
"""As many as the longest test example has tokens."""
STRINGS = 3
"""That the interleaved majorities are of."""


def unequal_bits(rng: np.random.Generator, length: int) -> list[str]:
    """Their number of zeros uniform, ties drawn again."""
    while 2 * (zeros := int(rng.integers(length + 1))) == length:
        pass
    return with_ones(rng, length, length - zeros)


def commonest(symbols: Sequence[str]) -> list[str]:
    return [Counter(symbols).most_common(1)[0][0]]


def binary_majority(name: str) -> Task:
    """The commoner bit."""
    return Task.from_solver(name, "01", unequal_bits, commonest, about="the commoner bit")


def majority(name: str) -> Task:
    """The most frequent letter, if there is only one."""

    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        while True:
            drawn = letters(rng, ascii_lowercase, length)
            most = [times for _, times in Counter(drawn).most_common(2)]
            if len(most) == 1 or most[0] > most[1]:
                return drawn

    return Task.from_solver(
        name, ascii_lowercase, prompts, commonest, about="the most frequent letter"
    )


def binary_majority_interleave(name: str) -> Task:
    """The commoner bits of three strings that are woven into one."""

    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        size = max(round(length / STRINGS), 1)
        rows = [unequal_bits(rng, size) for _ in range(STRINGS)]
        return [bit for column in zip(*rows, strict=True) for bit in column]

    def solve(prompt: Sequence[str]) -> list[str]:
        return [commonest(prompt[start::STRINGS])[0] for start in range(STRINGS)]

    return Task.from_solver(
        name, "01", prompts, solve, about="the commoner bit of each of three woven strings"
    )


def different(rng: np.random.Generator, length: int) -> list[str]:
    return [NUMBERS[one] for one in rng.permutation(len(NUMBERS))[:length]]


def sort(name: str) -> Task:
    """Different numbers in ascending order."""
    return Task.from_solver(
        name,
        NUMBERS,
        different,
        lambda prompt: sorted(prompt, key=int),
        about="different numbers in ascending order",
        longest=len(NUMBERS),
    )


def copy_unique(name: str) -> Task:
    """A string of different tokens again."""
    return Task.from_solver(
        name, NUMBERS, different, list, about="different tokens again", longest=len(NUMBERS)
    )


def copy_repeat(name: str) -> Task:
    """A string over two letters again."""
    return Task.from_solver(
        name, "ab", lambda rng, length: letters(rng, "ab", length), list, about="the string again"
    )


def parity(name: str) -> Task:
    """Whether the number of ones is even (e) or odd (o)."""
    return Task.from_solver(
        name,
        "01eo",
        lambda rng, length: with_ones(rng, length, int(rng.integers(length + 1))),
        lambda prompt: "eo"[prompt.count("1") % 2],
        about="whether the number of ones is even or odd",
    )


def addition(name: str) -> Task:
    """The sum of two binary numbers, most significant bit first."""

    def number(rng: np.random.Generator, size: int) -> list[str]:
        return bits(rng, 1) if size == 1 else ["1", *bits(rng, size - 1)]

    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        first = int(rng.integers(1, length - 2))
        return [*number(rng, first), "+", *number(rng, length - 2 - first), "="]

    def solve(prompt: Sequence[str]) -> list[str]:
        a, b = "".join(prompt[:-1]).split("+")
        return list(f"{int(a, 2) + int(b, 2):b}")

    return Task.from_solver(name, "01+=", prompts, solve, about="the sum, in binary", shortest=4)


ALGORITHMIC: Mapping[str, Callable[[str], Task]] = MappingProxyType(
    {
        make.__name__: make
        for make in (
            binary_majority,
            majority,
            binary_majority_interleave,
            sort,
            copy_unique,
            copy_repeat,
            parity,
            addition,
        )
    }
)
