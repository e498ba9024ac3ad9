"""Every table has a rule for every primitive and reduction, and says so where it has none.

That random programs draw them all is tested with the generator.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, cast

import numpy as np
import pytest

import raspl
from raspl.analysis import cost, values
from raspl.compiler.lower import lower
from raspl.executors import batch, reference, stream
from raspl.executors.reductions import HEAD_KINDS, KEEPS_CONSTANTS
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import PRIMITIVES, REDUCTIONS, Aggr, Node
from raspl.language.ir.printer import to_source
from raspl.language.ir.tables import MissingRule, Rules
from raspl.language.ir.types import INT
from raspl.synthesis.bank import Bank
from raspl.synthesis.catalogue import MAPS, SELECTORS
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import Rule, Term
from raspl.synthesis.enumeration import candidates, leaves
from raspl.synthesis.examples import Example
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.kernels import Everything, reduce
from raspl.synthesis.scope import Scope

ROOMS = ("language", "analysis", "executors", "compiler")
PARTIAL = {"SIGN", "BETTER"}
"""Tables of max and min, which only their rules look into."""


def modules(name: str) -> Iterator[Any]:
    """The modules of a room."""
    room = import_module(f"raspl.{name}")
    yield room
    for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
        if found.name not in ("raspl.language.library", "raspl.compiler.lens"):
            yield import_module(found.name)


TABLES = {
    f"{module.__name__}.{name}": table
    for room in ROOMS
    for module in modules(room)
    for name, table in vars(module).items()
    if isinstance(table, Rules)
}
OF_PRIMITIVES = {
    "raspl.language.ir.printer.RULES",
    "raspl.analysis.values.RULES",
    "raspl.analysis.cost.ATTRIBUTES",
    "raspl.executors.reference.RULES",
    "raspl.executors.stream.code.RULES",
    "raspl.executors.batch.executor.RULES",
    "raspl.compiler.lower.RULES",
}
OF_REDUCTIONS = {
    "raspl.analysis.values.REACHED",
    "raspl.executors.reductions.KEEPS_CONSTANTS",
    "raspl.executors.reference.REDUCED",
    "raspl.executors.stream.heads.SUMMARIES",
    "raspl.executors.batch.values.READS_VALUES",
    "raspl.compiler.heads.REDUCED",
    "raspl.compiler.heads.VERB",
}


def test_the_tables_are_found() -> None:
    assert TABLES.keys() >= OF_PRIMITIVES | OF_REDUCTIONS


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_is_complete(name: str) -> None:
    table = TABLES[name]
    keys = set(table)
    if name in OF_PRIMITIVES or any(isinstance(key, type) for key in keys):
        assert keys >= set(PRIMITIVES)
    elif keys & set(HEAD_KINDS) and name.rpartition(".")[2] not in PARTIAL:
        assert keys >= set(REDUCTIONS)
        assert not keys & {"count", "any"} or keys == set(HEAD_KINDS)


def test_the_search_makes_every_primitive_and_reduction() -> None:
    layout = Layout((Example((5, 0, -7), (1, 0, -1)), Example((0, 5), (0, 1))))
    bank = Bank(layout, 10**9)
    for block in leaves(layout, (0, 1)):
        bank.add(block)
    bank.close()
    rules: dict[Rule, Term] = {}
    for level in (1, 2):
        for block in candidates(Scope(bank, (0, 1), False), level):
            if block.values.shape[1]:
                args = tuple(int(arg[0]) for arg in block.args)
                rules.setdefault(block.rule, bank.compose(block.rule, args))
            bank.add(block)
        bank.close()
    nodes = {type(node) for term in rules.values() for node in to_graph(term, 8).nodes}
    assert nodes >= set(PRIMITIVES)
    assert {rule.reduction for rule in rules} >= set(REDUCTIONS)
    assert {rule.name for rule in rules} | NOT_ENUMERATED == {*MAPS, *SELECTORS}


NOT_ENUMERATED = {"literal", "none", "indices", "truth", "table", "peak", "balance"}
"""What costs nothing, what is decided at the output, and what costs more than is tried here."""


SELECTS = {
    "never": "select(x, x, lambda k, q: False)",
    "all": "select(x, x, lambda k, q: True)",
    "all kept": "select(x, x, lambda k, q: k > 0)",
    "look-up": "select(indices(x), lasts(x, x), equals)",
    "fixed look-up": "select(indices(x) + 1, indices(x), equals)",
    "equal": "select(x, x, equals)",
    "different": "select(x, x, lambda k, q: k != q)",
    "ordered": "select(x, x, lt)",
    "table": "select(x, x, lambda k, q: (k * q) % 3 == 1)",
}
VALUES = {"values": "x", "a constant": "full(x, 3)", "indices": "indices(x)"}
MEANINGS: dict[str, Callable[[Graph], object]] = {
    "reference": lambda graph: reference.run(graph, [1, 2, 1]),
    "stream": lambda graph: stream.run(graph, [1, 2, 1]),
    "batch": lambda graph: batch.run(graph, [[1, 2, 1], [0]]),
    "value sets": lambda graph: values.infer(graph, range(4)),
    "compiler": lambda graph: lower(graph, range(3)),
}


def forgotten_reduction(select: str, value: str) -> Graph:
    """A program whose head reduces in a way that no table knows."""
    text = f"def f(x):\n    return aggr({select}, {value}, reduction='max')\n"
    graph = raspl.parse(text)["f"].graph
    assert isinstance(graph.output, Aggr)
    return replace(graph, output=replace(graph.output, reduction=cast(Any, "median")))


@pytest.mark.parametrize("meaning", MEANINGS)
@pytest.mark.parametrize("select", SELECTS)
@pytest.mark.parametrize("value", VALUES)
def test_a_forgotten_reduction_is_an_error(meaning: str, select: str, value: str) -> None:
    graph = forgotten_reduction(SELECTS[select], VALUES[value])
    with pytest.raises(MissingRule, match="has no rule for 'median'"):
        MEANINGS[meaning](graph)


@pytest.mark.parametrize("meaning", ["stream", "batch", "compiler"])
@pytest.mark.parametrize("select", [name for name in SELECTS if name != "never"])
def test_a_reduction_that_only_the_first_tables_know_is_an_error(
    meaning: str, select: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a table before knows does not carry a reduction through the ones behind it."""
    monkeypatch.setitem(values.REACHED, cast(Any, "median"), lambda reached: reached)
    monkeypatch.setitem(KEEPS_CONSTANTS, cast(Any, "median"), False)
    graph = forgotten_reduction(SELECTS[select], "x")
    name = "the compiler" if meaning == "compiler" else f"the {meaning} executor"
    with pytest.raises(MissingRule, match=f"{name} .* has no rule for 'median'"):
        MEANINGS[meaning](graph)


