"""Distributed alignment search: which directions of the stream carry a variable.

The directions are orthonormal columns, the most telling first, so that one fit serves every number
of dimensions: the first k columns of QR depend on the first k columns alone. It starts from
discriminant directions, in which the stream differs between values of the variable and hardly
within one; what they are worth is told by swapping. From there a gradient goes on through the
frozen network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from raspl.inside.pairs import Pairs
from raspl.inside.subjects import Subject

RIDGES = (1e-4, 1.0, 1e2, 1e4)
"""What is added to the variance within one value, relative to the median of its spectrum. It should
lie above the noise, whose covariance is not known well, and below the variables; all are tried. The
mean would not do: in a compiled network a squared position of variance 10¹¹ stands beside a bit.
"""
TINY = 1e-30
"""So that a stream that never differs is not divided by zero."""
DRAWS = 1000
"""Of the bootstrap."""
BETTER = 0.01
"""A gain in the best held-out score below this is none."""
SCREENED = 64
"""Held-out pairs that choose between the starts, for each number of dimensions."""
PATIENCE = 2
"""A fit ends after so many checks without a gain."""


@dataclass(frozen=True)
class Effort:
    """How much is spent on one fit."""

    steps: int = 150
    batch: int = 64
    check_every: int = 25
    learning_rate: float = 0.01
    enough: float = 0.995
    """A held-out score from which a fit ends."""
    ridges: tuple[float, ...] = RIDGES
    """What the start tries."""
    strangers: float = 0.0
    """The share of tokens in scrambled inputs that need not be of the task's inputs."""


@dataclass(frozen=True)
class Hits:
    """How far a network follows the program after a swap."""

    answers: Tensor
    """For each pair, whether it does so at every output that is asked for."""
    changed: float
    """The share of outputs that the swap changes at which it does."""
    asked: float
    """The share of all outputs that are asked for."""


@dataclass(frozen=True)
class Swap:
    """Pairs with their streams at one site, ready to be swapped."""

    subject: Subject
    site: int
    base: Tensor
    source: Tensor
    swapped: Tensor
    changed: Tensor
    kept: Tensor
    """Asked for, and not changed by the swap."""
    wanted: Tensor

    @classmethod
    def of(cls, subject: Subject, site: int, pairs: Pairs, streams: Streams) -> Swap:
        wanted = subject.numbers(torch.from_numpy(pairs.wanted))
        changed = torch.from_numpy(pairs.changed)
        return cls(
            subject,
            site,
            streams.base[site],
            streams.source[site],
            torch.from_numpy(pairs.swapped),
            changed,
            torch.from_numpy(pairs.asked) & ~changed,
            wanted,
        )

    def rows(self, chosen: Tensor) -> Swap:
        picked = (self.base, self.source, self.swapped, self.changed, self.kept, self.wanted)
        return Swap(self.subject, self.site, *(one[chosen] for one in picked))

    def logits(self, directions: Tensor | None) -> Tensor:
        """After the swap of a subspace; of the whole stream if None."""
        moved = self.source - self.base
        if directions is not None:
            moved = (moved @ directions) @ directions.T
        lead = self.subject.lead
        mask = functional.pad(self.swapped, (lead, 0)).unsqueeze(-1)
        return self.subject.resume(self.site, torch.where(mask, self.base + moved, self.base))

    @torch.no_grad()
    def hits(self, directions: Tensor | None) -> Hits:
        """Where the network says what the program does."""
        same = self.logits(directions).argmax(-1) == self.wanted
        asked = self.changed | self.kept
        return Hits(
            (same | ~asked).all(1),
            float(same[self.changed].double().mean()),
            float(same[asked].double().mean()),
        )

    def score(self, directions: Tensor) -> float:
        return share(self.hits(directions).answers)

    def loss(self, directions: Tensor) -> Tensor:
        logits = self.logits(directions)
        parts = []
        for where in (self.changed, self.kept):
            where = where & (self.wanted >= 0)
            if where.any():
                parts.append(functional.cross_entropy(logits[where], self.wanted[where]))
        return torch.stack(parts).mean()

    def labelled(self, pairs: Pairs) -> tuple[Tensor, NDArray[np.int64]]:
        """The stream at each swapped position, of both inputs, with the variable's value."""
        lead, mask = self.subject.lead, torch.from_numpy(pairs.swapped)
        rows = torch.cat([one[:, lead:][mask] for one in (self.base, self.source)])
        values = (pairs.base_values, pairs.source_values)
        return rows, np.concatenate([one[pairs.swapped] for one in values])


@dataclass(frozen=True)
class Streams:
    """What stands at every site, for both inputs of each pair."""

    base: list[Tensor]
    source: list[Tensor]

    @classmethod
    @torch.no_grad()
    def of(cls, subject: Subject, pairs: Pairs) -> Streams:
        return cls(*(subject.streams(torch.from_numpy(x)) for x in (pairs.base, pairs.source)))


