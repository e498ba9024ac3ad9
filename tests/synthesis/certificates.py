"""What the search rules out, against brute force: `python -m tests.synthesis.certificates`.

A program of the documented grammar, made by `brute_force` and not by the search, labels the
examples. The search must then find a program that costs no more, and rule out less than that.

For each set of literals this takes every program to cost 2, each behaviour once and at the least
cost that brute force knows for it; then random programs of cost 3, and of cost 4 over the first
literals, whose behaviour none of the programs before has. So a program of cost 3 has no cheaper
equal but perhaps a table, and the search really has to go that far.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

import numpy as np

from raspl.language.ir.primitives import Node
from raspl.language.ir.printer import to_source
from raspl.synthesis.engine import search
from raspl.synthesis.examples import LabelledSource
from raspl.synthesis.settings import Settings
from tests.synthesis.brute_force import Behaviour, Grammar, Inputs

INPUTS = Inputs((0, 1, 2), 4)
LITERALS = [(0, 1), (0, 1, 2), (0, 1, 3)]
"""With literals that are tokens, and one that is not."""


class Hidden(NamedTuple):
    """A program that the search is to find, and what brute force knows it to cost at most."""

    node: Node
    behaviour: Behaviour
    cost: int


def check(grammar: Grammar, hidden: Hidden) -> int:
    """What the cheapest find costs: no more than the program, and nothing dearer is ruled out."""
    labels, inputs, cost = grammar.inputs.labels(hidden.behaviour), grammar.inputs, hidden.cost

    def sample(rng: np.random.Generator, length: int) -> list[int]:
        return [int(token) for token in rng.choice(inputs.alphabet, size=length)]

    # The search adds 0 and 1 to the literals of its own accord.
    others = tuple(number for number in grammar.literals if number > 1)
    source = LabelledSource("hidden", sample, lambda prefix: labels[tuple(prefix)], others)
    settings = Settings(
        max_length=inputs.length, held_in=100, max_cost=cost, budget=3600, work=10**15, deep=False
    )
    result = search(source, settings)
    text = to_source(grammar.graph(hidden.node))
    assert result.exhausted < cost, text
    assert result.finds, text
    assert result.finds[0].cost <= cost, text
    return result.finds[0].cost


def distinct(
    grammar: Grammar, programs: Iterator[tuple[Node, int]], seen: set[Behaviour]
) -> Iterator[Hidden]:
    """Programs with their costs, as far as their behaviour has not been seen."""
    for node, cost in programs:
        behaviour = grammar.behaviour(node)
        if behaviour is not None and behaviour not in seen:
            seen.add(behaviour)
            yield Hidden(node, behaviour, cost)


def every(grammar: Grammar, most: int) -> Iterator[tuple[Node, int]]:
    return ((node, cost) for cost in range(most + 1) for node in grammar.outputs(cost))


def drawn(grammar: Grammar, cost: int) -> Iterator[tuple[Node, int]]:
    rng = np.random.default_rng(cost)
    return ((grammar.random_output(rng, cost), cost) for _ in count())


def compared(
    literals: tuple[int, ...], of_three: int, of_four: int
) -> Iterator[tuple[Grammar, Hidden]]:
    """What is compared over these literals: all of cost 2 and less, then so many dearer ones."""
    grammar = Grammar(literals, INPUTS)
    seen: set[Behaviour] = set()
    for hidden in distinct(grammar, every(grammar, 2), seen):
        yield grammar, hidden
    for cost, number in (3, of_three), (4, of_four):
        some = distinct(grammar, drawn(grammar, cost), seen)
        for _, hidden in zip(range(number), some, strict=False):
            yield grammar, hidden


def main() -> int:
    """Look for a false certificate, and print the program that it denies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of-three", type=int, default=400, help="programs of cost 3 per literals")
    parser.add_argument("--of-four", type=int, default=20, help="programs of cost 4")
    parser.add_argument(
        "--literals", type=int, nargs="*", choices=range(len(LITERALS)), default=[0, 1, 2]
    )
    given = parser.parse_args()
    begin = time.process_time()
    total: Counter[int] = Counter()
    for at in given.literals:
        found: Counter[tuple[int, int]] = Counter()
        for grammar, hidden in compared(LITERALS[at], given.of_three, given.of_four * (at == 0)):
            try:
                cost = check(grammar, hidden)
            except AssertionError as error:
                print(f"a false certificate at cost {hidden.cost}:\n{error}")
                return 1
            found[hidden.cost, cost] += 1
            total[hidden.cost] += 1
            if total.total() % 100 == 0:
                spent = time.process_time() - begin
                print(f"{total.total():,} programs, {spent:.0f} s", file=sys.stderr)
        told = ", ".join(
            f"{many:,} of cost {cost} found at {at_cost}"
            for (cost, at_cost), many in sorted(found.items())
        )
        print(f"literals {LITERALS[at]}: {told}", flush=True)
    told = ", ".join(f"{many:,} of cost {cost}" for cost, many in sorted(total.items()))
    print(f"{total.total():,} programs ({told}): no false certificate")
    return 0


if __name__ == "__main__":
    sys.exit(main())
