"""Texts that were once accepted, or refused for the wrong reason, and what is said of them now."""

from __future__ import annotations

import pytest

from raspl import parse
from raspl.executors import batch, reference, stream
from raspl.executors.reference import RunError
from raspl.language.source import Source
from raspl.loading import check_source

REFUSED = {
    "def f(x, x):\n    return x": ("R114", "`x` names two parameters"),
    "def f(x, n=1, *, n=2):\n    return x": ("R114", "`n` names two parameters"),
    "def f(x):\n    return seq_map(x, x, lambda a, a: a)": ("R206", "have one name"),
    "def f(x):\n    return x\ndef f(x):\n    return x + 1": ("R109", "`f` is defined twice"),
    "def f(x):\n    return where(*[x == 1, x, x])": ("R202", "can't be unpacked"),
    "def f(x):\n    return where(x == 1, *[x, x])": ("R202", "can't be unpacked"),
    "def f(x):\n    return tok_map(x, lambda a: max(a, 1, 2))": ("R206", "takes two arguments"),
    "def f(x):\n    return tok_map(x, lambda a: abs(a, a))": ("R206", "takes one argument"),
    "def f(x):\n    return kqv(x, x, lt, x)": ("R206", "`lt` is a function, and `v` must be"),
    "def f(x):\n    return tok_map(lambda a: -a, x)": ("R206", "and `x` must be a sequence"),
    "def f(x):\n    return where(lt, x, x)": ("R113", "`lt` is a function, and a sequence is"),
    "def f(x):\n    return shift_right(x, -1)": ("W006", "looks 1 position ahead"),
    "def g(x, n: int):\n    return shift_right(x, n)\ndef f(x):\n    return g(x, -2)": (
        "W006",
        "looks 2 positions ahead",
    ),
    "def f(x):\n    return shift_left(x, 1)": ("R201", "never what comes after"),
    "def f(x, c: Count):\n    return c + x": (
        "R302",
        "`c` (Count of input 2) and `x` (Int) don't mix",
    ),
    "def f(x):\n    y: Index = x\n    return y": ("R114", "declared Index and is of type Int"),
    "def f(x):\n    y: Bool = x\n    return y": ("R114", "declared Bool and is of type Int"),
    "def f(x):\n    y: str = x\n    return y": ("R114", "`str` is not a type of RASP-L"),
    "def f(x):\n    y: Int = 5\n    return x + y": ("R114", "is a literal"),
    "def f(x):\n    return tok_map(x, lambda a: ~(1 - 1))": ("R309", "could mean two things"),
    "def f(x):\n    return tok_map(x, lambda a: ~(a - a))": ("R309", "could mean two things"),
    "def f(x):\n    return tok_map(x, lambda a: ~a)": ("R309", "could mean two things"),
    "N = 1\ndef f(x):\n    return tok_map(x, lambda a: ~N)": ("R309", "could mean two things"),
    "def f(x):\n    return tok_map(x, lambda a: ~int(a > 1))": ("R309", "could mean two things"),
    "def g(a): return ~a\ndef f(x):\n    return tok_map(x, g)": ("R309", "could mean two things"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_one_sentence_says_what_is_wrong(text: str) -> None:
    code, words = REFUSED[text]
    (diagnostic,) = check_source(Source(text)).diagnostics
    assert diagnostic.rule.code == code
    assert words in diagnostic.message


def test_arguments_in_the_wrong_order_are_told_the_order() -> None:
    (diagnostic,) = check_source(Source("def f(x):\n    return kqv(x, x, lt, x)")).diagnostics
    assert diagnostic.instead == "the order of the arguments is kqv(k, q, v, pred)"


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("tok_map(x, lambda a: ~(a == 1))", [1, 0, 1]),
        ("tok_map(x == 1, lambda a: ~a)", [1, 0, 1]),
        ("tok_map(x, lambda a: ~(a == 1 and a == 1))", [1, 0, 1]),
        ("tok_map(x, lambda a: ~(True if a == 1 else False))", [1, 0, 1]),
        ("tok_map(x, lambda a: ~(1 if a == 1 else 0))", [1, 0, 1]),
        ("tok_map(x, lambda a: ~~(not a))", [1, 0, 0]),
        ("tok_map(x, lambda a: ~bool(a))", [1, 0, 0]),
        ("tok_map(x, lambda a: -1 - a)", [-1, -2, -3]),
    ],
)
def test_tilde_is_the_logical_not_of_truth_values(body: str, values: list[int]) -> None:
    assert parse(f"def f(x): return {body}")["f"]([0, 1, 2]).tolist() == values


def test_declared_types_that_hold_are_accepted() -> None:
    text = """
def f(x):
    i: Index = indices(x)
    c: Count = sel_width(select(x, x, equals))
    b: Bool = c == c
    y: Int = b
    nowhere: Index = full(x, None)
    n: int = 2
    return where(nowhere == i, x, y + n)
"""
    assert check_source(Source(text)).ok


def test_a_value_with_two_names_is_one_value() -> None:
    text = "def f(x):\n    a = b = sel_width(select(x, x, equals))\n    return a == b\n"
    assert parse(text)["f"]([1, 2]).tolist() == [1, 1]


FIRST = {
    # The operation that is named, by its source.
    "def f(x):\n    a = x + 100\n    b = x * 100\n    return b - a": "x + 100",
    "def f(x):\n    a = x * 100\n    b = x + 100\n    return where(x == 1, b, a)": "x * 100",
    "def f(x):\n    return where(x == 1, x * 100, x + 100)": "x * 100",
    "def f(x):\n    a = 1 // (x - 100)\n    b = x + 100\n    return b + a": "1 // (x - 100)",
    "def f(x):\n    a = x + 100\n    s = select(x, x, lambda k, q: 1 // (k - 100) > q)\n"
    "    return aggr(s, x) + a": "x + 100",
    "def h(x):\n    return x * 100\ndef f(x):\n    a = x + 100\n    return h(x) + a": "x + 100",
    "def f(x):\n    a = x + 100\n    b = x * 100\n    c = x + 100\n    return b + c + a": "x + 100",
}


@pytest.mark.parametrize("text", FIRST)
def test_of_two_failures_at_one_position_the_first_in_the_source_is_named(text: str) -> None:
    graph = parse(text)["f"].graph
    places = []
    for run in (reference.run, stream.run):
        with pytest.raises(RunError) as caught:
            run(graph, [100])
        places.append(caught.value.node.origin.span)
    places.append(batch.run(graph, [[100]]).errors[0].node.origin.span)
    assert len(set(places)) == 1
    assert places[0].snippet == FIRST[text]


def test_constants_are_those_that_python_would_calculate() -> None:
    text = "N = 7 // 2\nN += 4\nN *= 2\nM = -N % 5\ndef f(x):\n    return x + N * 5 + M\n"
    python: dict[str, int] = {}
    exec(text.partition("def")[0], python)
    assert parse(text)["f"]([0]).tolist() == [python["N"] * 5 + python["M"]]


@pytest.mark.parametrize("constant", ["1 // 0", "1 % 0", "2 ** 3", "1 / 1"])
def test_what_is_no_constant_is_not_known(constant: str) -> None:
    text = f"N = {constant}\ndef f(x):\n    return x + N\n"
    assert [d.rule.code for d in check_source(Source(text)).diagnostics] == ["R201"]
