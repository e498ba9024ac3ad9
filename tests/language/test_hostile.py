"""Texts that nobody should trust: they give diagnostics, run nothing and leak no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl.language.limits import MAX_LISTED
from raspl.language.source import Source
from raspl.loading import check_file, check_source

TRAP = 'open("{path}", "w").write("executed")'
HOSTILE = {
    "module level call": "{trap}\ndef f(x):\n    return x",
    "import": "import os\nos.system('touch {path}')\ndef f(x):\n    return x",
    "dunder import": "def f(x):\n    return __import__('pathlib').Path('{path}').touch()",
    "attribute chain": "def f(x):\n    return x.__class__.__bases__[0].__subclasses__()",
    "decorator": "@{trap}\ndef f(x):\n    return x",
    "decorator argument": "@program(bits={trap})\ndef f(x):\n    return x",
    "default": "def f(x, n={trap}):\n    return x",
    "annotation": "def f(x: {trap}):\n    return x",
    "lambda": "def f(x):\n    return tok_map(x, lambda a: {trap})",
    "constant": "N = {trap}\ndef f(x):\n    return x + N",
    "class body": "class A:\n    {trap}\ndef f(x):\n    return x",
    "walrus": "def f(x):\n    return (y := {trap})",
    "f-string": "def f(x):\n    return f'{{{trap}}}'",
    "eval": "def f(x):\n    return eval('{path}')",
    "comprehension": "def f(x):\n    return [{trap} for _ in x]",
    "nested function": "def f(x):\n    def g():\n        {trap}\n    return g()",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_nothing_is_executed(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "trap"
    text = HOSTILE[kind].format(trap=TRAP.format(path=path), path=path)
    diagnostics = check_source(Source(text))[1]
    assert diagnostics
    assert not path.exists()


DEEP = {
    "parentheses": "x = " + "(" * 10_000_000,
    "unary": "def f(x):\n    return " + "-" * 500_000 + "x",
    "sum": "def f(x):\n    return x" + " + x" * 3000,
    "long sum": "def f(x):\n    return x" + " + x" * 100_000,
    "calls": "def f(x):\n    return " + "shift_right(" * 80 + "x" + ", 1)" * 80,
    "attributes": "def f(x):\n    return x" + ".a" * 100_000,
    "comparison": "def f(x):\n    return x" + " < x" * 50_000,
    "lambda": "def f(x):\n    return tok_map(x, lambda a: a" + " + a" * 900 + ")",
    "targets": "def f(x):\n    " + "y = " * 50_000 + "x\n    return y",
    "doubling": "def d(a):\n    return a + a\ndef f(x):\n    return tok_map(x, lambda a: "
    + "d(" * 60 + "a" + ")" * 60 + ")",
    "constants": "A = 2\n" + "A = A * A\n" * 20 + "def f(x):\n    return x + A",
}  # fmt: skip


@pytest.mark.parametrize("kind", DEEP)
def test_deep_and_long_texts_end(kind: str) -> None:
    programs, diagnostics = check_source(Source(DEEP[kind]))
    assert ("f" in programs) != any(not d.rule.is_warning for d in diagnostics)


def test_ten_thousand_lines() -> None:
    lines = "".join(f"    y{i} = x + {i % 9}\n" for i in range(10_000))
    programs, diagnostics = check_source(Source(f"def f(x):\n{lines}    return y7\n"))
    assert list(programs) == ["f"]
    assert {d.rule.code for d in diagnostics} == {"W001"}
    assert len(diagnostics) == MAX_LISTED
    assert diagnostics[-1].note == "8,999 more warnings were found and are not listed"


def test_a_long_chain_of_steps_runs() -> None:
    lines = "".join("    y = where(y == 0, x, y)\n" for _ in range(3_000))
    programs, _ = check_source(Source(f"def f(x):\n    y = x\n{lines}    return y\n"))
    assert programs["f"]([3, 0]).tolist() == [3, 0]


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"def f(x):\n    return x\0", "null bytes"),
        ("def f(x):\n    # größer\n    return x".encode("latin-1"), "not UTF-8"),
        ("def f(x): return x".encode("utf-16"), "null bytes|not UTF-8"),
        (b"\xff\xfe\x00", "null bytes"),
        (b"\n" * 200_001, "lines"),
        (b"#" * (17 * 2**20), "larger"),
        (b"x = 9" + b"9" * 5000, "can't be read"),
    ],
)
def test_unreadable_files_say_why(raw: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(raw)
    programs, (diagnostic,) = check_file(path)
    assert not programs
    assert diagnostic.rule.code == "R100"
    assert any(word in diagnostic.message for word in says.split("|"))


def test_a_byte_order_mark_and_foreign_line_ends_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_bytes(b"\xef\xbb\xbfdef f(x):\r\n    return x + 1\r\n")
    programs, diagnostics = check_file(path)
    assert list(programs) == ["f"]
    assert diagnostics == []


def test_the_command_line_leaks_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "hostile.py"
    path.write_text("@evil()\ndef f(x):\n    return " + "-" * 200_000 + "x\n")
    for command in (["check"], ["run"], ["trace"], ["measure"]):
        result = subprocess.run(
            [sys.executable, "-m", "raspl", *command, str(path)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert result.returncode in (1, 2)
        assert "Traceback" not in result.stderr + result.stdout


WORDS = st.sampled_from(
    [
        *"""x y f def return lambda a : ( ) [ ] + - * // % == < > & | ~ , = 0 1 -1 None full
        indices tok_map seq_map where select sel_width aggr kqv equals firsts shift_right if else
        for in and not . import @program""".split(),
        "\n",
        "\n    ",
    ]
)


@given(words=st.lists(WORDS, max_size=40))
@settings(max_examples=300, deadline=None)
def test_random_texts_give_diagnostics_and_never_an_exception(words: list[str]) -> None:
    check_source(Source(" ".join(words)))
    check_source(Source("def f(x):\n    return " + " ".join(words)))
