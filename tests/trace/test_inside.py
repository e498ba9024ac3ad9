"""Steps of library calls: each is what the graph computes, and they end with the row itself."""

from __future__ import annotations

from random import Random

import pytest

from raspl import parse
from raspl.language.generator.programs import random_graph, random_tokens
from raspl.trace.inside import sources
from raspl.trace.page import payload
from raspl.trace.recording import trace

TEXT = "def f(x):\n    last = argmax(x)\n    return index_select(x, last) + 1\n"


def test_a_call_opens_into_its_operations() -> None:
    shown = parse(TEXT)["f"].trace([3, 1, 4, 1])
    x, last, output = payload(shown)["rows"]
    assert x["steps"] == []
    assert [step["via"] for step in last["steps"]] == ["maximum", "maximum", "lasts", "lasts"]
    assert last["steps"][1]["values"] == [3, 3, 4, 4]
    assert last["steps"][-1]["values"] == list(last["values"]) == [0, 0, 2, 2]
    assert [step["selector"] is None for step in last["steps"]] == [False, True, False, True]
    assert output["steps"][-1]["label"] == "(index_select(…) + 1)"


def test_the_library_is_shown_without_docstrings() -> None:
    texts = sources(parse(TEXT)["f"].trace([1]).with_source(TEXT))
    assert texts["argmax"] == "def argmax(x):\n    return lasts(x, maximum(x))"
    assert {"argmax", "lasts", "maximum", "index_select"} <= set(texts)


@pytest.mark.parametrize("seed", range(40))
def test_steps_of_random_programs_are_the_values_of_their_nodes(seed: int) -> None:
    rng = Random(seed)
    graph = random_graph(rng)
    shown = trace(graph, *(random_tokens(rng, node, 6, range(5)) for node in graph.inputs))
    rows = payload(shown)["rows"]
    known = {tuple(values) for values in shown.values.values()}
    for row in rows:
        for step in row["steps"]:
            assert step["label"]
            assert step["selector"] is not None or tuple(step["values"]) in known
        if row["steps"] and row["steps"][-1]["values"] is not None:
            assert list(row["steps"][-1]["values"]) == list(row["values"])
