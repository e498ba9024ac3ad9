"""The network: embedding, positions by formula, attention, gated MLPs, unembedding.

No normalisation and no biases. What stands at a position is a sum of named dimensions; the
description says which. A key in front of the first token, the sink, is what heads attend to where
nothing is selected.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from raspl.compiler.alphabets import NetworkError as NetworkError
from raspl.compiler.alphabets import whole_numbers
from raspl.compiler.description import Description, FiniteOutput, HeadShape
from raspl.compiler.positions import positions

if TYPE_CHECKING:
    from raspl.compiler.stream import Stream

CHUNK = 1024
"""Queries that are scored at a time, which bounds the memory of a long input."""
NONE_LOGIT = 2.0**80
NO_INDEX = -1


def weight(*shape: int) -> nn.Parameter:
    """A matrix that the compiler fills."""
    return nn.Parameter(torch.zeros(*shape, dtype=torch.float64), requires_grad=False)


class Cache:
    """The keys and values of what was read so far, one pair a head."""

    def __init__(self) -> None:
        self.length = 0
        """Rows so far, the sink's among them."""
        self.keys: dict[Head, tuple[Tensor, Tensor]] = {}

    def extend(self, head: Head, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """All the keys and values of a head, with these new ones at the end."""
        if head in self.keys:
            before = self.keys[head]
            keys, values = (torch.cat(p, dim=1) for p in zip(before, (keys, values), strict=True))
        self.keys[head] = keys, values
        return keys, values


class Head(nn.Module):
    """Causal softmax attention."""

    def __init__(self, width: int, shape: HeadShape) -> None:
        super().__init__()
        self.query, self.key = weight(width, shape.channels), weight(width, shape.channels)
        self.value, self.out = weight(width, len(shape.moves)), weight(len(shape.moves), width)

    def attention(self, queries: Tensor, keys: Tensor, first: int) -> Tensor:
        """Weights of each key for each query; the first query stands at row `first`."""
        scores = queries @ keys.transpose(-1, -2)
        device = queries.device
        rows = torch.arange(first, first + queries.shape[1], device=device).unsqueeze(1)
        later = torch.arange(keys.shape[1], device=device) > rows
        return torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1)

    def forward(self, x: Tensor, cache: Cache) -> Tensor:
        queries = x @ self.query
        keys, values = cache.extend(self, x @ self.key, x @ self.value)
        moved = []
        for start in range(0, x.shape[1], CHUNK):
            part = queries[:, start : start + CHUNK]
            first = cache.length + start
            seen = first + part.shape[1]
            moved.append(self.attention(part, keys[:, :seen], first) @ values[:, :seen])
        return torch.cat(moved, dim=1) @ self.out


