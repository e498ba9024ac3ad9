"""Mistakes in a user's own task: each gets a sentence, none becomes a hole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from raspl.tasks.task import Ints, Task, TaskError


def task(symbols: Any = "ab", symbol: int = 0) -> Task:
    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = np.zeros((len(lengths), int(lengths.max())), dtype=np.int64)
        return prompt, np.full((len(lengths), 1), symbol)

    return Task("mine", "a test", symbols, sample, lambda prompt: ["a"])


@pytest.mark.parametrize("symbols", [[0, 1], range(3), ["a", 1], [None], [b"a"]])
def test_symbols_are_names(symbols: Any) -> None:
    with pytest.raises(TaskError, match="symbols are names"):
        task(symbols)


@pytest.mark.parametrize("symbol", [-2, -7, -(2**40), 2])
def test_symbols_outside_of_the_alphabet_are_refused(symbol: int) -> None:
    with pytest.raises(TaskError, match=f"returned symbol {symbol};"):
        task(symbol=symbol).examples(np.random.default_rng(0), np.array([3]))


@pytest.mark.parametrize("symbol", [-1, 0, 1])
def test_holes_and_symbols_are_fine(symbol: int) -> None:
    examples = task(symbol=symbol).examples(np.random.default_rng(0), np.array([3]))
    assert examples.sizes.tolist() == [6 + (symbol >= 0)]
