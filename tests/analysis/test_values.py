"""Value sets omit nothing that is reached, and know what they should."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from raspl import Program, parse
from raspl.analysis.values import LIMIT, infer
from raspl.executors import reference
from tests.sampling import Case, Columns, cases


def only(text: str) -> Program:
    """The one program of a text."""
    (program,) = parse(text).values()
    return program


def result(text: str, alphabet: Any = None, limit: int = LIMIT) -> list[int]:
    """The set of the output."""
    graph = only(text).graph
    return [int(value) for value in infer(graph, alphabet, limit)[graph.output]]


def failure(machine: reference.Machine, columns: Columns) -> reference.RunError | None:
    """Run to the end or to an error."""
    try:
        for tokens in zip(*columns, strict=True):
            machine.step(*tokens)
    except reference.RunError as error:
        return error
    return None


def observed(case: Case, limit: int) -> None:
    """Run the reference and look for anything that the sets omit."""
    values = infer(case.graph, case.alphabet, limit)
    for columns in case.batch:
        machine = reference.Machine(case.graph)
        error = failure(machine, columns)
        if error is not None:
            assert error.node in (values.overflows if error.code == "R401" else values.divides)
        for node, column in machine.values.items():
            if node.type.is_int:
                assert set(column) <= set(values[node].tolist())
            else:
                assert None not in column or node in values.nullable


@given(case=cases())
@settings(deadline=None, max_examples=300)
def test_every_observed_value_lies_in_its_set(case: Case) -> None:
    observed(case, LIMIT)


@given(case=cases())
@settings(deadline=None, max_examples=150)
def test_sets_omit_nothing_when_tables_are_cut(case: Case) -> None:
    observed(case, limit=10)


def test_two_functions_of_one_token_are_not_taken_for_independent() -> None:
    assert result("def f(x): return x - x", range(50)) == [0]
    assert result("def f(x): return seq_map(x + 1, x % 2, lambda a, b: a * b)", range(4)) == [
        0,
        2,
        4,
    ]


def test_both_branches_must_have_gone_well() -> None:
    assert result("def f(x): return where(x == 0, full(x, 9), 6 // x)", range(4)) == [2, 3, 6]


def test_a_mean_can_be_anything_between() -> None:
    assert result("def f(x): return kqv(x, x, x, leq)", [0, 4, 9]) == list(range(10))
    assert result("def f(x): return kqv(x, x, x, gt, default=-7, reduction='max')", [0, 4, 9]) == [
        -7, 4, 9,
    ]  # fmt: skip


def test_a_look_up_is_no_mean() -> None:
    assert result("def f(x): return shift_right(x, 1, default=3)", [0, 9]) == [0, 3, 9]


def test_the_default_never_shows_where_everything_is_selected() -> None:
    assert result("def f(x): return maximum(x)", [2, 5]) == [2, 5]


def test_overflow_is_proved_impossible() -> None:
    graph = only("def f(x): return (x + 1) * 10").graph
    assert infer(graph, range(10)).is_safe
    assert [node for node in graph.nodes if node in infer(graph, range(13)).overflows]


def test_the_whole_width_comes_in_without_an_alphabet() -> None:
    assert result("def f(x): return x") == list(range(-128, 128))
    assert result("def f(x): return x % 10") == list(range(10))
