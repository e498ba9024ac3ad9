"""Random strings that several tasks draw."""

from collections.abc import Sequence

import numpy as np


def bits(rng: np.random.Generator, length: int) -> list[str]:
    return letters(rng, "01", length)


def letters(rng: np.random.Generator, alphabet: Sequence[str], length: int) -> list[str]:
    """Independent and uniform."""
    return [alphabet[one] for one in rng.integers(len(alphabet), size=length)]


def with_ones(rng: np.random.Generator, length: int, ones: int) -> list[str]:
    """Bits in random order, so many of them ones."""
    return [str(bit) for bit in rng.permutation(["1"] * ones + ["0"] * (length - ones))]


def parts(rng: np.random.Generator, length: int, number: int) -> list[int]:
    """Sizes, possibly 0, that add up to a length: every way to cut it is as likely."""
    cuts = np.sort(rng.integers(length + 1, size=number - 1))
    return [int(size) for size in np.diff([0, *cuts, length])]
