"""What is offered at a place, also in a text that is not finished."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raspl import assist
from raspl.assist.names import language_names


def at(text: str) -> tuple[str, int, int]:
    """A text with `|` where the cursor is."""
    before, _, after = text.partition("|")
    lines = before.split("\n")
    return before + after, len(lines), len(lines[-1]) + 1


def names(text: str) -> list[str]:
    return [item["name"] for item in assist.complete(*at(text))["items"]]


def test_functions_come_with_their_signatures() -> None:
    answer = assist.complete(*at("def f(x):\n    return shif|"))
    assert answer["from"] == 12
    assert answer["items"][0]["name"] == "shift_right"
    assert answer["items"][0]["signature"] == "shift_right(x, n, default=None)"
    assert "moved n positions later" in answer["items"][0]["doc"]


def test_own_names_are_offered_where_they_are_known() -> None:
    text = (
        "END = 7\ndef g(y, n=1):\n    return y\ndef f(x):\n    seen = x\n    a = {}|\n    seed = 1"
    )
    assert names(text.format("se"))[0] == "seen"
    assert "seed" not in names(text.format("se"))
    assert names(text.format("EN"))[0] == "END"
    assert "y" not in names(text.format("y"))
    assert names("def helper(y):\n    return y\ndef f(x):\n    return hel|") == ["helper"]


def test_inside_a_call_every_name_and_the_keywords_are_offered() -> None:
    offered = names("def f(x):\n    return kqv(x, x, x, equals, |")
    assert offered[:2] == ["default=", "reduction="]
    assert {"x", "indices"} <= set(offered)
    assert names('def f(x):\n    return kqv(x, x, x, equals, reduction="m|')[:3] == [
        "mean",
        "max",
        "min",
    ]


@pytest.mark.parametrize(
    "text",
    ["# full|", "def fu|", "def f(x):\n    return x + 1|", "def f(x):\n    a = 'fu|", "x.fu|", "|"],
)
def test_nothing_is_offered_where_no_name_can_stand(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "name", "active"),
    [
        ("kqv(|", "kqv", 0),
        ("kqv(x, shift_right(x, 1), |", "kqv", 2),
        ("kqv(x, shift_right(x, |", "shift_right", 1),
        ("kqv(x, x, x, lambda k, q: k, reduction=|", "kqv", 5),
        ("kqv(x, x, x, lambda k, q: k, |", "kqv", 4),
        ("kqv(\n  x,\n  |", "kqv", 1),
        ("g(x, |", "g", 1),
    ],
)
def test_the_signature_of_the_call_that_is_written(text: str, name: str, active: int) -> None:
    call = assist.signature(*at(f"def g(a, b):\n    return a\ndef f(x):\n    return {text}"))
    assert call is not None
    assert call["name"] == name
    assert call["active"] == active


def test_no_signature_outside_of_calls() -> None:
    assert assist.signature(*at("def f(x|")) is None
    assert assist.signature(*at("def f(x):\n    return full(x, 1)|")) is None
    assert assist.signature(*at("def f(x):\n    return nothing(|")) is None


def test_every_function_has_a_signature_and_a_sentence() -> None:
    for symbol in language_names().values():
        assert symbol.signature
        assert symbol.doc


PARTS = [
    "def f(x):",
    "\n",
    "    ",
    "y = ",
    "kqv(",
    "x",
    ", ",
    ")",
    "(",
    '"',
    "'",
    "#",
    "=",
    "é",
    "1",
]
PIECES = st.lists(
    st.sampled_from(PARTS),
    max_size=40,
).map("".join)


@given(PIECES, st.integers(-2, 60), st.integers(-2, 60))
def test_no_text_and_no_place_is_too_odd(text: str, line: int, column: int) -> None:
    answers: list[Any] = [
        assist.complete(text, line, column),
        assist.signature(text, line, column),
        assist.hover(text, line, column),
        assist.definition(text, line, column),
        assist.fixes(text, line, column),
    ]
    assert isinstance(answers[0]["items"], list)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_the_names_of_tokens_in_a_text(quote: str) -> None:
    before = f"TOKENS = ['SoS', '>', 'EoS', *'ab']\ndef f(x):\n    return x == {quote}"
    found = assist.complete(f"{before}S", 3, len("    return x == 'S") + 1)
    assert [item["name"] for item in found["items"]] == ["SoS", "EoS"]
    assert found["from"] == len("    return x == '") + 1
    nothing = before.replace("TOKENS", "NOTHING")
    assert assist.complete(f"{nothing}S", 3, len("    return x == 'S") + 1)["items"] == []
