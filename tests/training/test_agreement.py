"""On sequences that no example looks like an ideal model gets full marks, a broken one does not."""

from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import Tensor

from raspl import Program
from raspl.programs import load_single
from raspl.tasks import END, SHIPPED, Ints, find
from raspl.training import agreement as comparing
from raspl.training.agreement import agreement
from raspl.training.configuration import Configuration
from raspl.training.model import Transformer
from raspl.training.presets import configure
from raspl.training.result import Counterfactuals
from raspl.training.summary import counterfactuals

Fault = Callable[[Ints, Ints], Ints]
"""From the program's rows and the tokens to what the model says instead."""


class Played(Transformer):
    """A model whose predictions are a task's program's, with one answer replaced."""

    program: Program
    fault: Fault
    size: int

    def forward(self, tokens: Tensor) -> Tensor:
        rows = np.stack([self.program(row.tolist()) for row in tokens.numpy()])
        best = torch.from_numpy(self.fault(rows, tokens.numpy())).clamp(0, self.size - 1)
        return torch.nn.functional.one_hot(best.long(), self.size).float()


def played(config: Configuration, fault: Fault = lambda rows, tokens: rows) -> Played:
    task = config.build_task()
    assert task.program is not None
    model = Played(len(task.alphabet), config)
    model.program, model.fault = load_single(task.program), fault
    model.size = len(task.alphabet)
    return model


def test_the_ideal_counter_passes_all_four(small: Configuration) -> None:
    task = small.build_task()
    assert task.counterfactual is not None
    everything = dict.fromkeys(task.counterfactual.words, 1.0)
    assert counterfactuals(played(small), task, 0, [6]) == (
        Counterfactuals(length=6, shares=everything),
    )


def test_a_counter_that_ends_early_is_found(small: Configuration) -> None:
    early = played(small, lambda rows, tokens: np.where(tokens == 7, END, rows))
    (found,) = counterfactuals(early, small.build_task(), 0, [6])
    assert (found.shares["starts_with_first"], found.shares["ends_after_last"]) == (1.0, 1.0)
    assert found.shares["adds_one"] < 1
    assert found.shares["ends_rightly"] < 1


def test_a_task_without_such_tests_has_none() -> None:
    config = configure("sort", "smoke")
    assert counterfactuals(played(config), config.build_task(), 0, [4]) == ()


@pytest.mark.parametrize("name", [name for name in SHIPPED if find(name).program is not None])
def test_a_program_agrees_with_itself(name: str) -> None:
    config = configure(name, "smoke")
    length = config.max_length
    found = agreement(played(config), config.build_task(), 0, length, "train")
    assert found.share == 1.0
    assert set(found.by_position) == {1.0}


def test_only_what_the_model_has_to_write_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers of different sizes leave holes on the right, of which the program says something."""
    config = configure("parity_scratchpad", "smoke")
    task = config.build_task()
    right = comparing.predictions

    def wrong_in_the_holes(model: Transformer, tokens: Ints) -> Ints:
        guesses = right(model, tokens)
        holes = np.maximum.accumulate(tokens[:, ::-1] != 0, axis=1)[:, ::-1] == 0
        return np.where(holes, -1, guesses)

    monkeypatch.setattr(comparing, "predictions", wrong_in_the_holes)
    assert agreement(played(config), task, 0, config.max_length, "train").share == 1.0


def test_an_untrained_model_does_not_agree(small: Configuration) -> None:
    task = small.build_task()
    model = Transformer(len(task.alphabet), small)
    share = agreement(model, task, 0, 6, "train").share
    assert share is not None
    assert share < 0.5


def test_a_task_without_a_program_has_no_such_probe() -> None:
    config = configure("parity_plain", "smoke")
    task = config.build_task()
    with pytest.raises(ValueError, match="has no RASP-L program"):
        agreement(Transformer(5, config), task, 0, 3, "train")
