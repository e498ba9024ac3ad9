"""Random programs are legal, of the size that was asked for, and print as their own source."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from raspl import parse, programs
from raspl.language.generator.programs import Style, random_graph
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import PRIMITIVES, REDUCTIONS, Aggr, Input, Node, SelWidth
from raspl.language.ir.printer import shape, to_source
from raspl.program import library_programs

STYLES = st.builds(
    Style,
    size=st.integers(1, 30),
    depth=st.integers(1, 6),
    bits=st.sampled_from((8, 16)),
    inputs=st.integers(1, 3),
)


def reparsed(graph: Graph) -> Graph:
    """The graph of the printed source."""
    (program,) = parse(to_source(graph)).values()
    return program.graph


@given(seed=st.integers(0, 2**32), style=STYLES)
def test_a_random_program_parses_back_to_its_own_graph(seed: int, style: Style) -> None:
    graph = random_graph(Random(seed), style)
    assert shape(reparsed(graph)) == shape(graph), to_source(graph)


@given(seed=st.integers(0, 2**32), style=STYLES)
def test_size_and_depth_are_kept(seed: int, style: Style) -> None:
    graph = random_graph(Random(seed), style)
    depth: dict[Node, int] = {}
    for node in graph.nodes:
        below = max((depth[arg] for arg in node.args), default=0)
        depth[node] = below + isinstance(node, Aggr | SelWidth)
    assert depth[graph.output] <= style.depth
    # A head is two nodes, its selector and its reduction, and a look-up makes its own keys.
    assert len(graph.nodes) <= 4 * style.size + style.inputs


def test_the_whole_language_is_drawn() -> None:
    graphs = [random_graph(Random(seed), Style(size=20, inputs=3)) for seed in range(200)]
    nodes = [node for graph in graphs for node in graph.nodes]
    assert {type(node) for node in nodes} == {Input, *PRIMITIVES}
    assert {node.type.kind for node in nodes} >= {"Int", "Bool", "Index", "Count", "Null"}
    assert {node.reduction for node in nodes if isinstance(node, Aggr)} == set(REDUCTIONS)


def test_shipped_programs_print_as_source_of_the_same_graph() -> None:
    for name in programs.NAMES:
        graph = programs.load(name).graph
        assert shape(reparsed(graph)) == shape(graph), name


def test_names_of_inputs_that_hide_the_core_are_worked_around() -> None:
    text = "def max(full, v1):\n    return aggr(select(full, v1, gt), full + 1, reduction='max')"
    (program,) = parse(text).values()
    assert shape(reparsed(program.graph)) == shape(program.graph)


def test_library_functions_print() -> None:
    for name, program in library_programs().items():
        if name not in ("shift_right", "induct", "induct_kqv", "induct_prev"):
            assert shape(reparsed(program.graph)) == shape(program.graph), name
