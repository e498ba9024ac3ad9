"""The shipped programs as networks, against the programs, at every position."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from raspl import programs
from raspl.compiler import Precision, compile
from raspl.compiler.export import weights_hash
from raspl.compiler.network import Network
from raspl.compiler.verify import random_columns, verify
from raspl.program import Program
from tests.compiler.examples import ALPHABETS, END, NAMES, START, STOP, addition, task_sequence


@cache
def network_of(name: str, dtype: Precision) -> Network:
    return compile(programs.load(name), ALPHABETS[name], dtype)


def check(name: str, dtype: Precision, lengths: list[int], seed: int) -> None:
    network = network_of(name, dtype)
    assert max(lengths) <= network.longest
    rng = Random(seed)
    inputs = [random_columns(network, rng, length) for length in lengths]
    inputs += [[task_sequence(name, rng, length)] for length in lengths]
    result = verify(network, programs.load(name).graph, inputs)
    assert not result.mismatches
    assert result.positions == 2 * sum(lengths)
    assert not result.skipped


@pytest.mark.parametrize("name", NAMES)
def test_every_position_agrees_in_float32(name: str) -> None:
    check(name, "float32", [1, 2, 3, 4, 5, 6, 7, 13, 32, 100, 255, 256, 511, 1024], 0)


@pytest.mark.parametrize("name", [name for name in programs.NAMES if name not in NAMES])
def test_the_programs_of_the_trained_tasks_agree_too(name: str) -> None:
    alphabet = programs.alphabet(name)
    assert alphabet is not None
    network, rng = compile(programs.load(name), alphabet), Random(0)
    inputs = [random_columns(network, rng, length) for length in (1, 2, 7, 30, 100)]
    assert not verify(network, programs.load(name).graph, inputs).mismatches


@pytest.mark.parametrize(
    "name", ["mode_paper", "copy_unique_paper", "sort_paper", "conjunction_paper"]
)
def test_long_inputs_agree_in_float64(name: str) -> None:
    check(name, "float64", [4096], 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(3))
def test_many_lengths_agree(name: str, seed: int) -> None:
    check(name, "float32", [*range(1, 40), *range(64, 1025, 96), 1023, 1024], seed)
    check(name, "float64", [1, 2, 5, 1500, 2777, 4096], seed)


@pytest.mark.parametrize("name", NAMES)
def test_one_set_of_weights_serves_both_formats(name: str) -> None:
    single, double = network_of(name, "float32"), network_of(name, "float64")
    assert weights_hash(single) == weights_hash(double)


@pytest.mark.parametrize("name", NAMES)
def test_attention_layers_are_the_depth_and_one_more_for_each_count_in_a_row(name: str) -> None:
    depth = programs.load(name).measure().depth
    rounding = {"mode_paper": 1, "addition_forward_paper": 1}.get(name, 0)
    assert network_of(name, "float32").description.layers == depth + rounding


@pytest.mark.parametrize(
    ("name", "order"), [("addition_reverse_paper", -1), ("addition_forward_paper", 1)]
)
@pytest.mark.parametrize("digits", [1, 7, 100])
def test_generates_sums(name: str, order: int, digits: int) -> None:
    rng = Random(digits)
    a = rng.randrange(1, 10**digits)
    prompt, answer = addition(a, 10**digits - a, digits, order)
    written = network_of(name, "float32").generate(prompt, until=STOP)
    assert written[len(prompt) :].tolist() == answer


def test_sorts_500_tokens_of_a_large_alphabet() -> None:
    program = Program(programs.load("sort_paper").definition, 16)
    network = compile(program, [END, START, *range(1000, 3000, 3)])
    tokens = Random(0).sample(range(1000, 3000, 3), 500)
    written = network.generate([*tokens, START], until=END)
    assert written[501:].tolist() == [*sorted(tokens), END]


def test_counts_to_150() -> None:
    written = network_of("count_paper", "float32").generate([START, 2, 150], until=END)
    assert written[3:].tolist() == [*range(2, 151), END]
