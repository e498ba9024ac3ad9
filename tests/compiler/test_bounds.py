"""The stated bounds: exact up to them on inputs made to break them, an error beyond."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import torch

from raspl import parse, programs
from raspl.compiler import Precision, compile
from raspl.compiler.bounds import averaged, bits, counted, digits, integers, ordered, ranked
from raspl.compiler.network import Cache, NetworkError
from raspl.compiler.positions import index_formula, positions
from raspl.compiler.residual import DIGITS
from raspl.compiler.verify import verify
from tests.compiler.examples import ALPHABETS

HEADER = "from raspl import *\n"


def test_a_longer_input_is_an_error_with_the_reason() -> None:
    network = compile(programs.load("mode_paper"), range(4))
    assert 1024 <= network.longest < 2048
    with pytest.raises(NetworkError, match=r"exact up to 1,\d+ tokens in float32 \(count freq"):
        network.predict([0] * (network.longest + 1))
    cache = Cache()
    network.predict([0] * network.longest, cache=cache)
    with pytest.raises(NetworkError, match="this input has"):
        network.predict([0], cache=cache)


def test_other_float_formats_are_refused() -> None:
    network = compile(programs.load("sort_paper"), range(-2, 4)).half()
    with pytest.raises(NetworkError, match="exact up to 0 tokens in float16"):
        network.predict([1])


def test_counts_are_exact_at_the_bound() -> None:
    """Counts near n have the largest error; near-ties show any."""
    network = compile(programs.load("mode_paper"), range(3))
    n = network.longest
    rng = Random(0)
    inputs = [[0] * n, [0, 1] * (n // 2), [0] * (n // 2) + [1] * (n - n // 2),
              [0] * (n - 3) + [1, 2, 0], rng.choices((0, 1), k=n)]  # fmt: skip
    graph = programs.load("mode_paper").graph
    assert not verify(network, graph, [[x] for x in inputs]).mismatches


WIDTHS = HEADER + "def f(x):\n    return sel_width(select(x, x, equals))\n"


@pytest.mark.parametrize("alphabet", [2, 40])
def test_a_histogram_is_exact_at_the_bound(alphabet: int) -> None:
    program = parse(WIDTHS)["f"]
    network = compile(program, range(alphabet))
    n = network.longest
    assert n >= 1024
    for x in ([0] * n, Random(1).choices(range(alphabet), k=n)):
        assert not verify(network, program.graph, [[x]]).mismatches


MEANS = HEADER + "def f(x):\n    return aggr(select(x, x, lambda k, q: True), x)\n"


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("span", [1, 2, 9, 100])
def test_means_truncate_exactly_at_the_bound(span: int, dtype: Precision) -> None:
    """A mean one n-th below an integer is the hardest."""
    program = parse(MEANS, bits=16)["f"]
    for low in (0, -span, -span // 2, 1000):
        network = compile(program, range(low, low + span + 1), dtype)
        n = min(network.longest, 1500)
        high = low + span
        inputs = [[high] * (n - 1) + [high - 1], [low] + [high] * (n - 1), [low] * (n - 1) + [high]]
        inputs.append(Random(2).choices((low, high), k=n))
        assert not verify(network, program.graph, [[x] for x in inputs]).mismatches


ORDERS = (
    HEADER
    + """
def greatest(x):
    return index_select(x, maximum(firsts(x, x)))

def least(x):
    return index_select(x, minimum(lasts(x, x) + 3) - 3)
"""
)


@pytest.mark.parametrize("name", ["greatest", "least"])
def test_orders_of_indices_are_exact_at_the_bound(name: str) -> None:
    program = parse(ORDERS)[name]
    network = compile(program, range(64))
    n = network.longest
    assert 4080 < n < 4096
    inputs = [Random(3).choices(range(64), k=n), [i * 64 // n for i in range(n)], [5] * n]
    assert not verify(network, program.graph, [[x] for x in inputs]).mismatches


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_digits_tell_all_indices_apart_up_to_the_bound(dtype: torch.dtype) -> None:
    """The score of the look-up, at positions as far apart as the bound allows."""
    network = compile(programs.load("copy_unique_paper"), range(8), "float64").to(dtype)
    n = network.longest
    assert n > 4_000_000
    rng = Random(4)
    places = sorted({1, 2, 2047, 2048, 2049, 4096, n - 2048, n - 1, n, *rng.sample(range(n), 500)})
    formulas = [index_formula(part, 0) for part in DIGITS]
    high, low, squares = positions(formulas, torch.tensor(places) + 1, dtype).unbind(-1)
    one = torch.ones_like(high)
    scores = torch.stack([squares, -2 * high, -2 * low, one], -1) @ torch.stack(
        [one, high, low, squares]
    )
    assert torch.equal(scores == 0, torch.eye(len(places), dtype=torch.bool))
    assert (scores >= 0).all()


@pytest.mark.slow
def test_a_look_up_is_exact_far_back() -> None:
    """Two positions may differ by any number, whichever of the digits tells them apart."""
    network = compile(programs.load("copy_unique_paper"), range(8))
    n = 20_000
    graph = programs.load("copy_unique_paper").graph
    x = [7, 3, *Random(4).choices(range(6), k=n - 3), 7]
    assert not verify(network, graph, [[x]]).mismatches


def test_the_bound_of_digits_is_beyond_what_is_asked_for() -> None:
    network = compile(programs.load("copy_unique_paper"), ALPHABETS["copy_unique_paper"])
    assert network.longest > 4_000_000


SHIFTS = (
    HEADER
    + """
def meet(x):
    latest = lasts(x, full(x, 1))
    either = where(x == 2, latest + 2047, latest - 1)
    return kqv(k=latest + 3, q=either, v=x, pred=equals, default=-1, reduction="max")

def later(x):
    latest = lasts(x, full(x, 1))
    return index_select(x, where(x == 2, latest + 3000, indices(x) - 4097))
"""
)


@pytest.mark.parametrize("name", ["meet", "later"])
def test_shifts_carry_from_one_digit_to_the_other(name: str) -> None:
    """Both sides are shifted, and neither is a position: the digits themselves must change."""
    program = parse(SHIFTS, bits=16)[name]
    network = compile(program, range(4))
    rng = Random(5)
    x = rng.choices(range(4), weights=(400, 1, 20, 1), k=4500)
    assert not verify(network, program.graph, [[x]]).mismatches


def test_longest_lengths_follow_the_formulas() -> None:
    assert integers("", 0).of("float32") == 2**24
    assert ranked("", 255).of("float32") == 2**16
    assert ordered("", 0).of("float32") == 4095
    assert digits("", 1).of("float64") == 2047 * 2048 - 1
    assert bits("", 1).of("float64") == 2**15 - 2
    assert 1300 < counted("", 10).of("float32") < 1400
    assert averaged("", 1).of("float32") == int(np.sqrt(2**24 / 16 + 9) - 3)
