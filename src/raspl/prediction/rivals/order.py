"""How much an answer depends on the order of the prompt, taken on the task's own solver.

Where a program is missing, this tells two kinds of tasks apart. If order does not matter, a network
can go by how often tokens occur, and gets somewhat longer inputs right even where no program is
right at all lengths. If it does, the network must keep track of places, and fails at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from raspl.synthesis.examples import KnownSource

PROMPTS = 24
SWAPS = 24
"""Pairs of neighbours that are swapped in one prompt, at most."""


def order_dependence(source: KnownSource, length: int, seed: int = 0) -> float | None:
    """The share of swaps of neighbouring prompt tokens that change a given answer token.

    None if no two tokens of a prompt can be swapped.
    """
    rng = np.random.default_rng((seed, 7, length))
    prompts = source.prompts(rng, [length] * PROMPTS)
    shares = []
    for prompt, answer in zip(prompts, source.answers(prompts), strict=True):
        if answer is None:
            continue
        places = [at for at in range(len(prompt) - 1) if prompt[at] != prompt[at + 1]]
        some = sorted(rng.permutation(places)[:SWAPS].tolist()) if places else []
        swapped = [_swapped(prompt, at) for at in some]
        changed = compared = 0
        for at, new in zip(some, source.answers(swapped), strict=True):
            if new is not None:
                parts = range(_first_after(source, prompt, answer, at), len(answer))
                compared += len(parts)
                changed += sum(part >= len(new) or new[part] != answer[part] for part in parts)
        if compared:
            shares.append(changed / compared)
    return float(np.mean(shares)) if shares else None


def _swapped(prompt: Sequence[str], at: int) -> list[str]:
    return [*prompt[:at], prompt[at + 1], prompt[at], *prompt[at + 2 :]]


def _first_after(source: KnownSource, prompt: Sequence[str], answer: Sequence[str], at: int) -> int:
    """The first part of an answer that may look at both tokens: of labels after every symbol, the
    one after the second of them."""
    if not source.asks_everywhere:
        return 0
    # There may be a label before the first symbol; where others are left out, the last one counts.
    before = len(answer) - len(prompt)
    return at + 1 + before if before in (0, 1) else len(answer) - 1
