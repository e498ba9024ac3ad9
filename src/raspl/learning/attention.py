"""Causal attention for training short contexts on a CPU.

PyTorch's fused attention never stores the attention matrix and computes it again in the backward
pass. For contexts as short as a laptop's the matrix is small: keeping it makes a layer's
attention a sixth faster at width 64, and as fast at 256. Elsewhere the fused one is used.
"""

from functools import cache
from typing import Any

import torch
from torch import Tensor

LONGEST = 128
"""Positions up to which keeping the matrix is faster and cheap in memory."""


def keeps_matrix(x: Tensor) -> bool:
    return x.is_cpu and x.requires_grad and x.shape[1] <= LONGEST


@cache
def causal_mask(size: int) -> Tensor:
    return torch.full((size, size), float("-inf")).triu(1)


class KeptAttention(torch.autograd.Function):
    """From (batch, size, query-key-value, head, feature) to (batch, size, head, feature)."""

    @staticmethod
    def forward(ctx: Any, qkv: Tensor) -> Tensor:
        batch, size, _, heads, features = qkv.shape
        parts = qkv.permute(2, 0, 3, 1, 4).reshape(3, batch * heads, size, features)
        query, key, value = parts.unbind(0)
        scores = torch.baddbmm(causal_mask(size), query, key.transpose(1, 2), alpha=features**-0.5)
        weights = scores.softmax(-1)
        ctx.save_for_backward(parts, weights)
        mixed = torch.bmm(weights, value)
        return mixed.view(batch, heads, size, features).transpose(1, 2)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        parts, weights = ctx.saved_tensors
        query, key, value = parts.unbind(0)
        batch, size, heads, features = gradients[0].shape
        mixed = gradients[0].transpose(1, 2).reshape(batch * heads, size, features)
        of_weights = torch.bmm(mixed, value.transpose(1, 2))
        # Backward of softmax, with the scores' scale: w ⊙ (g − Σ w ⊙ g).
        of_scores = torch._softmax_backward_data(of_weights, weights, -1, weights.dtype)
        of_scores.mul_(features**-0.5)
        result = torch.empty_like(parts)
        torch.bmm(of_scores, key, out=result[0])
        torch.bmm(of_scores.transpose(1, 2), query, out=result[1])
        torch.bmm(weights.transpose(1, 2), mixed, out=result[2])
        return result.view(3, batch, heads, size, features).permute(1, 3, 0, 2, 4)
