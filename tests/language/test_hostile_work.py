"""Texts that try to hold the checker up. Each gets its answer, within a count of work."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest

from raspl import RasplError, parse
from raspl.language.limits import MAX_LISTED, MAX_STEPS
from raspl.language.parsing.frames import Report
from raspl.language.parsing.module import build_helpers, check_module, parse_module
from raspl.language.source import Columns, Source, count_tokens
from raspl.loading import Checked, check_file, check_source

CALLS = 120 * MAX_STEPS
"""Calls of Python and C functions that one check may make: a few seconds."""
CALLS_A_TOKEN = 150
"""The same for each word and sign, where nothing is inlined: work grows no faster than the text."""
OVERHEAD = 100_000
EXPANDING = frozenset({"clique", "wide functions", "deep calls"})
MUTANTS = 2_000


class Calls:
    """Calls of functions, counted by the interpreter."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        self.number += event in ("call", "c_call")
        if self.number > CALLS:
            sys.setprofile(None)
            raise AssertionError(f"more than {CALLS:,} calls")


@contextmanager
def counted() -> Iterator[Calls]:
    calls = Calls()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def lines(number: int, line: str, last: str = "y1") -> str:
    body = "".join(line.replace("#", str(i)) for i in range(number))
    return f"def f(x):\n{body}    return {last}\n"


def chain(number: int, call: str) -> str:
    rest = "".join(
        f"def h{k}(x): return {call.replace('#', f'h{k - 1}')}\n" for k in range(1, number)
    )
    return "def h0(x): return x + 1\n" + rest


def clique(number: int) -> str:
    calls = " + ".join(f"h{k}(x)" for k in range(number))
    return "".join(f"def h{k}(x): return {calls}\n" for k in range(number))


ATTACKS = {
    # Each text, and the words of the limit that it meets; nothing where it has a plain answer.
    "squares": ("A = 3\n" + "A = A * A\n" * 27 + "def f(x): return x + A", "at most 256"),
    "local squares": (lines(27, "    n = 3\n" + "    n = n * n\n" * 9, "x + n"), "at most 256"),
    "hexadecimal": (f"A = 0x{'f' * 9_000_000}\ndef f(x): return x", "at most 256"),
    "hexadecimal in a lambda": (
        f"def f(x): return tok_map(x, lambda a: a + 0x{'f' * 900_000})",
        "at most 256",
    ),
    "decimal": (f"A = {'9' * 9_000_000}", "Exceeds the limit"),
    "doubling": (chain(60, "#(x) + #(x)"), "120,000 steps"),
    "doubling scalars": (
        "def s0(a): return a\n"
        + "".join(f"def s{k}(a): return s{k - 1}(a) + s{k - 1}(a)\n" for k in range(1, 40))
        + "def f(x): return tok_map(x, s39)",
        "120,000 steps",
    ),
    "doubling arguments": (
        "def d(a): return a & a\ndef f(x): return tok_map(x == 1, lambda a: ~"
        + "d(" * 60 + "a" + ")" * 60 + ")",
        "10,000 operators",
    ),
    "squaring scalars": (
        "def s(a): return a * a\ndef f(x): return tok_map(x, lambda a: "
        + "s(" * 40 + "7" + ")" * 40 + ")",
        "at most 256",
    ),
    "wide functions": (
        "def d(a): return a + a\n"
        + lines(400, "    y# = tok_map(x, lambda a: " + "d(" * 12 + "a" + ")" * 12 + ")\n"),
        "120,000 steps",
    ),
    "chain": (chain(3_000, "#(x)"), "chain of"),
    "clique": (clique(40), ""),
    "unknown names": (lines(2_500, "    y# = name#\n"), "1,500 more violations"),
    "long unknown names": (lines(3_000, f"    y# = {'n' * 900}#\n"), "2,000 more violations"),
    "functions": ("".join(f"def f{k}(x): return x\n" for k in range(20_000)), "120,000 steps"),
    "functions and constants": (
        "".join(f"A{k} = {k}\ndef f{k}(x): return x + A{k}\n" for k in range(1_000)), "",
    ),
    "violations": (lines(2_500, "    y# = x[0]\n"), "1,500 more violations"),
    "warnings": ("x.y\n" * 5_000, "4,000 more warnings"),
    "counts": (lines(1_500, "    y# = sel_width(select(x, x, equals))\n"), "more warnings"),
    "lambdas": (lines(1_500, "    y# = tok_map(x, lambda a: a + 1)\n"), "more warnings"),
    "long program": (lines(4_000, "    x = x + 1\n", "x"), ""),
    "too many words": (lines(100_000, "    y# = x + 1\n"), "300,000 words and signs"),
    "targets": ("def f(x):\n    " + "y = " * 10_000 + "x" + " + x" * 50 + "\n    return y\n", ""),
    "parameters": (
        "def h(x" + "".join(f", p{k}=0" for k in range(8_000)) + "): return x\n"
        + lines(500, "    x = h(x)\n", "x"),
        "120,000 steps",
    ),
    "long string": (
        f"S = '{'s' * 5_000_000}'\n" + lines(2_000, "    x = full(x, S)\n", "x"),
        "is the name of a token",
    ),
    "long name": (f"def f(x): return {'n' * 5_000_000}", "is not known here"),
    "long line": ("def f(é): return é;" + "y = é[0];" * 2_500, ""),
    "long and deep": (
        "def f(x): return " + "[" * 90 + "x, " * 8_000 + "]" * 90,
        "is several values, not a sequence",
    ),
    "deep calls": ("def f(x): return " + "shift_right(" * 90 + "x" + ", 1)" * 90, ""),
    "deep constant": ("A = 1" + " + 1" * 2_900 + "\ndef f(x): return x + A", ""),
    "deep default": ("def f(x, n=1" + " + 1" * 900 + "): return x + n", ""),
    "deep nonsense": ("f(" * 95 + "a b" + ")" * 95, "can't be read"),
    "elif": ("def f(x):\n    if x: pass\n" + "    elif x: pass\n" * 2_000 + "    return x", ""),
    "comments": ("# a b c d e f g h\n" * 60_000, "300,000 words and signs"),
    "one comment": ("#" + "a" * 10_000_000 + "\ndef f(x): return x", ""),
    "blank lines": ("\n" * 199_000 + "def f(x): return x", ""),
}  # fmt: skip


