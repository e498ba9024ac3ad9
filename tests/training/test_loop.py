"""Schedule, optimiser and loss."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from torch.nn import functional

from raspl.training.batches import batch
from raspl.training.configuration import Configuration
from raspl.training.loop import backward, learning_rate, loss_of, train_step
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser

CPU = torch.device("cpu")


def test_the_rate_rises_falls_and_ends_where_it_should(small: Configuration) -> None:
    config = small.replace(steps=100, warmup=10, learning_rate=1.0, final_learning_rate=0.1)
    rates = [learning_rate(config, step) for step in range(101)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[10] == max(rates) == 1.0
    assert rates[55] == pytest.approx(0.55)
    assert rates[100] == pytest.approx(0.1)
    assert all(a >= b for a, b in pairwise(rates[10:]))


def test_only_matrices_decay(small: Configuration) -> None:
    config = small.replace(weight_decay=0.1)
    groups = Optimiser(Transformer(15, config), config).adam.param_groups
    assert [group["weight_decay"] for group in groups] == [0.1, 0.0]
    assert all(weight.dim() == 2 for weight in groups[0]["params"])
    assert all(weight.dim() == 1 for weight in groups[1]["params"])


@pytest.mark.parametrize("layout", ["packed", "single"])
@pytest.mark.parametrize("loss", ["all", "answer"])
def test_the_loss_is_the_mean_over_what_is_learned(
    small: Configuration, layout: str, loss: str
) -> None:
    config = small.replace(layout=layout, loss=loss)
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    data = batch(task, config, 0)
    offset = None if data.offset is None else torch.from_numpy(data.offset)
    logits = model.logits(model.hidden(torch.from_numpy(data.tokens[:, :-1]), offset))
    targets = np.where(data.learned, data.tokens[:, 1:], -100)
    expected = functional.cross_entropy(
        logits.flatten(0, 1), torch.from_numpy(targets).flatten(), ignore_index=-100
    )
    torch.testing.assert_close(loss_of(model, data, CPU), expected)


def test_training_lowers_the_loss(small: Configuration) -> None:
    task = small.build_task()
    model = Transformer(len(task.alphabet), small)
    optimiser = Optimiser(model, small)
    losses = [train_step(model, optimiser, task, small, step, CPU) for step in range(20)]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize("layout", ["packed", "single"])
@pytest.mark.parametrize("tokens", [1, 70, 10_000])
def test_a_batch_in_pieces_has_the_same_gradients(
    small: Configuration, layout: str, tokens: int
) -> None:
    config = small.replace(layout=layout, loss="answer")
    task = config.build_task()
    whole, parts = (Transformer(len(task.alphabet), config) for _ in range(2))
    data = batch(task, config, 0)
    loss = loss_of(whole, data, CPU)
    loss.backward()  # type: ignore[no-untyped-call]
    torch.testing.assert_close(backward(parts, data.pieces(tokens), CPU), loss.detach())
    for one, other in zip(whole.parameters(), parts.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad)
