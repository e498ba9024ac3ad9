"""Types and values under the mouse, against what running the program gives."""

from __future__ import annotations

from raspl import assist

TEXT = """\
END = 7


def helper(y):
    return y + 1


def f(x, flag: Bool):
    place = indices(x)
    last = lasts(x, full(x, END))
    small = x % 3
    small = small + 10
    how_often = num_prev(x, x)
    chosen = select(x, x, equals)
    most = kqv(how_often, how_often, small, equals, reduction="max")
    return where(flag & (place == last), most, aggr(chosen, small, reduction="max"))
"""


def shown(name: str, line: int) -> tuple[str, str]:
    column = TEXT.split("\n")[line - 1].index(name) + 1
    answer = assist.hover(TEXT, line, column)
    assert answer is not None
    assert answer["name"] == name
    return answer["type"], answer["values"]


def test_types_and_values() -> None:
    assert shown("x", 8) == ("Int", "-128 to 127")
    assert shown("flag", 8) == ("Bool", "0, 1")
    assert shown("place", 9) == ("Index", "a position")
    assert shown("last", 10) == ("Index", "a position or None")
    assert shown("small", 11) == ("Int", "0, 1, 2")
    assert shown("small", 12) == ("Int", "10, 11, 12")
    assert shown("how_often", 13) == ("Count#1", "a count")
    assert shown("chosen", 14) == ("Selector", "")
    assert shown("y", 4) == ("Int", "-128 to 127")


def test_functions_and_constants() -> None:
    for name, line, signature in [
        ("kqv", 15, "kqv(k, q, v, pred, default=None, reduction='mean')"),
        ("lasts", 10, "lasts(x, queries, default=None)"),
        ("END", 10, "7"),
        ("helper", 4, "helper(y)"),
    ]:
        answer = assist.hover(TEXT, line, TEXT.split("\n")[line - 1].index(name) + 2)
        assert answer is not None
        assert answer["signature"] == signature


def test_nothing_to_say() -> None:
    assert assist.hover(TEXT, 2, 1) is None
    assert assist.hover(TEXT, 99, 1) is None
    assert assist.hover("def f(x):\n    return nothing\n", 2, 13) is None


def test_an_illegal_program_still_explains_its_functions() -> None:
    answer = assist.hover("def f(x):\n    y = x[0]\n    return full(y, 1)\n", 3, 13)
    assert answer is not None
    assert answer["signature"] == "full(x, const)"


def test_definitions() -> None:
    assert assist.definition(TEXT, 10, 29) == {"line": 1, "from": 1, "to": 4}
    assert assist.definition(TEXT, 12, 13) == {"line": 11, "from": 5, "to": 10}
    assert assist.definition(TEXT, 16, 18) == {"line": 8, "from": 10, "to": 14}
    assert assist.definition(TEXT, 10, 12) is None


def test_tokens_that_have_names_are_shown_by_them() -> None:
    text = 'TOKENS = [*"abc"]\ndef f(x):\n    y = where(x == "a", "b", "c")\n    return y\n'
    found = assist.hover(text, 3, 5)
    assert found is not None
    assert found["values"] == "b, c"
    found = assist.hover(text, 2, 7)
    assert found is not None
    assert found["values"] == "a, b, c"
