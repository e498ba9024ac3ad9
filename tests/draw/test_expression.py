"""Expressions at a prompt: the values of the same program, and drawings that are only drawings."""

from __future__ import annotations

from html.parser import HTMLParser
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import raspl
from raspl import IllegalProgram, RasplError, equals, indices, kqv, select, shift_right, where
from raspl.draw import Expression, example, x
from raspl.draw.scalars import traced
from raspl.language.generator.functions import random_function

drawn: Any = x
"""The stub speaks of sequences of programs; here they are drawn."""

TEXTS = [
    "indices(x) - 1",
    "x % 3 == 1",
    "(x > 2) & ~(x == 4)",
    "where(x > 2, x, 0)",
    "kqv(x, x, indices(x), equals, reduction='max')",
    "shift_right(x, 2, default=-1) * 2 + 1",
    "num_prev(x, x)",
    "-x // 2",
    "3 - x",
    "2 < x",
    "has_seen(x, 4)",
    "index_select(x, indices(x) - 1)",
    "tok_map(x, lambda a: a * a % 5)",
    "seq_map(x, shift_right(x, 1), max)",
    "aggr(select(x, x, lambda k, q: k < q or k == 4), x, default=9, reduction='min')",
    "tok_map(x, lambda a: 7 if a in (1, 4) else 0 if not a > 2 else a)",
]


@pytest.mark.parametrize("text", TEXTS)
@given(tokens=st.lists(st.integers(-9, 9), min_size=1, max_size=9))
def test_an_expression_is_the_program_that_returns_it(text: str, tokens: list[int]) -> None:
    names = {**vars(raspl), "x": example(tokens)}
    expression = eval(text, names)
    program = raspl.parse(f"def f(x): return {text}", bits=16)["f"]
    assert list(expression.values) == list(program.trace(tokens).columns[-1].values)


@pytest.mark.parametrize("seed", range(200))
def test_a_python_function_is_found_by_calling_it(seed: int) -> None:
    rng = Random(seed)
    arity = rng.choice((1, 2))
    fn = random_function(rng, [False] * arity, 8)
    again = traced(eval(str(fn)), arity, None)
    for _ in range(50):
        given = [rng.randint(-6, 6) for _ in range(arity)]
        assert _value(again, given) == _value(fn, given)


def _value(fn: Any, given: list[int]) -> object:
    try:
        return fn(*given)
    except ZeroDivisionError:
        return "division by zero"


def test_a_table_and_a_grid() -> None:
    assert repr(indices(drawn) + 1) == (
        "x               Int   │ 3 1 4 1 5\nindices(x) + 1  Index │ 1 2 3 4 5"
    )
    assert repr(select(drawn, drawn, lambda k, q: k < q)) == (
        "select(x, x, lambda k, q: k < q)\n"
        "  │ 3 1 4 1 5\n3 │ ·\n1 │ · ·\n4 │ ■ ■ ·\n1 │ · · · ·\n5 │ ■ ■ ■ ■ ·"
    )


def test_letters_go_by_name() -> None:
    letters: Any = example("hello")
    assert repr(where(letters == "l", "o", letters)) == (
        'x                        Int │ h e l l o\nwhere(x == "l", "o", x)  Int │ h e o o o'
    )


def test_programs_of_ones_own_take_part() -> None:
    square = raspl.parse("def square(x): return x * x")["square"]
    made: Any = square(drawn)
    assert made.values == [9, 1, 16, 1, 25]
    assert (made + shift_right(made, 1)).values == [9, 10, 17, 17, 26]
    other = raspl.parse("def square(x): return x + 1")["square"]
    with pytest.raises(RasplError, match="two different programs are called square"):
        _ = made - other(drawn)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: drawn[0], "minimum"),
        (lambda: drawn[1:], "R105"),
        (lambda: drawn + indices(drawn), "don't mix"),
        (lambda: indices(drawn) == 0, "R304"),
        (lambda: drawn / 2, "`//` divides"),
        (lambda: -select(drawn, drawn, equals), "R306"),  # type: ignore[operator]
        (lambda: drawn == "a", "R208"),
        (lambda: kqv(drawn, drawn, drawn, equals, reduction="sum"), "R204"),  # type: ignore[arg-type]
    ],
)
def test_what_is_illegal_gets_the_sentence_of_a_program(wrong: Any, why: str) -> None:
    with pytest.raises(IllegalProgram, match=why):
        wrong()


def test_what_only_python_can_ask_gets_a_sentence_too() -> None:
    for ask in (
        lambda: bool(drawn),
        lambda: list(drawn),
        lambda: drawn * "a".join,
        lambda: example(""),
    ):
        with pytest.raises(RasplError):
            ask()
    with pytest.raises(RasplError, match="different examples"):
        _ = drawn + example([1, 2])
    long = drawn
    for _ in range(11):
        long = long + long
    with pytest.raises(RasplError, match="characters"):
        _ = long + long


def test_a_run_that_fails_is_shown_as_far_as_it_went() -> None:
    assert "R401 overflow" in repr(drawn * 30000)
    assert "R401 overflow" in (drawn * 30000)._repr_html_()


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.cells += data.split()


def test_a_notebook_shows_the_same_and_no_markup_of_a_token() -> None:
    page = Page()
    odd: Expression = example("<b>&")
    page.feed(odd._repr_html_())
    assert [cell for cell in page.cells if cell not in ("x", "Int")] == ["<", "b", ">", "&"]
    assert page.tags <= {"table", "tr", "th", "td", "span"}
    page = Page()
    page.feed(select(drawn, drawn, equals)._repr_html_())  # type: ignore[attr-defined]  # drawn
    assert page.cells.count("■") == 6
