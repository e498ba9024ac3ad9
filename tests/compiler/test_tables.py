"""Tables as units, and codes as sums of codes: against the tables and codes themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from raspl import parse
from raspl.compiler import compile
from raspl.compiler.features import Basis, Vector, code_name, extended
from raspl.compiler.lower import lower
from raspl.compiler.residual import unit
from raspl.compiler.tables import Cells, Sum, Way, _ways, bends, best_way
from raspl.compiler.verify import sample, verify

SMALL = st.integers(-6, 6)
SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))


def evaluated(way: Way) -> Cells:
    def of(part: Sum) -> Cells:
        found: Cells = part.constant + part.x[:, None] + part.y
        return found

    return of(way.linear) + sum(
        (weight * np.maximum(of(gate), 0) for weight, gate in way.units), np.int64(0)
    )


@given(data=st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_every_way_computes_the_table_where_it_is_alive(data: st.DataObject) -> None:
    shape = data.draw(SHAPES)
    cells = data.draw(arrays(np.int64, shape, elements=SMALL))
    alive = data.draw(arrays(np.bool_, shape))
    alive[0, 0] = True
    x, y = (
        np.array(sorted(data.draw(st.sets(SMALL, min_size=size, max_size=size)))) for size in shape
    )
    for way in _ways(x, y, cells, alive):
        assert np.array_equal(evaluated(way)[alive], cells[alive])


VALUES = np.arange(-3, 60)
KNOWN: dict[str, tuple[Callable[[Cells, Cells], NDArray[Any]], int]] = {
    "equality": (lambda x, y: x == y, 3),
    "order": (lambda x, y: x < y, 2),
    "sum": (lambda x, y: x + y, 0),
    "digits if both are": (lambda x, y: np.where((x >= 0) & (y >= 0), x + y, 0), 1),
    "mask": (lambda x, y: np.where(y > 7, x, 0), 2),
    "and": (lambda x, y: (x > 3) & (y == 5), 1),
}


@pytest.mark.parametrize("name", KNOWN)
def test_what_programs_compute_takes_few_units(name: str) -> None:
    function, most = KNOWN[name]
    cells = np.asarray(function(VALUES[:, None], VALUES[None])).astype(np.int64)
    way = best_way(VALUES, VALUES, cells, np.ones(cells.shape, dtype=bool))
    assert way is not None
    assert len(way.units) <= most
    assert np.array_equal(evaluated(way), cells)


@given(heights=st.dictionaries(st.integers(-20, 20), SMALL, min_size=1))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_bends_go_through_every_point(heights: dict[int, int]) -> None:
    points = np.array(sorted(heights))
    wanted = np.array([heights[point] for point in points.tolist()])
    found = np.full(len(points), wanted[0]) + sum(
        (bend * np.maximum(points - where, 0) for where, bend in bends(points, wanted)), np.int64(0)
    )
    assert np.array_equal(found, wanted)


@given(codes=st.lists(arrays(np.int64, 5, elements=SMALL), min_size=1, max_size=8))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_code_is_read_as_the_sum_that_it_is(codes: list[Vector]) -> None:
    basis = Basis(5, unit(0))
    stands: dict[int, Vector] = {0: np.ones(5, dtype=np.int64)}
    for number, code in enumerate(codes, 1):
        form = basis.read(code)
        if form is None:
            basis.add(code, unit(number))
            stands[number] = code
            form = basis.read(code)
        assert form is not None
        held = sum((int(w) * stands[dim] for dim, w in form.weights.items()), np.int64(0))
        assert np.array_equal(held * np.ones(5), code)


def test_codes_go_on_at_values_that_are_not_reached() -> None:
    values, wanted = np.array([1, 2, 4]), np.array([0, 1, 2, 3, 4, 5])
    assert extended(values, 2 * values, wanted).tolist() == [0, 2, 4, 6, 8, 10]
    assert extended(values, np.array([5, 1, 1]), wanted).tolist() == [1, 5, 1, 1, 1, 1]


NAMES = {
    "x": [0, 1, 2, 3],
    "x²": [0, 1, 4, 9],
    "x = 2": [0, 0, 1, 0],
    "x = 0, 1 or 3": [1, 1, 0, 1],
    "x ≥ 2": [0, 0, 1, 1],
    "x ≤ 1": [1, 1, 0, 0],
    "x + 2": [2, 3, 4, 5],
    "code of x": [7, 0, 7, 9],
}


@pytest.mark.parametrize(("name", "code"), NAMES.items())
def test_codes_have_names(name: str, code: list[int]) -> None:
    assert code_name("x", np.arange(4), np.array(code)) == name


def test_a_long_program_does_not_run_out_of_stack() -> None:
    lines = [f"    x{n + 1} = where(x{n} == {n % 3}, y, x{n})" for n in range(500)]
    text = "\n".join(["from raspl import *", "def f(x0):", "    y = shift_right(x0, 1)", *lines])
    plan, _ = lower(parse(text + "\n    return x500")["f"].graph, range(3))
    assert len(plan.layers) == 2


def test_a_wild_table_of_many_values_is_exact() -> None:
    text = "from raspl import *\ndef f(x):\n    y = shift_right(x, 1)\n    return {}"
    wild = "seq_map(x, y, lambda a, b: (a * b * 71 + a) % 2039)"
    program = parse(text.format(wild), bits=16)["f"]
    network = compile(program, range(100))
    assert not verify(network, program.graph, sample(network, 5, 0, 60)).mismatches


def test_codes_too_large_for_units_are_added_by_a_unit_each() -> None:
    text = (
        "from raspl import *\ndef f(x):\n    return seq_map(x, shift_right(x, 1), lambda a, b: {})"
    )
    graph = parse(text.format("(a * b) % 7"))["f"].graph
    _, low = lower(graph, range(12))
    code = np.array([0, 1 << 22, 5, -(1 << 22), 77, (1 << 22) + 1, 3])
    form = low.feature(graph.output, code)
    (dim,) = form.weights
    units = [u for layer in low.build.layers() for mlp in layer.mlps for u in mlp if dim in u.out]
    assert sorted(int(u.out[dim]) for u in units) == sorted(n for n in code.tolist() if n)