def share(hits: Tensor) -> float:
    return float(hits.double().mean())


def sizes(width: int, values: int) -> tuple[int, ...]:
    """Numbers of dimensions to try, up to half of the stream: all up to eight, then powers of two
    and between them, and what so many different values take at the most."""
    half = width // 2
    powers = [2**power for power in range(3, half.bit_length())]
    wanted = {*range(1, 9), *powers, *(3 * k // 2 for k in powers), half, values - 1, values}
    return tuple(sorted(k for k in wanted if 1 <= k <= half))


def discriminants(
    rows: Tensor, labels: NDArray[np.int64], number: int, ridges: Sequence[float] = RIDGES
) -> list[Tensor]:
    """Directions in which the stream differs between labels and hardly within one: a set a ridge.

    `rows` holds the stream at one position each.
    """
    classes, which = np.unique(labels, return_inverse=True)
    points = rows.double() - rows.double().mean(0)
    member = functional.one_hot(torch.from_numpy(which.reshape(-1)), len(classes)).double()
    count = member.sum(0)
    means = (member.T @ points) / count[:, None]
    inner = (points - member @ means) / len(points) ** 0.5
    between = means * (count / len(points)).sqrt()[:, None]
    # Of the points and not of their covariance: squares would lose what is 10⁸ times smaller.
    _, scale, axes = torch.linalg.svd(torch.linalg.qr(inner)[1])
    starts = []
    for ridge in ridges:
        added = ridge * scale.square().median() + TINY
        whiten = axes.T * (scale.square() + added).rsqrt()
        _, _, found = torch.linalg.svd(between @ whiten, full_matrices=True)
        starts.append(torch.linalg.qr(whiten @ found[:number].T)[0].to(rows.dtype))
    return starts


def any_directions(like: Tensor, rng: np.random.Generator) -> Tensor:
    """As many orthonormal directions as these, at random."""
    drawn: Tensor = torch.linalg.qr(torch.from_numpy(rng.standard_normal(like.shape)))[0]
    return drawn.to(like.dtype)


@dataclass(frozen=True)
class Fit:
    """The best directions for each number of them, with their held-out share of right answers."""

    directions: dict[int, Tensor]
    scores: dict[int, float]
    steps: int


def fit(
    train: Swap,
    starts: list[Tensor],
    tried: Sequence[int],
    held_out: Swap,
    effort: Effort,
    rng: np.random.Generator,
) -> Fit:
    """From the best start on; every number of dimensions keeps what was best on held-out pairs."""
    best: dict[int, Tensor] = {}
    scores: dict[int, float] = {}

    def check(directions: Tensor) -> bool:
        """Whether the best became better."""
        before = max(scores.values())
        for k in tried:
            score = held_out.score(directions[:, :k])
            if score > scores[k]:
                scores[k], best[k] = score, directions[:, :k].detach().clone()
        return max(scores.values()) > before + BETTER

    some = held_out.rows(torch.arange(len(held_out.base))[:SCREENED])
    screened = {k: max(starts, key=lambda start: some.score(start[:, :k])) for k in tried}
    for k, start in screened.items():
        scores[k] = held_out.score(start[:, :k])
        best[k] = start[:, :k]
    free = screened[max(tried, key=lambda k: scores[k])].clone().requires_grad_()
    optimiser = torch.optim.Adam([free], lr=effort.learning_rate)
    step = idle = 0
    while step < effort.steps and idle < PATIENCE and max(scores.values()) < effort.enough:
        for _ in range(effort.check_every):
            chosen = torch.from_numpy(rng.integers(len(train.base), size=effort.batch))
            directions = torch.linalg.qr(free)[0]
            k = int(rng.choice(tried))
            loss = train.rows(chosen).loss(directions[:, :k])
            (free.grad,) = torch.autograd.grad(loss, free)
            optimiser.step()
        step += effort.check_every
        idle = 0 if check(torch.linalg.qr(free.detach())[0]) else idle + 1
    return Fit(best, scores, step)


def smallest(fitted: Fit, held_out: Swap, rng: np.random.Generator) -> int:
    """The least number of dimensions whose held-out score lies within the interval of the best."""
    best = max(fitted.scores, key=lambda k: fitted.scores[k])
    low, _ = interval(held_out.hits(fitted.directions[best]).answers, rng)
    low = min(low, fitted.scores[best])  # a network with noise does not say the same twice
    return min(k for k, score in fitted.scores.items() if score >= low)


def interval(hits: Tensor, rng: np.random.Generator) -> tuple[float, float]:
    """Where the share of right answers lies with 95 %, by drawing the pairs again and again."""
    drawn = rng.binomial(len(hits), share(hits), size=DRAWS) / len(hits)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)
