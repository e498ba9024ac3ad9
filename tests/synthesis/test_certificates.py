"""What the search rules out is ruled out: its certificates against brute force.

`python -m tests.synthesis.certificates` compares many more programs.
"""

from itertools import islice

import numpy as np
import pytest

from raspl.loading import parse
from raspl.synthesis.engine import search
from raspl.synthesis.examples import LabelledSource
from raspl.synthesis.settings import Settings
from tests.synthesis.brute_force import Behaviour, Grammar
from tests.synthesis.certificates import INPUTS, LITERALS, Hidden, check, distinct, drawn, every

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
    check(Grammar((0, 1, 2), INPUTS), Hidden(program.graph.output, behaviour, cost))


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
    seen: set[Behaviour] = set()
    cheap = list(distinct(grammar, every(grammar, 1), seen))
    assert len(cheap) > 50
    for hidden in [*cheap, *islice(distinct(grammar, drawn(grammar, 2), seen), 40)]:
        check(grammar, hidden)
