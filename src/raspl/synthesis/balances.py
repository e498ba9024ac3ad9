"""Balances: is a weighted sum of token counts at least 0?

The mean of w(x) + 1 over all positions is at least 1 exactly where the sum of the weights w(x) is
at least 0, and the mean that truncates keeps that (docs/types.md). So two counts, which can't be
compared as counts, are compared by one head, which attends to everything alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product
from math import gcd

import numpy as np
from numpy.typing import NDArray

from raspl.synthesis.bank import Batch
from raspl.synthesis.columns import Block
from raspl.synthesis.components import Rule
from raspl.synthesis.kernels import Selected, reduce
from raspl.synthesis.scope import Scope, pieces

WEIGHTS = (-3, -2, -1, 1, 2, 3)
WEIGHTED = {5: 4, 7: 3}
"""Up to so many tokens, a balance weighs so many of them at most; with more tokens, two."""
MOST_TOKENS = 12
"""Tokens that balances are made of, at most."""
OVERHEAD = 2
"""What a balance costs beside the entries of its weights: the head and the comparison."""


def balance_rule(tokens: Sequence[int], weights: Sequence[int]) -> Rule:
    """Whether these weights of these tokens have a sum of 0 or more."""
    entries = tuple((t, w + 1) for t, w in zip(tokens, weights, strict=True) if w)
    return Rule("balance", "Bool", default=1, entries=entries)


@lru_cache(maxsize=16)
def weightings(tokens: int) -> NDArray[np.int16]:
    """Weights of each token, one column a balance: few of them are not 0, none is a multiple of
    another's, and the smallest come first."""
    most = next((number for size, number in WEIGHTED.items() if tokens <= size), 2)
    found: list[tuple[int, int, int, NDArray[np.int16]]] = []
    for size in range(2, min(most, tokens) + 1):
        for places in combinations(range(tokens), size):
            for chosen in product(WEIGHTS, repeat=size):
                if gcd(*chosen) == 1 and min(chosen) < 0 < max(chosen):
                    weights = np.zeros(tokens, dtype=np.int16)
                    weights[list(places)] = chosen
                    found.append((size, sum(map(abs, chosen)), len(found), weights))
    found.sort(key=lambda one: one[:3])
    columns = [weights for *_, weights in found]
    return np.array(columns, dtype=np.int16).reshape(len(columns), tokens).T


def weighed(counts: Block, weights: Block) -> Block:
    """Whether each weighting of counts, whose last axis is the tokens, is at least 0."""
    sums = counts.astype(np.float32) @ weights.astype(np.float32)
    return (sums >= 0).astype(np.int8)


def balances(scope: Scope, cost: int) -> Iterator[Batch]:
    """Every balance of a cost."""
    tokens = scope.bank.layout.tokens
    alphabet = np.unique(tokens)
    size = cost - OVERHEAD
    if size < 2 or len(alphabet) > MOST_TOKENS:
        return
    weights = weightings(len(alphabet))
    weights = weights[:, np.count_nonzero(weights, axis=0) == size]
    keys = (tokens[:, None] == alphabet).astype(tokens.dtype)
    zero = np.zeros((len(scope.rows), 1), dtype=tokens.dtype)
    (counts,) = reduce(Selected(keys, zero, ">", scope.steps), [("width", tokens[:, None])])
    for piece in pieces(weights.shape[1]):
        values = weighed(counts, weights[:, piece]).astype(tokens.dtype)
        for column, chosen in enumerate(weights[:, piece].T.tolist()):
            yield Batch(balance_rule(alphabet.tolist(), chosen), (), values[:, column : column + 1])
