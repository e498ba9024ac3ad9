"""Declarations: what a primitive says of itself is true."""

from __future__ import annotations

import inspect
import re
from ast import literal_eval

import pytest

import raspl
from raspl.language.ir.primitives import CORE, PRIMITIVES, Node

GIVEN = re.compile(r"\b([a-z]) = (\[[^]]*\])")
EXAMPLE = re.compile(r"^    (.+?)  # (.+)$", re.MULTILINE)


@pytest.mark.parametrize("name", CORE)
def test_the_typing_rule_takes_what_the_signature_says(name: str) -> None:
    declared = CORE[name]
    site, *taken = inspect.signature(declared.build).parameters.values()
    assert site.name == "site"
    assert [parameter.name for parameter in taken] == list(declared.parameters)
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in taken)
    for parameter in taken:
        known = declared.parameters[parameter.name]
        assert parameter.default == (known.default if known.optional else parameter.empty)


@pytest.mark.parametrize("name", CORE)
def test_examples_in_docstrings_are_true(name: str) -> None:
    doc = CORE[name].doc
    inputs = {word: literal_eval(values) for word, values in GIVEN.findall(doc)}
    examples = EXAMPLE.findall(doc)
    assert any(f"{name}(" in expression for expression, _ in examples)
    for expression, shown in examples:
        text = f"def f({', '.join(inputs)}):\n    return {expression}\n"
        result = raspl.parse(text)["f"](*inputs.values())
        assert " ".join(map(str, result.tolist())) == shown, expression


def test_a_composite_is_no_primitive() -> None:
    assert {CORE[name].maker for name in CORE} - set(PRIMITIVES) == {CORE["kqv"].maker}
    assert all(issubclass(primitive, Node) for primitive in PRIMITIVES)


def test_heads_are_what_reads_a_selector() -> None:
    graph = raspl.parse("def f(x): return where(x == 1, maximum(x), firsts(x, x) == indices(x))")
    heads = [node for node in graph["f"].graph.nodes if node.is_head]
    assert [type(node).__name__ for node in heads] == ["Aggr", "Aggr"]