@pytest.mark.parametrize("kind", ATTACKS)
def test_an_attack_gets_its_answer_within_the_limit_of_work(kind: str) -> None:
    text, words = ATTACKS[kind]
    source = Source(text)
    with counted() as calls:
        checked = check_source(source)
        told = "\n".join(map(str, checked.diagnostics))
    assert calls.number < CALLS
    if kind not in EXPANDING:
        assert calls.number < OVERHEAD + CALLS_A_TOKEN * count_tokens(text.encode())
    assert len(checked.diagnostics) <= 2 * MAX_LISTED
    assert len(told) < 2 * MAX_LISTED * 2_000
    assert words in told
    assert bool(checked.programs) or not checked.ok or not re.search(r"^def ", text, re.M)


def test_work_is_counted_before_it_is_done() -> None:
    module = parse_module(Source(chain(400, "#(x) + #(x)").replace("h399", "f")))
    with counted() as calls:
        assert not check_module(module)
    assert module.report.work.steps == 0
    assert calls.number < 400_000


@pytest.mark.parametrize("verb", ["check", "run", "measure", "trace"])
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_what_is_no_file_is_not_waited_for(kind: str, verb: str, tmp_path: Path) -> None:
    path = Path("/dev/zero")
    if kind == "fifo":
        path = tmp_path / "fifo.py"
        os.mkfifo(path)
    with pytest.raises(RasplError, match="not a regular file"):
        check_file(path)
    command = [sys.executable, "-m", "raspl", verb, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_columns_of_long_lines_count_characters() -> None:
    text = "aé€😀" * 500
    columns = Columns(text)
    for place in range(0, len(text), 7):
        assert columns.character(len(text[:place].encode())) == place


def test_a_large_literal_is_refused_from_outside_too() -> None:
    program = parse("def f(x, n: int): return x + n")["f"]
    with pytest.raises(RasplError, match="256 bits"):
        program.bind(n=1 << 300)


TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
POOL = """x y a n 0 1 -1 0xffffffffffffffffffffffff None True ( ) [ ] { } , : = + - * // % ~ & |
== != < <= > >= lambda def return if else for in not and or import from class @program ** . ... é
'mean' 'max' 'x' f'{x}' full indices tok_map seq_map where select sel_width aggr kqv equals lt
firsts shift_right cumsum mask has_seen index_select Index Count Int : Bool""".split()
POOL += ["\n", "\n    ", "\n\ndef f(x):\n    return x\n", " " * 9, "\t", "\\\n", "#", '"""']


def originals() -> list[str]:
    package = Path(__file__).parents[2] / "src" / "raspl"
    paths = [package / "language" / "library.py", *sorted(package.glob("tasks/*/programs/*.py"))]
    return [path.read_text("utf-8") for path in paths]


def mutant(rng: Random, texts: list[str]) -> str:
    """A text of which a few tokens are lost, doubled, swapped, replaced or multiplied."""
    tokens = TOKEN.findall(rng.choice(texts))
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(tokens))
        end = min(at + rng.randint(1, 12), len(tokens))
        match rng.randrange(7):
            case 0:
                del tokens[at:end]
            case 1:
                tokens[at:at] = tokens[at:end]
            case 2:
                other = rng.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 3:
                tokens[at] = rng.choice(POOL)
            case 4:
                tokens.insert(at, rng.choice(POOL))
            case 5:
                tokens[at:end] = tokens[at:end] * rng.choice((2, 9, 60))
            case _:
                foreign = TOKEN.findall(rng.choice(texts))
                start = rng.randrange(len(foreign))
                tokens[at:at] = foreign[start : start + rng.randint(1, 40)]
        tokens = tokens or ["x"]
    return "".join(tokens)


@pytest.mark.parametrize("part", range(4))
def test_mutants_of_what_ships_get_an_answer(part: int) -> None:
    texts = originals()
    legal = 0
    for number in range(part, MUTANTS, 4):
        text = mutant(Random(f"mutant {number}"), texts)
        report = Report()
        module = parse_module(Source(text), report)
        graphs = check_module(module)
        graphs |= build_helpers(module, graphs, None)
        assert report.work.steps <= MAX_STEPS, number
        assert all(map(str, report.diagnostics)), number
        assert graphs or report.diagnostics or not module.definitions, number
        if number % 20 == part and graphs:
            legal += _runs(check_source(Source(text)))
    assert legal


def _runs(checked: Checked) -> bool:
    """A legal mutant runs, or says why it does not."""
    for program in checked.programs.values():
        with suppress(RasplError):
            program([1, 2, 0])
    return checked.ok
