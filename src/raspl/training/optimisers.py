"""The two optimisers: AdamW as in the paper, and Muon for a laptop.

Muon steps along the orthogonal part of a matrix's momentum, so that every direction moves alike;
on our small models that takes a third of AdamW's steps or less (docs/training.md). It is meant for
the matrices inside the blocks; embeddings, biases and norms stay with AdamW.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from raspl.training.configuration import Configuration
from raspl.training.model import Transformer

BETA1 = 0.9
MOMENTUM = 0.95
ITERATIONS = 5
QUINTIC = (3.4445, -4.7750, 2.0315)
"""Coefficients of the odd polynomial that, iterated, takes all singular values to around 1."""


def orthogonal(matrices: Tensor) -> Tensor:
    """The nearest matrices with singular values around 1, by Newton and Schulz's iteration.

    `matrices` is a stack of them, none with more rows than columns. PyTorch's own Muon does one
    matrix after the other in bfloat16, which a CPU without that type computes many times slower.
    """
    first, third, fifth = QUINTIC
    x: Tensor = matrices / (matrices.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(ITERATIONS):
        square = x @ x.mT
        x = torch.baddbmm(x, third * square + fifth * square @ square, x, beta=first)
    return x


@dataclass(frozen=True)
class Stack:
    """Matrices of one shape, updated together."""

    matrices: list[torch.nn.Parameter]
    parts: int
    """Each parameter is so many matrices on top of one another: query, key and value are three."""
    momentum: Tensor

    @classmethod
    def of(cls, matrices: list[torch.nn.Parameter], parts: int) -> "Stack":
        rows, columns = matrices[0].shape
        shape = (len(matrices) * parts, rows // parts, columns)
        return cls(matrices, parts, matrices[0].new_zeros(shape))

    @torch.no_grad()
    def step(self, rate: float, decay: float) -> None:
        gradients = [one.grad for one in self.matrices if one.grad is not None]
        gradient = torch.stack(gradients).view_as(self.momentum)
        self.momentum.mul_(MOMENTUM).add_(gradient)
        ahead = gradient.add_(self.momentum, alpha=MOMENTUM)
        tall = ahead.shape[1] > ahead.shape[2]
        update = orthogonal(ahead.mT).mT if tall else orthogonal(ahead)
        size = math.sqrt(max(1.0, ahead.shape[1] / ahead.shape[2]))
        weights: list[Tensor] = list(self.matrices)
        torch._foreach_mul_(weights, 1 - rate * decay)
        updates = update.reshape(len(weights), *weights[0].shape).unbind(0)
        torch._foreach_add_(weights, updates, alpha=-rate * size)


class Optimiser:
    """What updates a model's weights, and the state that a checkpoint keeps of it."""

    def __init__(self, model: Transformer, config: Configuration) -> None:
        self.config = config
        by_muon = {}
        if config.optimiser == "muon":
            by_muon = {
                name: weight
                for name, weight in model.named_parameters()
                if name.startswith("blocks.") and weight.dim() == 2
            }
        kinds: dict[str, list[torch.nn.Parameter]] = {}
        for name, weight in by_muon.items():
            kinds.setdefault(name.split(".", 2)[2], []).append(weight)
        self.stacks = {
            kind: Stack.of(weights, 3 if kind == "attention.qkv.weight" else 1)
            for kind, weights in kinds.items()
        }
        self.by_adam = {
            name: weight for name, weight in model.named_parameters() if name not in by_muon
        }
        rest = list(self.by_adam.values())
        groups = [
            {
                "params": [one for one in rest if one.dim() >= 2],
                "weight_decay": config.weight_decay,
            },
            {"params": [one for one in rest if one.dim() < 2], "weight_decay": 0.0},
        ]
        # Fused: on a CPU too, that saves a pass per operation.
        betas = (BETA1, config.beta2)
        self.adam = torch.optim.AdamW(groups, lr=config.learning_rate, betas=betas, fused=True)

    def step(self, rate: float) -> None:
        """Update all weights and forget their gradients."""
        for group in self.adam.param_groups:
            group["lr"] = rate
        self.adam.step()
        share = rate / self.config.learning_rate
        for stack in self.stacks.values():
            stack.step(share * self.config.matrix_learning_rate, self.config.weight_decay)
            for matrix in stack.matrices:
                matrix.grad = None
        self.adam.zero_grad(set_to_none=True)

    def state(self) -> dict[str, Tensor]:
        """After at least one step."""
        kept = {f"momentum.{kind}": stack.momentum for kind, stack in self.stacks.items()}
        for name, weight in self.by_adam.items():
            moments = self.adam.state[weight]
            kept[f"mean.{name}"], kept[f"square.{name}"] = moments["exp_avg"], moments["exp_avg_sq"]
        return kept

    def load(self, state: Mapping[str, Tensor], step: int) -> None:
        for kind, stack in self.stacks.items():
            stack.momentum.copy_(state[f"momentum.{kind}"])
        for name, weight in self.by_adam.items():
            self.adam.state[weight] = {
                "step": weight.new_tensor(float(step)),
                "exp_avg": state[f"mean.{name}"].to(weight.device),
                "exp_avg_sq": state[f"square.{name}"].to(weight.device),
            }
