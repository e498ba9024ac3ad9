"""A decoder-only Transformer on one page: pre-norm, GPT-2's layout, so its weights load there.

The input embedding is also the output's. Positions are learned (the paper's choice), rotary or
absent. A cache of keys and values serves decoding one token at a time.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from raspl.training.configuration import Configuration, Positions


@dataclass
class Cache:
    """Keys and values of the positions so far, for every layer; grows in place."""

    keys: list[Tensor]
    values: list[Tensor]
    size: int = 0


class Attention(nn.Module):
    """Heads that mix positions (`mixed`), then a matrix at each position (`out`)."""

    def __init__(self, width: int, heads: int, positions: Positions) -> None:
        super().__init__()
        self.heads = heads
        self.rotary = positions == "rotary"
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def mixed(self, x: Tensor, place: Tensor, cache: Cache | None, layer: int) -> Tensor:
        batch, size, width = x.shape
        split = self.qkv(x).view(batch, size, 3, self.heads, width // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        if self.rotary:
            query, key = rotated(query, place), rotated(key, place)
        causal = True
        if cache is not None:
            past, now = cache.size, cache.size + size
            cache.keys[layer][:, :, past:now], cache.values[layer][:, :, past:now] = key, value
            key, value = cache.keys[layer][:, :, :now], cache.values[layer][:, :, :now]
            causal = past == 0  # afterwards tokens come one at a time and may see all before
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=causal)
        return mixed.transpose(1, 2).flatten(2)


class Block(nn.Module):
    def __init__(self, width: int, heads: int, positions: Positions) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(width)
        self.attention = Attention(width, heads, positions)
        self.norm_2 = nn.LayerNorm(width)
        self.expand = nn.Linear(width, 4 * width)
        self.shrink = nn.Linear(4 * width, width)

    def forward(
        self,
        x: Tensor,
        place: Tensor,
        cache: Cache | None,
        layer: int,
        only: Tensor | None,
    ) -> Tensor:
        return self.think(self.attend(x, place, cache, layer, only))

    def attend(
        self,
        x: Tensor,
        place: Tensor,
        cache: Cache | None = None,
        layer: int = 0,
        only: Tensor | None = None,
    ) -> Tensor:
        """The stream behind the heads."""
        mixed = self.attention.mixed(self.norm_1(x), place, cache, layer)
        if only is not None:
            mixed, x = (one.flatten(0, 1).index_select(0, only) for one in (mixed, x))
        attended: Tensor = x + self.attention.out(mixed)
        return attended

    def think(self, x: Tensor) -> Tensor:
        """The stream behind the MLP."""
        shrunk: Tensor = self.shrink(functional.gelu(self.expand(self.norm_2(x))))
        return x + shrunk


class Transformer(nn.Module):
    def __init__(self, tokens: int, config: Configuration) -> None:
        super().__init__()
        width = config.width
        self.context, self.heads = config.context, config.heads
        self.embed = nn.Embedding(tokens, width)
        learned = config.positions == "learned"
        self.place = nn.Embedding(config.context, width) if learned else None
        self.blocks = nn.ModuleList(
            Block(width, config.heads, config.positions) for _ in range(config.layers)
        )
        self.norm = nn.LayerNorm(width)
        self.initialise(config)

    def initialise(self, config: Configuration) -> None:
        """From the seed alone. What adds to the residual stream starts smaller, as in GPT-2."""
        generator = torch.Generator().manual_seed(config.seed)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                adds = name.endswith(("out.weight", "shrink.weight"))
                smaller = math.sqrt(2 * config.layers) if adds else 1.0
                nn.init.normal_(weight, std=config.init_std / smaller, generator=generator)
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def embedded(self, tokens: Tensor, place: Tensor) -> Tensor:
        """The stream in front of the first layer."""
        x: Tensor = self.embed(tokens)
        return x if self.place is None else x + self.place(place)

    def hidden(
        self,
        tokens: Tensor,
        offset: Tensor | None = None,
        cache: Cache | None = None,
        only: Tensor | None = None,
    ) -> Tensor:
        """The last layer's output at every position; `offset` places each row in the context.

        `only` names the positions that are asked for, counted through all rows: after its heads
        have mixed them, the last layer need not work on the others.
        """
        past = 0 if cache is None else cache.size
        place = torch.arange(past, past + tokens.shape[1], device=tokens.device)
        if offset is not None:
            place = place + offset[:, None]
        x = self.embedded(tokens, place)
        for layer, block in enumerate(self.blocks):
            last = layer == len(self.blocks) - 1
            x = block(x, place, cache, layer, only if last else None)
        if cache is not None:
            cache.size += tokens.shape[1]
        normed: Tensor = self.norm(x)
        return normed

    def logits(self, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self.embed.weight)

    def forward(self, tokens: Tensor) -> Tensor:
        return self.logits(self.hidden(tokens))

    def cache(self, batch: int, size: int) -> Cache:
        """Empty memory for decoding `batch` sequences of up to `size` tokens side by side."""
        weight = self.embed.weight
        shape = (batch, self.heads, size, weight.shape[1] // self.heads)
        keys, values = ([weight.new_empty(shape) for _ in self.blocks] for _ in range(2))
        return Cache(keys, values)


def rotated(x: Tensor, place: Tensor) -> Tensor:
    """Each pair of features turned by an angle that grows with the position (RoPE)."""
    half = x.shape[-1] // 2
    speed = 10_000.0 ** (-torch.arange(half, device=x.device) / half)
    angle = place[..., None] * speed
    if angle.dim() == 3:  # positions of each row: leave room for the heads
        angle = angle[:, None]
    cos, sin = angle.cos(), angle.sin()
    left, right = x[..., :half], x[..., half:]
    return torch.cat((left * cos - right * sin, left * sin + right * cos), dim=-1)