class MLP(nn.Module):
    """Gated: ReLU(x·gate) × (x·up), so that a unit with up = one is a plain ReLU unit."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.gate, self.up = weight(width, hidden), weight(width, hidden)
        self.out = weight(hidden, width)

    def forward(self, x: Tensor) -> Tensor:
        return (torch.relu(x @ self.gate) * (x @ self.up)) @ self.out


class Block(nn.Module):
    """Heads side by side, then an MLP; either may be missing."""

    def __init__(self, width: int, heads: Sequence[HeadShape], hidden: int) -> None:
        super().__init__()
        self.heads = nn.ModuleList([Head(width, shape) for shape in heads])
        self.mlp = MLP(width, hidden) if hidden else None

    def forward(self, x: Tensor, cache: Cache) -> Tensor:
        return self.think(self.attend(x, cache))

    def attend(self, x: Tensor, cache: Cache) -> Tensor:
        """The stream behind the heads."""
        if not self.heads:
            return x
        return x + torch.stack([head(x, cache) for head in self.heads]).sum(0)

    def think(self, x: Tensor) -> Tensor:
        """The stream behind the MLP."""
        return x if self.mlp is None else x + self.mlp(x)


class Network(nn.Module):
    """A RASP-L program as a Transformer."""

    def __init__(self, description: Description) -> None:
        super().__init__()
        self.description = description
        width = len(description.dims)
        self.embedding = nn.ParameterList(
            [weight(max(len(i.tokens), 1), width) for i in description.inputs]
        )
        self.blocks = nn.ModuleList(
            [Block(width, block.heads, block.hidden) for block in description.blocks]
        )
        output = description.output
        columns = len(output.values) if isinstance(output, FiniteOutput) else 2
        self.unembedding = weight(width, columns)

    @property
    def dtype(self) -> torch.dtype:
        """The float format."""
        return self.unembedding.dtype

    @property
    def longest(self) -> int:
        """The most tokens on which the network is exact in its float format."""
        return self.description.longest(str(self.dtype).removeprefix("torch."))

    def embed(self, tokens: Tensor, cache: Cache) -> Tensor:
        """The residual stream in front of the first block. `tokens`: (batch, length, inputs)."""
        batch, length, _ = tokens.shape
        start = cache.length
        places = torch.arange(start, length + max(start, 1), device=tokens.device)
        x = self.unembedding.new_zeros(batch, len(places), self.unembedding.shape[0])
        for number, table in enumerate(self.embedding):
            x[:, len(places) - length :] += table[tokens[..., number]]
        if formulas := self.description.formulas:
            x[..., list(formulas)] += positions(list(formulas.values()), places, self.dtype)
        return x

    def forward(self, tokens: Tensor, cache: Cache | None = None) -> Tensor:
        """Logits at every position, for token numbers of shape (batch, length[, inputs]).

        With a cache, the tokens go on from those that were read with it before.
        """
        cache = cache or Cache()
        tokens = tokens if tokens.ndim == 3 else tokens.unsqueeze(-1)
        total = tokens.shape[1] + max(cache.length - 1, 0)
        if total > self.longest:
            raise self._too_long(total)
        x = self.embed(tokens, cache)
        for block in self.blocks:
            x = block(x, cache)
        cache.length += x.shape[1]
        return self.unembed(x[:, x.shape[1] - tokens.shape[1] :], total)

    def _too_long(self, total: int) -> NetworkError:
        known = self.description
        return NetworkError(
            f"{known.program} is exact up to {self.longest:,} tokens in "
            f"{str(self.dtype).removeprefix('torch.')} ({known.reason(self.longest)}), "
            f"and this input has {total:,}"
        )

    def unembed(self, x: Tensor, total: int) -> Tensor:
        """Logits: of a finite output its forms; of an index, 2·value·t - t² for every t."""
        read = x @ self.unembedding
        if isinstance(self.description.output, FiniteOutput):
            return read
        candidates = self.unembedding.new_tensor(self.values(total)[1:])
        value, present = read[..., :1], read[..., 1:]
        return torch.cat([1 - NONE_LOGIT * present, 2 * value * candidates - candidates**2], dim=-1)

    def values(self, total: int) -> list[int]:
        """What each logit stands for, on so many tokens; None is -1 and comes first."""
        output = self.description.output
        if isinstance(output, FiniteOutput):
            return list(output.values)
        return [NO_INDEX, *range(output.low, total + output.high)]

    def numbers(self, *sequences: Iterable[int]) -> Tensor:
        """Sequences of tokens as the numbers that the embedding knows them by."""
        columns = []
        inputs = self.description.inputs
        if len(sequences) != len(inputs):
            raise NetworkError(f"the network reads {len(inputs)} sequences, not {len(sequences)}")
        for given, sequence in zip(inputs, sequences, strict=True):
            known = {token: number for number, token in enumerate(given.tokens)}
            if not known:
                # The network does not look at this input, whatever is in it.
                columns.append([0 for _ in sequence])
                continue
            tokens = whole_numbers(sequence, "a network reads a sequence of tokens")
            try:
                columns.append([known[token] for token in tokens])
            except KeyError as error:
                raise NetworkError(
                    f"{error.args[0]} is not in the alphabet that {self.description.program} was "
                    "compiled for: compile it with a larger one"
                ) from None
        if len({len(column) for column in columns}) > 1:
            raise NetworkError("the sequences are of different lengths")
        numbers = torch.tensor(columns, device=self.unembedding.device)
        return numbers.T.reshape(1, -1, len(inputs))

    @torch.inference_mode()
    def predict(self, *sequences: Iterable[int], cache: Cache | None = None) -> NDArray[np.int64]:
        """The argmax at every position, as the program's own values."""
        numbers = self.numbers(*sequences)
        if not numbers.shape[1]:
            return np.zeros(0, dtype=np.int64)
        cache = cache or Cache()
        logits = self(numbers, cache)
        values = torch.tensor(self.values(cache.length - 1))
        predicted: NDArray[np.int64] = values[logits[0].argmax(-1).cpu()].numpy()
        return predicted

    def stream(self, *sequences: Iterable[int]) -> Stream:
        """Every dimension of the residual stream by name, as a table that can be patched."""
        from raspl.compiler.stream import Stream

        tokens = [whole_numbers(each, "a network reads tokens") for each in sequences]
        if not tokens or not tokens[0]:
            raise NetworkError("an empty input has no stream: give at least one token")
        return Stream(self, tuple(map(tuple, tokens)))

    def generate(
        self, prompt: Iterable[int], until: int | None = None, limit: int = 1000
    ) -> NDArray[np.int64]:
        """The prompt and what the network writes after it, greedily, by way of a cache."""
        tokens = whole_numbers(prompt, "a prompt is a sequence of tokens")
        if not tokens:
            raise NetworkError("the prompt is empty: generation starts from at least one token")
        cache = Cache()
        following = int(self.predict(tokens, cache=cache)[-1])
        for count in range(limit):
            tokens.append(following)
            if following == until or count + 1 == limit:
                break
            following = int(self.predict([following], cache=cache)[-1])
        return np.array(tokens, dtype=np.int64)

    def extra_repr(self) -> str:
        return self.description.summary

    def tensors(self) -> dict[str, Any]:
        """The weights by name, in a fixed order."""
        return dict(sorted(self.state_dict().items()))
