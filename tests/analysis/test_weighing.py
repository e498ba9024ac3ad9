"""What weighs: counts and means of different values; nothing that one selected key tells."""

from __future__ import annotations

from random import Random

import pytest

from raspl import parse, programs
from raspl.analysis.weighing import weighs
from raspl.executors.reference import Machine, RunError
from raspl.language.generator.programs import Style, random_graph
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Aggr, Node, SelWidth, Value


def graph_of(body: str) -> Graph:
    return parse(f"def f(x): return {body}")["f"].graph


@pytest.mark.parametrize(
    "body",
    [
        "has_seen(x, full(x, 3))",
        'kqv(x, x, x, lt, reduction="max")',
        "kqv(x, full(x, 3), x, equals)",
        "index_select(x, indices(x) - 1)",
        "induct(x, x, 1)",
    ],
)
def test_one_key_tells(body: str) -> None:
    assert not weighs(graph_of(body))


@pytest.mark.parametrize(
    "body",
    [
        "kqv(x, x, x, lambda k, q: True)",
        "kqv(x, x, x, lt)",
        "index_select(x, argmax(num_prev(x, x)))",
    ],
)
def test_all_keys_count(body: str) -> None:
    assert weighs(graph_of(body))


def test_of_what_ships_mode_alone_counts() -> None:
    assert weighs(programs.load("mode").graph)
    assert not weighs(programs.load("sort").graph)
    assert not weighs(programs.load("conjunction").graph)


def test_the_means_of_a_program_that_does_not_weigh_are_of_equal_values() -> None:
    """On random programs, against what the reference executor selects."""
    rng = Random(7)
    looked_at = 0
    for _ in range(1500):
        graph = random_graph(rng, Style(size=rng.randint(2, 9), depth=3, bits=8, inputs=1))
        if weighs(graph):
            continue
        assert not any(isinstance(node, SelWidth) for node in graph.nodes)
        means = [node for node in graph.nodes if isinstance(node, Aggr)]
        means = [node for node in means if node.reduction == "mean" and not node.type.is_index]
        for node, values in _selected(graph, means, [rng.randint(-3, 6) for _ in range(12)]):
            looked_at += 1
            assert len(set(values)) <= 1, node
    assert looked_at > 500


def _selected(
    graph: Graph, means: list[Aggr], tokens: list[int]
) -> list[tuple[Node, tuple[Value, ...]]]:
    """The values that each mean is taken of, at every position that the program gets to."""
    machine = Machine(graph)
    found: list[tuple[Node, tuple[Value, ...]]] = []
    for token in tokens:
        try:
            machine.step(token)
        except RunError:
            break
        for node in means:
            rows = zip(machine.values[node.v], machine.rows[node.s], strict=True)
            found.append((node, tuple(value for value, is_selected in rows if is_selected)))
    return found
