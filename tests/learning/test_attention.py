"""Attention that keeps its matrix is attention."""

import pytest
import torch
from torch.nn import functional

from raspl.learning.attention import LONGEST, KeptAttention, keeps_matrix


@pytest.mark.parametrize("size", [1, 2, 7, 64])
def test_it_equals_the_fused_one_forward_and_backward(size: int) -> None:
    generator = torch.Generator().manual_seed(size)
    qkv = torch.randn(3, size, 3, 2, 8, generator=generator, requires_grad=True)
    weight = torch.randn(3, size, 2, 8, generator=generator)
    query, key, value = qkv.permute(2, 0, 3, 1, 4).unbind(0)
    fused = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
    fused = fused.transpose(1, 2)
    (expected,) = torch.autograd.grad((fused * weight).sum(), qkv)
    kept = KeptAttention.apply(qkv)
    (gradient,) = torch.autograd.grad((kept * weight).sum(), qkv)
    torch.testing.assert_close(kept, fused)
    torch.testing.assert_close(gradient, expected)


def test_it_serves_training_short_contexts_only() -> None:
    short = torch.zeros(1, LONGEST, 3, 1, 2, requires_grad=True)
    assert keeps_matrix(short)
    assert not keeps_matrix(short.detach())
    assert not keeps_matrix(torch.zeros(1, LONGEST + 1, 3, 1, 2, requires_grad=True))
