"""An MLP that predicts the next token: what a Transformer is compared with.

At each position it reads the whole prefix at once. Every position has a matrix of its own for the
token that stands there, and the first layer is their sum; the other layers are those of any MLP. So
it treats no two positions alike, and has nothing that attends.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from raspl.training.configuration import Configuration
from raspl.training.model import Cache, Transformer


class Perceptron(Transformer):
    """Stands in a Transformer's place: the same methods, without blocks."""

    def __init__(self, tokens: int, config: Configuration) -> None:
        nn.Module.__init__(self)
        width = config.width
        self.context, self.heads = config.context, config.heads
        self.embed = nn.Embedding(tokens, width)
        self.first = nn.Parameter(torch.empty(config.context, width, width))
        self.bias = nn.Parameter(torch.empty(width))
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(config.layers - 1))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, tokens)
        self.initialise(config)

    def initialise(self, config: Configuration) -> None:
        """From the seed alone, in He's way: each layer keeps the size of its inputs."""
        generator = torch.Generator().manual_seed(config.seed)
        for name, weight in self.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(weight)
            elif name == "embed.weight":
                nn.init.normal_(weight, generator=generator)
            elif weight.dim() > 1:
                inputs = weight.shape[-1] * (self.context if weight.dim() == 3 else 1)
                nn.init.normal_(weight, std=math.sqrt(2 / inputs), generator=generator)

    def hidden(
        self,
        tokens: Tensor,
        offset: Tensor | None = None,
        cache: Cache | None = None,
        only: Tensor | None = None,
    ) -> Tensor:
        """The last layer's output at every position, or at those asked for."""
        if offset is not None:
            raise ValueError("An MLP can't be shifted along its context.")
        past = 0 if cache is None else cache.size
        matrices = self.first[past : past + tokens.shape[1]]
        x = torch.einsum("bpi,poi->bpo", self.embed(tokens), matrices).cumsum(dim=1)
        if cache is not None:
            x = x + cache.keys[0][:, 0] if past else x
            cache.keys[0][:, 0] = x[:, -1:]
            cache.size += tokens.shape[1]
        if only is not None:
            x = x.flatten(0, 1).index_select(0, only)
        x = functional.gelu(x + self.bias)
        for layer in self.layers:
            x = functional.gelu(layer(x))
        normed: Tensor = self.norm(x)
        return normed

    def logits(self, hidden: Tensor) -> Tensor:
        found: Tensor = self.head(hidden)
        return found

    def cache(self, batch: int, size: int) -> Cache:
        """For decoding it needs the first layer's sum so far, and nothing of single positions."""
        weight = self.embed.weight
        return Cache([weight.new_zeros(batch, 1, 1, weight.shape[1])], [])


def build_model(tokens: int, config: Configuration) -> Transformer:
    """The model of a configuration, with the weights that its seed begins with."""
    return (Perceptron if config.architecture == "mlp" else Transformer)(tokens, config)
