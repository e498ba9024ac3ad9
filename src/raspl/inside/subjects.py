"""The two kinds of network that can be looked into, behind one small face.

A *site* is a place between two steps of a network where nothing but the residual stream goes on:
behind the embedding, and behind every attention layer and every MLP. `streams` gives what stands at
each site; `resume` goes on from a site with a stream that may have been changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor

from raspl.compiler.network import Block as CompiledBlock
from raspl.compiler.network import Cache, Network
from raspl.training.model import Block, Transformer

Step = Callable[[Tensor], Tensor]


class Subject(Protocol):
    """A network whose residual stream can be read and changed."""

    @property
    def width(self) -> int: ...

    @property
    def sites(self) -> tuple[str, ...]: ...

    @property
    def lead(self) -> int:
        """Rows of the stream in front of the first token."""
        ...

    def streams(self, tokens: Tensor) -> list[Tensor]:
        """The stream at each site, for token numbers of shape (batch, length)."""
        ...

    def resume(self, site: int, stream: Tensor) -> Tensor:
        """Logits at every token, from a stream at a site."""
        ...

    def numbers(self, tokens: Tensor) -> Tensor:
        """Which logit stands for each token; -1 if none does."""
        ...


class _Steps:
    """What both kinds do with the steps between their sites."""

    steps: list[tuple[str, Step]]
    lead: int

    @property
    def sites(self) -> tuple[str, ...]:
        return ("embedding", *(name for name, _ in self.steps))

    def embedded(self, tokens: Tensor) -> Tensor:
        raise NotImplementedError

    def logits(self, stream: Tensor) -> Tensor:
        raise NotImplementedError

    def streams(self, tokens: Tensor) -> list[Tensor]:
        found = [self.embedded(tokens)]
        for _, step in self.steps:
            found.append(step(found[-1]))
        return found

    def resume(self, site: int, stream: Tensor) -> Tensor:
        for _, step in self.steps[site:]:
            stream = step(stream)
        return self.logits(stream[:, self.lead :])


class Trained(_Steps):
    """A Transformer as `raspl train` leaves it; inputs stand at the front of its context."""

    lead = 0

    def __init__(self, model: Transformer) -> None:
        self.model = model.eval().requires_grad_(False)
        self.width = model.embed.embedding_dim
        self.steps = []
        for number, block in enumerate(model.blocks, 1):
            assert isinstance(block, Block)
            self.steps.append((f"attention {number}", _attention(block)))
            self.steps.append((f"layer {number}", block.think))

    def embedded(self, tokens: Tensor) -> Tensor:
        return self.model.embedded(tokens, places(tokens))

    def logits(self, stream: Tensor) -> Tensor:
        return self.model.logits(self.model.norm(stream))

    def numbers(self, tokens: Tensor) -> Tensor:
        known = self.model.embed.num_embeddings
        return torch.where((tokens >= 0) & (tokens < known), tokens, -1)


def _attention(block: Block) -> Step:
    return lambda stream: block.attend(stream, places(stream))


def _heads(block: CompiledBlock) -> Step:
    return lambda stream: block.attend(stream, Cache())


def places(rows: Tensor) -> Tensor:
    return torch.arange(rows.shape[1], device=rows.device)


@dataclass
class Disguise:
    """How a compiled network is hidden: its stream made noisy, turned and scaled.

    What is seen at a site is `scale · (stream + noise) · rotation`: no dimension has a meaning by
    itself, while the network computes what it did.
    """

    rotation: Tensor
    scale: float
    noise: float
    generator: torch.Generator
    bank: Tensor = field(default_factory=lambda: torch.empty(0, dtype=torch.float64))
    """Noise drawn before: half of all time would go into drawing it anew."""

    @classmethod
    def draw(cls, width: int, seed: int, scale: float = 3.0, noise: float = 1e-3) -> Disguise:
        generator = torch.Generator().manual_seed(seed)
        drawn = torch.randn(width, width, generator=generator, dtype=torch.float64)
        return cls(torch.linalg.qr(drawn)[0], scale, noise, generator)

    def noisy(self, stream: Tensor) -> Tensor:
        """With noise from a random place of the bank, which has room for twice the stream."""
        number = stream.numel()
        if len(self.bank) < 2 * number:
            self.bank = torch.randn(2 * number, generator=self.generator, dtype=torch.float64)
        place = int(torch.randint(number, (), generator=self.generator))
        noise = self.bank[place : place + number].view(stream.shape)
        return stream.add(noise, alpha=self.noise)

    def put_on(self, stream: Tensor) -> Tensor:
        return self.scale * stream @ self.rotation.to(stream.dtype)

    def take_off(self, stream: Tensor) -> Tensor:
        return stream @ self.rotation.to(stream.dtype).T / self.scale


class Compiled(_Steps):
    """A compiled program in disguise: noise behind every step, and no site is seen as it is.

    Between two sites nothing is turned, as the next step would only turn it back.
    """

    lead = 1

    def __init__(self, network: Network, disguise: Disguise) -> None:
        self.network, self.disguise = network, disguise
        self.width = len(network.description.dims)
        self.steps = []
        for number, block in enumerate(network.blocks, 1):
            assert isinstance(block, CompiledBlock)
            if block.heads:
                self.steps.append((f"attention {number}", self._noisy(_heads(block))))
            if block.mlp is not None:
                self.steps.append((f"layer {number}", self._noisy(block.think)))

    def streams(self, tokens: Tensor) -> list[Tensor]:
        return [self.disguise.put_on(stream) for stream in super().streams(tokens)]

    def resume(self, site: int, stream: Tensor) -> Tensor:
        return super().resume(site, self.disguise.take_off(stream))

    def embedded(self, tokens: Tensor) -> Tensor:
        return self.disguise.noisy(self.network.embed(tokens.unsqueeze(-1), Cache()))

    def logits(self, stream: Tensor) -> Tensor:
        return self.network.unembed(stream, stream.shape[1])

    def numbers(self, tokens: Tensor) -> Tensor:
        values = torch.tensor(self.network.values(0))
        same = tokens.unsqueeze(-1) == values
        return torch.where(same.any(-1), same.int().argmax(-1), -1)

    def _noisy(self, step: Step) -> Step:
        return lambda stream: self.disguise.noisy(step(stream))


def predicted(subject: Subject, tokens: Tensor) -> Tensor:
    """The number of the greatest logit at every position."""
    last = len(subject.sites) - 1
    with torch.inference_mode():
        return subject.resume(last, subject.streams(tokens)[last]).argmax(-1)
