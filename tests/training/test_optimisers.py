"""Muon against its definition and PyTorch's; a resumed optimiser goes on as if never stopped."""

import pytest
import torch

from raspl.training.configuration import Configuration
from raspl.training.loop import train_step
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser, Stack, orthogonal

CPU = torch.device("cpu")


@pytest.mark.parametrize("shape", [(3, 8, 8), (2, 16, 64), (1, 5, 7)])
def test_orthogonal_keeps_directions_and_evens_sizes(shape: tuple[int, int, int]) -> None:
    matrices = torch.randn(shape, generator=torch.Generator().manual_seed(1)) * 100
    left, _, right = torch.linalg.svd(matrices, full_matrices=False)
    result = orthogonal(matrices)
    singular = left.mT @ result @ right.mT
    sizes = torch.diagonal(singular, dim1=1, dim2=2)
    assert sizes.min() > 0.4
    assert sizes.max() < 1.4
    torch.testing.assert_close(singular, torch.diag_embed(sizes), atol=1e-4, rtol=0)


@pytest.mark.parametrize("shape", [(16, 16), (64, 16), (16, 64)])
def test_muon_is_pytorchs_but_for_its_precision(shape: tuple[int, int]) -> None:
    generator = torch.Generator().manual_seed(2)
    start = torch.randn(shape, generator=generator)
    mine, theirs = (torch.nn.Parameter(start.clone()) for _ in range(2))
    reference = torch.optim.Muon([theirs], lr=0.02, weight_decay=0.1, momentum=0.95)
    stack = Stack.of([mine], 1)
    for _ in range(5):
        gradient = torch.randn(shape, generator=generator)
        mine.grad, theirs.grad = gradient.clone(), gradient.clone()
        stack.step(0.02, 0.1)
        reference.step()  # type: ignore[no-untyped-call]
    moved = (theirs - start).norm()
    assert (mine - theirs).norm() < 0.05 * moved


def test_query_key_and_value_are_three_matrices(small: Configuration) -> None:
    config = small.replace(optimiser="muon")
    optimiser = Optimiser(Transformer(15, config), config)
    stack = optimiser.stacks["attention.qkv.weight"]
    assert stack.momentum.shape == (3 * config.layers, config.width, config.width)
    matrices = {id(one) for stack in optimiser.stacks.values() for one in stack.matrices}
    assert len(matrices) == 4 * config.layers
    assert not matrices & {id(one) for one in optimiser.by_adam.values()}


@pytest.mark.parametrize("name", ["adamw", "muon"])
def test_state_brings_an_optimiser_back(small: Configuration, name: str) -> None:
    config = small.replace(optimiser=name)
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    optimiser = Optimiser(model, config)
    for step in range(3):
        train_step(model, optimiser, task, config, step, CPU)
    twin = Transformer(len(task.alphabet), config)
    twin.load_state_dict(model.state_dict())
    resumed = Optimiser(twin, config)
    resumed.load({key: one.clone() for key, one in optimiser.state().items()}, 3)
    for step in range(3, 6):
        train_step(model, optimiser, task, config, step, CPU)
        train_step(twin, resumed, task, config, step, CPU)
    for one, other in zip(model.parameters(), twin.parameters(), strict=True):
        assert torch.equal(one, other)
