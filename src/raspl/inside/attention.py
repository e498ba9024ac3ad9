"""What the heads of a trained network attend to, and which selectors of a program they are like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from raspl.inside.pairs import Inputs
from raspl.inside.subjects import Trained, places
from raspl.language.ir.graph import Graph
from raspl.trace.recording import trace
from raspl.training.model import Block, rotated

Weights = NDArray[np.float64]


@torch.no_grad()
def attention(subject: Trained, tokens: torch.Tensor) -> list[Weights]:
    """For each layer the weights (batch, head, query, key)."""
    found = []
    streams = subject.streams(tokens)
    for number, block in enumerate(subject.model.blocks):
        assert isinstance(block, Block)
        x = block.norm_1(streams[2 * number])
        batch, size, width = x.shape
        heads = block.attention.heads
        split = block.attention.qkv(x).view(batch, size, 3, heads, width // heads)
        query, key, _ = split.permute(2, 0, 3, 1, 4).unbind(0)
        if block.attention.rotary:
            query, key = rotated(query, places(tokens)), rotated(key, places(tokens))
        scores = query @ key.transpose(-1, -2) / (width // heads) ** 0.5
        later = torch.ones(size, size, dtype=torch.bool).triu(1)
        found.append(torch.softmax(scores.masked_fill(later, -torch.inf), -1).double().numpy())
    return found


@dataclass(frozen=True)
class Match:
    """The selector that a head is most like, and how much."""

    selector: str
    score: float
    """1: all attention is on selected keys; 0: as much as an even spread would put there."""


def matches(
    subject: Trained, graph: Graph, inputs: Inputs
) -> dict[tuple[int, int], tuple[Match, ...]]:
    """For each head, counted from 1, all selectors, the best first.

    A query counts if its answer is asked for, or if other positions read what it finds: any query,
    that is, which selects some keys and not all.
    """
    weights = attention(subject, torch.from_numpy(inputs.tokens))
    rows = [
        trace(graph, tokens[:size].tolist())
        for tokens, size in zip(inputs.tokens, inputs.sizes, strict=True)
    ]
    titles = [selection.title for selection in rows[0].selections]
    found = {}
    for layer, one in enumerate(weights, 1):
        for head in range(one.shape[1]):
            scores = [
                alike([row.selections[number].rows for row in rows], one[:, head])
                for number in range(len(titles))
            ]
            ranked = sorted(zip(titles, scores, strict=True), key=lambda pair: -pair[1])
            found[layer, head + 1] = tuple(Match(title, score) for title, score in ranked)
    return found


def alike(selected: Sequence[Sequence[bytes]], weights: Weights) -> float:
    """The mean over queries of the attention on selected keys, above what an even spread has."""
    scores = []
    for rows, grid in zip(selected, weights, strict=True):
        for query, row in enumerate(rows):
            chosen = np.frombuffer(row, dtype=np.uint8).astype(bool)
            even = float(chosen.mean())
            if 0 < even < 1:
                mass = float(grid[query, : query + 1][chosen].sum())
                scores.append((mass - even) / (1 - even))
    return float(np.mean(scores)) if scores else 0.0
