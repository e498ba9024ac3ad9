"""What has no network is refused by name, reason and place; what causality settles is not."""

from __future__ import annotations

import pytest

from raspl import parse
from raspl.compiler import Refused, compile
from raspl.compiler.verify import sample, verify

HEADER = "from raspl import *\n\ndef f(x):\n"
REFUSED = [
    ("i = indices(x)\n    j = firsts(x, x)\n    return kqv(i, j, x, lt)", "order of indices"),
    ("j = firsts(x, x)\n    return kqv(j, j, x, lambda k, q: k != q)", "inequality of indices"),
    ("return sel_width(select(firsts(x, x), indices(x), equals))", "width of an index predicate"),
    ("return kqv(indices(x), indices(x), x, lt, reduction='max')", "order of indices"),
]


@pytest.mark.parametrize(("body", "reason"), REFUSED)
def test_refusals_name_reason_and_place(body: str, reason: str) -> None:
    program = parse(HEADER + "    " + body)["f"]
    with pytest.raises(Refused, match=r"^<text>:\d+:\d+: ") as caught:
        compile(program, range(4))
    assert caught.value.reason.startswith(reason)


def test_an_input_of_indices_is_refused() -> None:
    program = parse("from raspl import *\n\ndef f(x, i: Index):\n    return index_select(x, i)")[
        "f"
    ]
    with pytest.raises(Refused, match="the input i is a sequence of type Index"):
        compile(program, range(4))


def test_large_alphabets_are_refused_by_size() -> None:
    program = parse(HEADER + "    return x + x", bits=16)["f"]
    with pytest.raises(Refused, match="give a smaller alphabet"):
        compile(program)


def test_a_program_that_always_fails_is_refused() -> None:
    with pytest.raises(Refused, match="fails on every input"):
        compile(parse(HEADER + "    return x // 0")["f"], range(3))


SETTLED = [
    "return kqv(indices(x), indices(x), x, leq, default=7)",
    "return kqv(indices(x), indices(x) + 1, x, geq, default=7)",
    "return kqv(indices(x), indices(x) + 2, x, lt, default=7, reduction='max')",
    "return kqv(full(x, None), indices(x), x, equals, default=7)",
    "return sel_width(select(full(x, None), indices(x), equals))",
]


@pytest.mark.parametrize("body", SETTLED)
def test_orders_that_causality_settles(body: str) -> None:
    program = parse(HEADER + "    " + body)["f"]
    network = compile(program, range(4))
    assert not verify(network, program.graph, sample(network, 30, 0, 40)).mismatches


def test_errors_of_the_program_are_warned_of_and_skipped() -> None:
    program = parse(HEADER + "    return 100 // x")["f"]
    network = compile(program, range(3))
    assert "may divide by 0" in network.description.warnings[0]
    result = verify(network, program.graph, sample(network, 30, 0, 40))
    assert not result.mismatches
    assert result.skipped
