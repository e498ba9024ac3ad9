"""What the constructions promise about the stream itself."""

from __future__ import annotations

from random import Random

import pytest
import torch

from raspl import programs
from raspl.compiler import compile
from raspl.compiler.network import Cache, NetworkError
from raspl.compiler.positions import index_formula, positions
from raspl.compiler.residual import BITS, DIGITS, REMAINDER
from raspl.compiler.verify import random_columns
from tests.compiler.examples import ALPHABETS, NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_weight_is_the_same_in_float32(name: str) -> None:
    network = compile(programs.load(name), ALPHABETS[name], "float64")
    for tensor in network.parameters():
        assert torch.equal(tensor, tensor.float().double())


@pytest.mark.parametrize("name", NAMES)
def test_at_the_sink_nothing_stands_but_its_flag_and_elsewhere_exact_integers(name: str) -> None:
    network = compile(programs.load(name), ALPHABETS[name])
    known = network.description
    flag = {d for d, formula in known.formulas.items() if formula == "sink"}
    inexact = {n for n, dim in enumerate(known.dims) if "fraction" in dim or "nearly" in dim}
    exact = [n for n in range(len(known.dims)) if n not in inexact]
    cache = Cache()
    numbers = network.numbers(*random_columns(network, Random(0), 200))
    x = network.embed(numbers, cache)
    for block in network.blocks:
        x = block(x, cache)
        others = [n for n in range(len(known.dims)) if n not in flag]
        assert not x[0, 0, others].any()
        assert torch.equal(x[..., exact], x[..., exact].round())


@pytest.mark.parametrize("name", NAMES)
def test_logits_are_exact_integers_and_the_best_leads_by_one(name: str) -> None:
    """-(t - v)² but for v², which is the same for all t: 1 less for the values next to the best."""
    network = compile(programs.load(name), ALPHABETS[name])
    with torch.inference_mode():
        logits = network(network.numbers(*random_columns(network, Random(1), 300)))
    assert torch.equal(logits, logits.round())
    assert logits.abs().max() < 2**24
    best, second = logits.topk(2, dim=-1).values.unbind(-1)
    assert (best - second >= 1).all()


def test_a_batch_and_a_cache_give_the_same_as_one_pass() -> None:
    network = compile(programs.load("addition_forward_paper"), ALPHABETS["addition_forward_paper"])
    rng = Random(2)
    columns = [random_columns(network, rng, 90) for _ in range(3)]
    numbers = torch.cat([network.numbers(*c) for c in columns])
    with torch.inference_mode():
        together = network(numbers)
        cache = Cache()
        parts = torch.cat(
            [network(numbers[:, a:b], cache) for a, b in ((0, 1), (1, 40), (40, 90))], 1
        )
    assert torch.equal(together, parts)
    for row, column in zip(together, columns, strict=True):
        assert row.argmax(-1).tolist() == network(network.numbers(*column))[0].argmax(-1).tolist()


def test_each_variable_has_named_dimensions() -> None:
    known = compile(programs.load("count_paper"), ALPHABETS["count_paper"]).description
    assert {"start", "a", "b", "at_b", "seq", "counted"} <= set(known.variables)
    assert {"seq", "a", "counted + 2", "start % 2048"} <= set(known.dims)
    assert len(set(known.dims)) == len(known.dims)


def test_an_unknown_token_is_refused_with_a_sentence() -> None:
    network = compile(programs.load("sort_paper"), range(-2, 4))
    with pytest.raises(NetworkError, match="9 is not in the alphabet"):
        network.predict([9])
    with pytest.raises(NetworkError, match="reads 1 sequences, not 2"):
        network.predict([1], [2])
    assert network.predict([]).tolist() == []


def test_positions_by_formula() -> None:
    names = [
        "one",
        "sink",
        "position",
        "position²",
        "1 / position",
        *(index_formula(part, 0) for part in DIGITS),
    ]
    table = positions(names, torch.arange(0, 8), torch.float64)
    assert table[0].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert table[2].tolist() == [1, 0, 2, 4, 0.5, 0, 1, 1]
    assert table[7].tolist() == [1, 0, 7, 49, 1 / 7, 0, 6, 36]


@pytest.mark.parametrize("shift", [-5000, -1, 0, 1, 2048, 4100])
def test_digits_of_a_shifted_index(shift: int) -> None:
    places = torch.tensor([1, 2, 2048, 2049, 2050, 4096, 1_000_000])
    high, low, squares = positions(
        [index_formula(part, shift) for part in DIGITS], places, torch.float64
    ).unbind(-1)
    assert torch.equal(2048 * high + low, (places - 1 + shift).double())
    assert ((low >= 0) & (low < 2048)).all()
    assert torch.equal(squares, high**2 + low**2)
    bits = positions([index_formula(part, shift) for part in REMAINDER], places, torch.float64)
    remainder = (bits * 2.0 ** torch.arange(BITS)).sum(-1)
    assert torch.equal(remainder, ((places - 1 + shift) % 2**BITS).double())
