"""The reference executor: what each primitive means, and what goes wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raspl import Program, RasplError, parse
from raspl.executors.inputs import InputError
from raspl.executors.reference import RunError


def only(text: str, bits: int | None = None) -> Program:
    """The one program of a text."""
    (program,) = parse(text, bits).values()
    return program


MEANS = {
    "mean": only("def f(x, v): return kqv(x, x, v, equals)"),
    "max": only("def f(x, v): return kqv(x, x, v, gt, default=9, reduction='max')"),
    "min": only("def f(x, v): return kqv(x, x, v, lt, default=-9, reduction='min')"),
}
PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(-9, 9)), max_size=12)


def test_the_mean_truncates_toward_zero() -> None:
    assert MEANS["mean"]([0, 0], [-1, -2]).tolist() == [-1, -1]
    assert MEANS["mean"]([0, 0], [1, 2]).tolist() == [1, 1]


@given(pairs=PAIRS)
def test_reductions(pairs: list[tuple[int, int]]) -> None:
    x, v = [p for p, _ in pairs], [p for _, p in pairs]
    for i in range(len(x)):
        equal = [v[j] for j in range(i + 1) if x[j] == x[i]]
        above = [v[j] for j in range(i + 1) if x[j] > x[i]]
        below = [v[j] for j in range(i + 1) if x[j] < x[i]]
        assert MEANS["mean"](x, v)[i] == int(sum(equal) / len(equal))
        assert MEANS["max"](x, v)[i] == max(above, default=9)
        assert MEANS["min"](x, v)[i] == min(below, default=-9)


@given(x=st.lists(st.integers(-3, 3), max_size=8), cut=st.integers(0, 8))
def test_programs_are_causal(x: list[int], cut: int) -> None:
    program = only("def f(x): return where(has_seen(x, x - 1), shift_right(x, 1), maximum(x))")
    assert program(x)[:cut].tolist() == program(x[:cut]).tolist()


def test_comparisons_with_none_are_false_but_for_differs() -> None:
    text = "def f(i: Index, j: Index): return tok_map(where(i {0} j, full(i, 1), full(i, 0)), abs)"
    for op in ["==", "<", "<=", ">", ">="]:
        assert only(text.format(op))([None, None, 1], [None, 1, None]).tolist() == [0, 0, 0]
    assert only(text.format("!="))([None, None, 1], [None, 1, None]).tolist() == [1, 1, 1]


def test_none_matches_nothing_in_a_select() -> None:
    for op in ["==", "!=", "<=", ">="]:
        program = only(
            f"def f(i: Index): return aggr(select(i, i, lambda k, q: k {op} q), full(i, 1))"
        )
        assert program([None, None]).tolist() == [0, 0], op
    everything = only("def f(i: Index): return aggr(select(i, i, lambda k, q: True), full(i, 1))")
    assert everything([None, None]).tolist() == [1, 1]


def test_the_successor_of_none_is_none() -> None:
    assert only("def f(i: Index): return i + 3")([None, 0, 4]).tolist() == [-1, 3, 7]


def test_indices_pass_over_none() -> None:
    assert only("def f(i: Index): return maximum(i)")([None, 2, None]).tolist() == [-1, 2, 2]


OVERFLOW = only("def f(x): return (x + 100) * 2")


def test_overflow_names_the_operation_the_position_and_the_value() -> None:
    with pytest.raises(RunError, match=r"<text>:1:19: R401 overflow: `x \+ 100` gives 128 at") as e:
        OVERFLOW([-100, 28])
    assert (e.value.position, e.value.value) == (1, 128)
    with pytest.raises(RunError, match="bits=16"):
        OVERFLOW([27])
    assert only("def f(x): return (x + 100) * 2", bits=16)([28]).tolist() == [256]


def test_the_first_position_fails_first_whatever_the_operation() -> None:
    program = only("def f(x): return (x * 2) + (10 // x)")
    with pytest.raises(RunError, match="R402"):
        program([0, 100])
    with pytest.raises(RunError, match="R401"):
        program([100, 0])


def test_values_inside_of_a_lambda_may_be_large() -> None:
    assert only("def f(x): return tok_map(x, lambda a: a * 100 % 7)")([100]).tolist() == [4]


def test_division_by_zero_in_a_predicate() -> None:
    program = only("def f(x): return kqv(x, x, x, lambda k, q: k // q == 1)")
    with pytest.raises(RunError, match="R402 division by zero"):
        program([1, 0])


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ([1, 300], r"x\[1\] is 300, outside of -128…127"),
        ([1.5], r"x\[0\] is 1.5 \(a float\)"),
        (np.array([float("nan")]), r"nan \(a float\)"),
        (np.zeros((2, 2), dtype=int), "2 dimensions"),
        (np.array(3), "0 dimensions"),
        ([[1, 2]], r"x\[0\] is \[1, 2\] \(a list\)"),
        ("12", "not a sequence"),
        (7, "not a sequence"),
        ([None], "None"),
        (["a"], "str"),
    ],
)
def test_bad_inputs_are_one_sentence(given: Any, says: str) -> None:
    program = only("def f(x): return x")
    with pytest.raises(InputError, match=says) as caught:
        program(given)
    assert "\n" not in str(caught.value)


def test_the_empty_sequence_gives_the_empty_sequence() -> None:
    output = only("def f(x): return indices(x)")([])
    assert output.shape == (0,)
    assert output.dtype == np.int64


def test_bool_inputs_are_0_or_1() -> None:
    program = only("def f(b: Bool): return ~b")
    assert program([1, 0]).tolist() == [0, 1]
    with pytest.raises(InputError, match="b is Bool: 0 or 1"):
        program([2])


def test_many_sequences_by_one_call() -> None:
    succ = only("def f(x): return x + 1")
    results = succ.batch([[1, 2], [], [127]])
    assert [results[0].tolist(), results[1].tolist()] == [[2, 3], []]
    assert list(results.errors) == [2]
    first, second = succ.generate_many([[1], [126]], until=4)
    assert isinstance(first, np.ndarray)
    assert first.tolist() == [1, 2, 3, 4]
    assert isinstance(second, RunError)


def test_numpy_arrays_and_booleans_are_read() -> None:
    program = only("def f(x): return x + 1")
    assert program(np.array([1, 2], dtype=np.int8)).tolist() == [2, 3]
    assert program([True, False]).tolist() == [2, 1]


def test_generation() -> None:
    succ = only("def f(x): return x + 1")
    assert succ.generate([1, 5], until=8).tolist() == [1, 5, 6, 7, 8]
    assert succ.generate([1], limit=3).tolist() == [1, 2, 3, 4]
    named = parse("STOP = 4\ndef f(x): return x + 1")["f"]
    assert named.generate([1], until="STOP").tolist() == [1, 2, 3, 4]
    with pytest.raises(RasplError, match="until='END' is not a token"):
        named.generate([1], until="END")
    with pytest.raises(InputError, match="at least one token"):
        succ.generate([])
    with pytest.raises(InputError, match="not tokens"):
        only("def f(x): return indices(x)").generate([1])
    with pytest.raises(InputError, match="several sequences"):
        only("def f(x, y): return x + y").generate([1])


def test_arity_of_a_call() -> None:
    with pytest.raises(InputError, match="reads 2 sequences"):
        only("def f(x, y): return x + y")([1])
    with pytest.raises(InputError, match="different lengths"):
        only("def f(x, y): return x + y")([1], [1, 2])
    with pytest.raises(RasplError, match="no literal parameter"):
        only("def f(x): return x")([1], n=1)
