"""Every fix, applied, ends the violation that it is offered for."""

from __future__ import annotations

import pytest

from raspl import assist
from tests.assist.editing import apply

BROKEN = {
    "R102": "def f(x):\n    return x if x > 0 else full(x, 0)\n",
    "R103": "def f(x):\n    return [a % 10 for a in x]\n",
    "R106": "def f(x):\n    return x.minimum()\n",
    "R110": "def f(x):\n    y = x + 1\n",
    "R111": "def f(x):\n    return x == 0 and has_seen(x, x) and x > 3\n",
    "R112": "@cached\ndef f(x):\n    return x\n",
    "R113": "def f(x):\n    return x / 2\n",
    "R201": "def f(x):\n    seen = has_sen(x, x)\n    return seen\n",
    "W001": "def f(x):\n    y = x + 1\n    return x\n",
    "W002": "import os\n\n\ndef f(x):\n    return x\n",
    "W005": "from raspl import program\n\n\n@program\ndef f(x):\n    return kqv(x, x, x, lt)\n",
}
MORE = [
    ("R106", "def f(x):\n    return np.where(x > 1, x, x)\n", "where(x > 1, x, x)"),
    ("R110", "def f(x):\n    x + 1\n", "return x + 1"),
    ("R111", "def f(x):\n    return 0 < x <= 9\n", "return (0 < x) & (x <= 9)"),
    ("R111", "def f(x):\n    return not x > 3\n", "return ~(x > 3)"),
    ("R113", "def f(x):\n    return x + 2.0\n", "return x + 2"),
    ("R201", "def f(x):\n    return max(x)\n", "return maximum(x)"),
    ("R201", "def f(x):\n    flag = x == 1\n    return flg\n", "return flag"),
    ("R201", "def f(x):\n    return int(x > 1) + 1\n", "return (x > 1) + 1"),
    ("R207", "def f(x):\n    return gt(x, x + 1)\n", "return (x > (x + 1))"),
    ("R208", 'def f(x):\n    return x == "7"\n', "return x == 7"),
    ("R102", "def f(x):\n    é = x\n    return é if é > 0 else x\n", "where(é > 0, é, x)"),
]


def codes(text: str) -> set[str]:
    return {found["code"] for found in assist.diagnostics(text)}


def first_fix(text: str, code: str) -> str:
    found = next(each for each in assist.diagnostics(text) if each["code"] == code)
    return apply(text, found["fixes"][0])


@pytest.mark.parametrize("code", BROKEN)
def test_a_fix_ends_the_violation(code: str) -> None:
    assert codes(BROKEN[code]) == {code}
    assert codes(first_fix(BROKEN[code], code)) == set()


@pytest.mark.parametrize(("code", "text", "wanted"), MORE)
def test_a_fix_writes_what_was_meant(code: str, text: str, wanted: str) -> None:
    found = next(each for each in assist.diagnostics(text) if each["fixes"])
    fixed = apply(text, found["fixes"][0])
    assert wanted in fixed
    assert codes(fixed) == set()


def test_range_of_a_length_is_the_positions() -> None:
    text = "def f(x):\n    return x == range(len(x))\n"
    assert "x == indices(x)" in first_fix(text, "R201")


def test_no_fix_changes_a_name_to_itself_or_python_to_something_alike() -> None:
    for line in ("gt(x)", "int(x, x)", "sorted(x)"):
        for found in assist.diagnostics(f"def f(x):\n    return {line}\n"):
            assert found["fixes"] == [], line


def test_fixes_are_found_by_place() -> None:
    text = "def f(x):\n    return x / 2\n"
    assert [fix["title"] for fix in assist.fixes(text, 2, 13)] == ["Write `x // 2`"]
    assert assist.fixes(text, 1, 1) == []


def test_a_text_that_is_no_python_has_diagnostics_and_no_fixes() -> None:
    (found,) = assist.diagnostics("def f(x):\n    return (x +\n")
    assert found["code"] == "R100"
    assert found["fixes"] == []


def test_fixes_of_a_long_list_are_not_all_looked_for() -> None:
    lines = "\n".join(f"    a{n} = x / 2" for n in range(300))
    found = assist.diagnostics(f"def f(x):\n{lines}\n    return x\n")
    assert len(found) >= 300
    assert sum(bool(each["fixes"]) for each in found) <= 50
