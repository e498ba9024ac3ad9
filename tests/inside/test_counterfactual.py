"""Counterfactuals against a machine whose variable is overwritten position by position."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from raspl import programs
from raspl.executors.reference import RULES, Machine, RunError
from raspl.inside.counterfactual import column, counterfactual
from raspl.language.generator.programs import Style, random_graph
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Node, Select, Value

LENGTH = 9


def overwritten(
    graph: Graph, tokens: list[int], node: Node, values: list[Value]
) -> list[Value] | None:
    """The definition: the reference's rules, except at one node. None if the program fails."""
    machine = Machine(graph)
    machine._tokens = {}
    for position, token in enumerate(tokens):
        machine._tokens = {graph.inputs[0].name: token}
        try:
            for one in graph.nodes:
                value = values[position] if one is node else RULES[type(one)](machine, one)
                if not isinstance(one, Select):
                    machine.values[one].append(value)
        except RunError:
            return None
        machine.position += 1
    return machine.values[graph.output]


def of(values: list[Value]) -> list[int]:
    return [-1 if value is None else value for value in values]


@pytest.mark.parametrize("seed", range(150))
def test_a_swapped_variable_gives_what_the_rules_give(seed: int) -> None:
    rng = Random(seed)
    graph = random_graph(rng, Style(size=rng.randint(3, 18)))
    nodes = [node for node in graph.nodes if not isinstance(node, Select)]
    node = rng.choice(nodes)
    rows = [[rng.randint(-3, 6) for _ in range(LENGTH)] for _ in range(4)]
    tokens, sizes = np.array(rows), np.full(4, LENGTH)
    mine = column(graph, node, tokens, sizes)
    other = np.roll(mine.values, 1, axis=0)
    values = np.where(np.arange(LENGTH) % 3 == 0, mine.values, other)
    found = counterfactual(graph, node, tokens, sizes, values)
    own = counterfactual(graph, node, tokens, sizes, mine.values)
    output = column(graph, graph.output, tokens, sizes)
    for number, row in enumerate(rows):
        if mine.failed[number] or mine.failed[number - 1]:
            continue
        given: list[Value] = [
            None if value < 0 and node.type.is_index else int(value) for value in values[number]
        ]
        expected = overwritten(graph, row, node, given)
        assert found.failed[number] == (expected is None)
        if expected is not None:
            assert found.values[number].tolist() == of(expected)
        if not output.failed[number]:
            assert own.values[number].tolist() == output.values[number].tolist()


def test_copying_follows_the_swapped_token() -> None:
    graph = programs.load("copy_unique").graph
    (looked_up,) = (node for name, node, _ in graph.names if name == "looked_up")
    tokens = np.array([[0, 5, 7, 9, 1, 5, 7, 9]])
    values = column(graph, looked_up, tokens, np.array([8])).values
    values[0, 6] = 5  # at the 7, ask for what followed the 5
    found = counterfactual(graph, looked_up, tokens, np.array([8]), values)
    assert found.values[0, 4:].tolist() == [5, 7, 7, 2]
