"""The six measures."""

from __future__ import annotations

from math import isclose, log2

import pytest

from raspl import parse, programs
from raspl.language.ir.scalar import OPERATORS


def measured(text: str) -> tuple[int, int, int, int, int]:
    m = parse(text)["f"].measure()
    return m.lines, m.operations, m.heads, m.depth, m.width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(x): return x", (1, 0, 0, 0, 0)),
        ("def f(x): return x + 1", (1, 1, 0, 0, 0)),
        ("def f(x): return kqv(x, x, x, gt, reduction='min')", (1, 2, 1, 1, 1)),
        ("def f(x): return has_seen(x, x) + has_seen(x + 1, x)", (1, 7, 2, 1, 2)),
        ("def f(x):\n    y = maximum(x)\n    return maximum(y)", (2, 4, 2, 2, 1)),
        ("def g(x):\n    y = x\n    return y + 1\ndef f(x):\n    return g(g(x))", (3, 2, 0, 0, 0)),
    ],
)
def test_measures(text: str, expected: tuple[int, int, int, int, int]) -> None:
    assert measured(text) == expected


def test_the_description_length_is_what_the_docs_say() -> None:
    # One select over two arguments among one node, one aggregate over two among two nodes.
    symbols = 3 * log2(len(OPERATORS) + 3)
    select = log2(8) + 2 * log2(1) + symbols
    aggregate = log2(8) + 2 * log2(2) + (8 + 1) + log2(3)
    bits = programs.load("sort_paper").measure().bits
    assert isclose(bits, select + aggregate + log2(3), abs_tol=0.05)


def test_the_library_is_free_of_lines_but_not_of_operations() -> None:
    assert measured("def f(x): return induct(x, x, offset=1)")[:2] == (1, 6)


def test_forward_addition_is_longer_than_reverse_addition_by_every_measure_but_width() -> None:
    reverse, forward = (
        programs.load(name).measure()
        for name in ("addition_reverse_paper", "addition_forward_paper")
    )
    assert forward.lines > reverse.lines
    assert forward.operations > reverse.operations
    assert forward.heads > reverse.heads
    assert forward.depth > reverse.depth
    assert forward.bits > reverse.bits
