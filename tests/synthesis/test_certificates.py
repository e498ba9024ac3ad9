"""What the search rules out is ruled out: its certificates against brute force.

A program of the documented grammar, made by `brute_force` and not by the search, labels the
examples. The search must find a program that costs no more. All of it, with the number compared:

    pytest tests/synthesis/test_certificates.py -m "slow or not slow" -s
"""

from collections.abc import Iterator
from itertools import count

import numpy as np
import pytest

from raspl.language.ir.primitives import Node
from raspl.language.ir.printer import to_source
from raspl.loading import parse
from raspl.synthesis.engine import search
from raspl.synthesis.examples import LabelledSource
from raspl.synthesis.settings import Settings
from tests.synthesis.brute_force import Behaviour, Grammar, Inputs

INPUTS = Inputs((0, 1, 2), 4)
LITERALS = [(0, 1), (0, 1, 2), (0, 1, 3)]
"""With literals that are tokens, and one that is not."""


def check(grammar: Grammar, node: Node, behaviour: Behaviour, cost: int) -> None:
    """The search finds a program of this cost or less, and claims no more than that."""
    labels, inputs = grammar.inputs.labels(behaviour), grammar.inputs

    def sample(rng: np.random.Generator, length: int) -> list[int]:
        return [int(token) for token in rng.choice(inputs.alphabet, size=length)]

    # The search adds 0 and 1 to the literals of its own accord.
    others = tuple(number for number in grammar.literals if number > 1)
    source = LabelledSource("hidden", sample, lambda prefix: labels[tuple(prefix)], others)
    settings = Settings(
        max_length=inputs.length, held_in=100, max_cost=cost, budget=3600, work=10**15, deep=False
    )
    result = search(source, settings)
    text = to_source(grammar.graph(node))
    assert result.exhausted < cost, text
    assert result.finds, text
    assert result.finds[0].cost <= cost, text


def compare(grammar: Grammar, programs: Iterator[tuple[Node, int]], most: int = 10**9) -> int:
    """Check programs with their costs, each behaviour once; how many there were."""
    seen: set[Behaviour] = set()
    for node, cost in programs:
        behaviour = grammar.behaviour(node)
        if behaviour is not None and behaviour not in seen:
            seen.add(behaviour)
            check(grammar, node, behaviour, cost)
        if len(seen) == most:
            break
    print(f"{len(seen)} programs over the literals {grammar.literals}: no false certificate")
    return len(seen)


def every(grammar: Grammar, most: int) -> Iterator[tuple[Node, int]]:
    return ((node, cost) for cost in range(most + 1) for node in grammar.outputs(cost))


def drawn(grammar: Grammar, cost: int) -> Iterator[tuple[Node, int]]:
    rng = np.random.default_rng(cost)
    return ((grammar.random_output(rng, cost), cost) for _ in count())


ONCE_DENIED = [
    (2, "x + has_seen(x, full(x, 0))"),
    (1, "x + full(x, 2)"),
    (1, "full(x, 2) - x"),
    (1, "x <= full(x, 1)"),
    (1, "kqv(x, full(x, 0), full(x, 2), equals, default=1)"),
    (1, "shift_right(full(x, 2), 1, default=1)"),
    (2, "kqv(x, has_seen(x, full(x, 0)), x, equals, default=2)"),
    (2, "kqv(x - x, x, x, equals, default=2)"),
    (3, "shift_right(x == 0, 2, default=1) + x"),
]


@pytest.mark.parametrize(("cost", "text"), ONCE_DENIED)
def test_what_was_once_denied_is_found(cost: int, text: str) -> None:
    names = "equals, full, has_seen, kqv, program, shift_right"
    source = f"from raspl import {names}\n@program\ndef hidden(x):\n    return {text}"
    (program,) = parse(source).values()
    behaviour = INPUTS.behaviour(program.graph)
    assert behaviour is not None
    check(Grammar((0, 1, 2), INPUTS), program.graph.output, behaviour, cost)


def test_a_truth_value_is_an_output_where_one_value_is_wanted() -> None:
    """No literal is 7, so that the constant 1 must come from a truth value."""

    def sample(rng: np.random.Generator, length: int) -> list[int]:
        return [int(token) for token in rng.integers(2, 5, size=length)]

    source = LabelledSource("ones", sample, lambda prefix: 1, literals=(7,))
    assert search(source, Settings(max_length=3)).exhausted < 1


@pytest.mark.parametrize(
    "literals",
    [LITERALS[0], *(pytest.param(more, marks=pytest.mark.slow) for more in LITERALS[1:])],
)
def test_every_program_of_cost_one_and_some_of_cost_two(literals: tuple[int, ...]) -> None:
    grammar = Grammar(literals, INPUTS)
    assert compare(grammar, every(grammar, 1)) > 50
    compare(grammar, drawn(grammar, 2), 40)


@pytest.mark.slow
@pytest.mark.parametrize("literals", LITERALS)
def test_every_program_of_cost_two(literals: tuple[int, ...]) -> None:
    grammar = Grammar(literals, INPUTS)
    assert compare(grammar, every(grammar, 2)) > 600


@pytest.mark.slow
@pytest.mark.parametrize("literals", LITERALS)
def test_programs_of_cost_three(literals: tuple[int, ...]) -> None:
    grammar = Grammar(literals, INPUTS)
    compare(grammar, drawn(grammar, 3), 150)


@pytest.mark.slow
def test_programs_of_cost_four() -> None:
    grammar = Grammar((0, 1), INPUTS)
    compare(grammar, drawn(grammar, 4), 10)