def test_a_forgotten_reduction_is_an_error_in_every_method_of_the_batch() -> None:
    """Each is reached by itself: which one a head takes depends on the size of the batch."""
    from raspl.executors.batch import heads, scan
    from raspl.executors.batch.values import Values

    column = np.array([[1, 2, 1]], dtype=np.int32)
    made = Values(cast(Any, "median"), column, None)
    mask, count = np.ones((1, 3, 3), dtype=bool), np.ones((1, 3))
    table = scan.Table(column, column, np.ones((3, 3), dtype=bool), np.arange(3))
    methods: list[Callable[[], object]] = [
        lambda: heads.running(made, None),
        lambda: heads.shifted(made, 1),
        lambda: heads.looked_up(made, column, None),
        lambda: heads.Events.of(column, column, 3, None, None).reduced(made),
        lambda: heads._matrix(made, mask, count, column[:, None, :]),
        lambda: scan.equal(made, column, column, 3, None),
        lambda: scan.related(made, table),
    ]
    for method in methods:
        with pytest.raises(MissingRule, match=r"the batch executor .* has no rule for 'median'"):
            method()


def test_a_forgotten_reduction_is_an_error_in_the_search() -> None:
    everything = Everything(2, np.dtype(np.int8), [])
    for reduction in REDUCTIONS:
        assert len(reduce(everything, [(reduction, np.zeros((2, 1), np.int8))])) == 1
    with pytest.raises(MissingRule, match="the search"):
        reduce(everything, [(cast(Any, "median"), np.zeros((2, 1), np.int8))])


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Forgotten(Node):
    """A primitive that no table knows."""

    x: Node

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.x,)


@pytest.mark.parametrize(
    "meaning", [*MEANINGS, "description length", "printer"]
)  # fmt: skip
def test_a_forgotten_primitive_is_an_error(meaning: str) -> None:
    graph = raspl.parse("def f(x):\n    return x + 1\n")["f"].graph
    node = Forgotten(type=INT, origin=graph.output.origin, x=graph.output)
    others = {"description length": cost.measure, "printer": to_source}
    with pytest.raises(MissingRule, match="has no rule for Forgotten"):
        (MEANINGS | others)[meaning](replace(graph, output=node))
