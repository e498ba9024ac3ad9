"""The graph: merged subexpressions, order, names."""

from __future__ import annotations

from raspl import parse
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import SelWidth


def graph(text: str) -> Graph:
    return parse(text)["f"].graph


def test_common_subexpressions_become_one_node() -> None:
    once = graph("def f(x): return where(has_seen(x, x), x + 1, x)")
    twice = graph("def f(x): return where(has_seen(x, x), x + 1, where(has_seen(x, x), x, x))")
    assert len(twice.nodes) == len(once.nodes) + 1


def test_equal_lambdas_are_equal_whatever_their_parameters_are_called() -> None:
    merged = graph(
        "def f(x): return tok_map(x, lambda a: a + 1) * tok_map(x, lambda b: b + 1) * (x + 1)"
    )
    assert len(merged.nodes) == 4


def test_zero_and_none_are_not_merged() -> None:
    program = parse(
        "def f(x):\n"
        "    found = where(x == 0, indices(x), full(x, None))\n"
        "    return where(found == found, full(x, 0), x)\n"
    )["f"]
    assert program([5, 0]).tolist() == [5, 0]


def test_widths_of_one_selector_are_computed_once() -> None:
    merged = graph(
        "def f(x):\n"
        "    a = sel_width(select(x, x, equals))\n"
        "    b = sel_width(select(x, x, equals))\n"
        "    return where(a == a + 1, full(x, 1), where(b > b - 1, full(x, 2), full(x, 3)))\n"
    )
    assert sum(isinstance(node, SelWidth) for node in merged.nodes) == 1


def test_nodes_stand_in_evaluation_order() -> None:
    nodes = graph("def f(x): return argmax(num_prev(x, x)) == firsts(x, x)").nodes
    for index, node in enumerate(nodes):
        assert all(arg in nodes[:index] for arg in node.args)


def test_names_are_those_of_the_body_that_the_result_uses() -> None:
    names = graph("def f(x):\n    a = x + 1\n    b = x + 2\n    a = a * 2\n    return a\n").names
    assert [(named.name, named.line) for named in names] == [("a", 2), ("a", 4)]


def test_every_node_has_a_place() -> None:
    for node in graph("def f(x):\n    return mask(x, x > 0)\n").nodes:
        assert node.origin.span.line in (1, 2)
