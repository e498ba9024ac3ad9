"""Smaller plans compute the same, and are no larger than they need to be."""

from __future__ import annotations

from random import Random

import torch
from hypothesis import given, settings

from raspl import parse, programs
from raspl.compiler import compile
from raspl.compiler.assemble import assemble
from raspl.compiler.context import Refused
from raspl.compiler.features import listed
from raspl.compiler.lower import lower
from raspl.compiler.report import size
from raspl.compiler.simplify import simplify
from raspl.compiler.verify import random_columns
from tests.compiler.examples import ALPHABETS
from tests.sampling import Case, cases


@given(case=cases())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_simplified_plan_computes_the_same(case: Case) -> None:
    try:
        plan, _ = lower(case.graph, case.alphabet)
    except Refused:
        return
    inputs = [node.name for node in case.graph.inputs]
    before, after = (assemble(p, "f", inputs, []) for p in (plan, simplify(plan)))
    assert len(after.description.dims) <= len(before.description.dims)
    length = min(30, before.longest)
    columns = random_columns(before, Random(0), length)
    if length:
        logits = [network(network.numbers(*columns)) for network in (before, after)]
        # Where the program fails, both say nothing meaningful, but the same.
        assert torch.equal(*logits)


def test_only_what_is_asked_of_a_variable_is_kept() -> None:
    program = parse("from raspl import *\ndef f(x):\n    return has_seen(x, full(x, 3))")["f"]
    network = compile(program, range(100))
    held = [name for name in network.description.dims if name.startswith("x = ")]
    assert len(held) <= 2
    assert network.predict([1, 3, 50]).tolist() == [0, 1, 1]


def test_the_size_does_not_depend_on_how_it_is_used() -> None:
    network = compile(programs.load("mode_paper"), ALPHABETS["mode_paper"])
    before = size(network)
    network.predict([1] * 1000)
    assert size(network) == before


def test_values_are_listed_in_words() -> None:
    assert listed([3]) == "3"
    assert listed([1, 2, 5]) == "1, 2 or 5"
