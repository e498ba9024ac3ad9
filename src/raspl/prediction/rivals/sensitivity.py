"""Other predictors of what a network learns, to be set beside the conjecture.

All are taken on the task's own solver at training lengths. Average sensitivity: how many prompt
tokens, if changed alone at random, change a given answer token. Sparsity: how many prompt tokens an
answer token depends on at all. For Boolean functions, the Fourier weight at each degree.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from raspl.prediction.prediction import RivalMeasures
from raspl.prediction.rivals.order import order_dependence
from raspl.synthesis.examples import KnownSource

PROMPTS = 24
CHANGES = 4
"""Other tokens tried at each position."""
MOST_BITS = 10


def rival_measures(source: KnownSource, length: int, seed: int = 0) -> RivalMeasures:
    """The measures at one length, which should be a training length."""
    rng = np.random.default_rng((seed, 3, length))
    prompts = source.prompts(rng, [length] * PROMPTS)
    symbols = sorted({token for prompt in prompts for token in prompt})
    sensitivity, dependence = _dependence(prompts, source, symbols, rng)
    return RivalMeasures(
        length=length,
        sensitivity=sensitivity,
        dependence=dependence,
        order=order_dependence(source, length, seed),
        degree_profile=_degree_profile(source, symbols, length),
    )


def _dependence(
    prompts: list[list[str]], source: KnownSource, symbols: list[str], rng: np.random.Generator
) -> tuple[float | None, float | None]:
    rates: list[float] = []
    reaches: list[float] = []
    for prompt, answer in zip(prompts, source.answers(prompts), strict=True):
        if answer is None:
            continue
        changed = np.zeros((len(prompt), len(answer)))
        tried = np.zeros(len(prompt))
        places, others = _changes(prompt, symbols, rng)
        for place, new in zip(places, source.answers(others), strict=True):
            if new is not None:
                tried[place] += 1
                changed[place] += [
                    at >= len(new) or new[at] != old for at, old in enumerate(answer)
                ]
        if not tried.any():
            continue
        share = changed / np.maximum(tried, 1)[:, None]
        rates.append(float(share.sum(axis=0).mean()))
        reaches.append(float((changed > 0).sum(axis=0).mean()))
    if not rates:
        return None, None
    return float(np.mean(rates)), float(np.mean(reaches))


def _changes(
    prompt: list[str], symbols: list[str], rng: np.random.Generator
) -> tuple[list[int], list[list[str]]]:
    """Places of a prompt, and the prompt with another symbol there."""
    places, changed = [], []
    for place, token in enumerate(prompt):
        others = [symbol for symbol in symbols if symbol != token]
        for other in rng.permutation(others)[:CHANGES]:
            places.append(place)
            changed.append([*prompt[:place], str(other), *prompt[place + 1 :]])
    return places, changed


def _degree_profile(
    source: KnownSource, symbols: list[str], length: int
) -> tuple[float, ...] | None:
    """The Walsh transform of the first answer token, if prompt and answer are binary."""
    if len(symbols) != 2 or length > MOST_BITS:
        return None
    answers = source.answers(list(product(symbols, repeat=length)))
    firsts = [answer[0] if answer else "" for answer in answers]
    values = sorted(set(firsts))
    if len(values) > 2:
        return None
    table = np.array([1.0 if first == values[0] else -1.0 for first in firsts])
    for bit in range(length):
        pairs = table.reshape(-1, 2, 1 << bit)
        table = np.stack((pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]), axis=1).ravel()
    weights = (table / len(table)) ** 2
    degree = np.array([number.bit_count() for number in range(len(table))])
    return tuple(float(weights[degree == k].sum()) for k in range(length + 1))
