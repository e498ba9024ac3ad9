"""What a user gives to the compiler and to networks: whole numbers, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from raspl import RasplError, programs
from raspl.compiler import compile


@pytest.mark.parametrize(
    "alphabet",
    [
        5,
        [],
        ["a"],
        [1.5],
        [None],
        {"x": []},
        "ab",
        [2**70],
        {"x": 5},
        {"x": [1.5]},
        [[1]],
        np.array([0.5]),
    ],
)
def test_an_alphabet_that_is_none_is_refused(alphabet: Any) -> None:
    with pytest.raises(RasplError, match="alphabet is a list of tokens"):
        compile(programs.load("sort_paper"), alphabet)


@pytest.mark.parametrize("alphabet", [range(4), [0, 1, 2, 3], np.arange(4), {3, 1, 2, 0}])
def test_an_alphabet_may_be_any_collection_of_integers(alphabet: Any) -> None:
    assert compile(programs.load("sort_paper"), alphabet).description.inputs[0].tokens


@pytest.mark.parametrize("tokens", [[None], [1.7], ["a"], [float("nan")], 5, "12", [1, None]])
def test_tokens_that_are_no_whole_numbers_are_refused(tokens: Any) -> None:
    network = compile(programs.load("sort_paper"), range(4))
    with pytest.raises(RasplError, match="is not one"):
        network.predict(tokens)
    with pytest.raises(RasplError, match="is not one"):
        network.generate(tokens)


def test_integers_of_numpy_and_torch_are_tokens() -> None:
    network = compile(programs.load("sort_paper"), range(4))
    expected = network.predict([1, 2]).tolist()
    assert network.predict(np.array([1, 2])).tolist() == expected
    assert network.predict(torch.tensor([1, 2])).tolist() == expected


def test_an_empty_prompt_is_refused() -> None:
    with pytest.raises(RasplError, match="the prompt is empty"):
        compile(programs.load("sort_paper"), range(4)).generate([])
