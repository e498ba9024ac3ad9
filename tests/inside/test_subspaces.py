"""Distributed alignment search on a stream in which the answer was planted."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from raspl import programs
from raspl.inside.pairs import Domain, Pairs, pairs, scrambled
from raspl.inside.subspaces import (
    Effort,
    Streams,
    Swap,
    discriminants,
    fit,
    interval,
    share,
    sizes,
    smallest,
)
from raspl.inside.variables import variables
from raspl.tasks import END, find

WIDTH, VALUES = 16, 4


class Planted:
    """A stream that holds the token mod 4 and, elsewhere, the token div 4; it says the first."""

    width = WIDTH
    sites = ("embedding",)
    lead = 0

    def __init__(self) -> None:
        generator = torch.Generator().manual_seed(3)
        self.turn = torch.linalg.qr(torch.randn(WIDTH, WIDTH, generator=generator))[0]

    def streams(self, tokens: Tensor) -> list[Tensor]:
        low = functional.one_hot(tokens % VALUES, VALUES)
        high = functional.one_hot(tokens // VALUES, VALUES)
        parts = torch.cat((low, high, torch.zeros(*tokens.shape, WIDTH - 2 * VALUES)), -1)
        return [parts @ self.turn]

    def resume(self, site: int, stream: Tensor) -> Tensor:
        flat = stream @ self.turn.T
        # What it says depends on both parts, so swapping the whole stream is wrong.
        both = 3 * flat[..., :VALUES, None] + 3 * flat[..., None, VALUES : 2 * VALUES]
        said: Tensor = both.flatten(-2)
        return said

    def numbers(self, tokens: Tensor) -> Tensor:
        return tokens


def planted_pairs(rng: np.random.Generator, number: int, planted: bool = True) -> Pairs:
    base, source = rng.integers(VALUES**2, size=(2, number, 3))
    kept = source % VALUES != base % VALUES
    taken = source if planted else rng.permutation(source)
    values = [x % VALUES for x in (base, taken)]
    wanted = values[1] * VALUES + base // VALUES
    before = values[0] * VALUES + base // VALUES
    return Pairs(base, source, values[0], values[1], kept, kept, before, wanted)


def searched(planted: bool, start: str = "discriminants") -> tuple[float, float, int]:
    rng = np.random.default_rng(0)
    subject = Planted()
    sets = [planted_pairs(rng, number, planted) for number in (256, 128, 128)]
    train, held_out, scored = (Swap.of(subject, 0, one, Streams.of(subject, one)) for one in sets)
    tried = sizes(WIDTH, VALUES)
    starts = discriminants(*train.labelled(sets[0]), max(tried))
    if start == "random":
        starts = [torch.linalg.qr(torch.randn(WIDTH, 8, generator=torch.manual_seed(1)))[0]]
    found = fit(train, starts, tried, held_out, Effort(steps=300, learning_rate=0.05), rng)
    k = smallest(found, held_out, rng)
    whole = share(scored.hits(None).answers)
    return scored.score(found.directions[k]), whole, k


def test_the_planted_variable_is_found_without_a_gradient() -> None:
    score, whole, k = searched(planted=True)
    assert score == 1.0
    assert whole < 0.5
    assert k == VALUES - 1  # what the differences of so many one-hot vectors span


def test_the_gradient_finds_it_from_anywhere() -> None:
    score, _, k = searched(planted=True, start="random")
    assert score > 0.95
    assert k < WIDTH


def test_nothing_is_found_where_nothing_was_planted() -> None:
    score, _, _ = searched(planted=False)
    assert score < 0.5


def test_a_bit_is_seen_beside_a_huge_dimension() -> None:
    """As in compiled networks: a squared position, a bit, and noise whose covariance is a guess."""
    generator = torch.Generator().manual_seed(5)
    turn = torch.linalg.qr(torch.randn(WIDTH, WIDTH, generator=generator, dtype=torch.double))[0]
    rows = 1e-6 * torch.randn(4000, WIDTH, generator=generator, dtype=torch.double)
    bit = torch.randint(2, (4000,), generator=generator)
    rows[:, 0] += 1e6 * torch.randn(4000, generator=generator, dtype=torch.double)
    rows[:, 1] += bit + 0.5 * torch.randn(4000, generator=generator, dtype=torch.double)
    rows[:, 2] += bit
    starts = discriminants(rows @ turn, bit.numpy(), 1)
    owned = [float((turn @ start)[2].abs()) for start in starts]
    assert max(owned) > 0.99999


def test_scrambled_inputs_part_what_goes_together() -> None:
    """The first 0 of an addition always stands behind the first hint, at position 2."""
    graph, task = programs.load("addition_reverse").graph, find("addition_reverse", {"hints": 7})
    variable = next(
        one for one in variables(graph) if one.name.startswith("firsts in induct(k=x, q=x")
    )
    domain = Domain(task, "train", (2, 3))
    own, _ = pairs(graph, variable, domain, 50, np.random.default_rng(0))
    mixed = scrambled(graph, variable, domain, 50, np.random.default_rng(0))
    zero = task.ids(["0"])[0]
    together = own.base_values[own.swapped] == 2
    assert ((own.base[own.swapped] == zero) == together).all()
    apart = mixed.values[mixed.where] == 2
    assert ((mixed.tokens[mixed.where] == zero) != apart).any()
    assert (np.sort(mixed.tokens, axis=1)[:, -1] < len(task.alphabet)).all()


def test_strangers_are_tokens_that_no_input_has() -> None:
    graph, task = programs.load("sort").graph, find("sort", {"numbers": 8})
    (variable,) = variables(graph)
    domain = Domain(task, "train", (4, 5))

    def ends(strangers: float) -> bool:
        mixed = scrambled(graph, variable, domain, 50, np.random.default_rng(0), strangers)
        return bool((mixed.tokens[mixed.where] == END).any())

    assert not ends(0.0)
    assert ends(0.5)


def test_the_interval_holds_the_share() -> None:
    hits = torch.tensor([True] * 80 + [False] * 20)
    low, high = interval(hits, np.random.default_rng(0))
    assert low < 0.8 < high
    assert high - low < 0.2
