"""Which variables of a program are looked for."""

from __future__ import annotations

import raspl
from raspl import programs
from raspl.inside.variables import variables


def test_named_steps_and_heads_are_variables() -> None:
    found = {one.name: one for one in variables(programs.load("parity_scratchpad").graph)}
    assert list(found) == ["before", "ones", "next_hint", "flipped", "after_sign"]
    assert [one.depth for one in found.values()] == [1, 1, 2, 1, 2]


def test_what_other_positions_read_is_not_local() -> None:
    found = {one.name: one.is_local for one in variables(programs.load("parity_scratchpad").graph)}
    assert found == {
        "before": False, "ones": False, "next_hint": True, "flipped": True, "after_sign": True
    }  # fmt: skip


def test_a_query_is_local_unless_what_it_finds_is_read_elsewhere() -> None:
    (program,) = raspl.parse(
        "from raspl import program, kqv, equals\n"
        "@program\n"
        "def twice(x):\n"
        "    asked = x + 1\n"
        "    near = x + 2\n"
        "    found = kqv(x, asked, x, equals, default=0)\n"
        "    return kqv(found, near, x, equals, default=0)\n"
    ).values()
    found = {one.name: one.is_local for one in variables(program.graph)}
    assert found == {"asked": False, "near": True, "found": False, "output": True}


def test_constants_and_inputs_are_none() -> None:
    assert [one.name for one in variables(programs.load("conjunction").graph)] == ["both"]
    assert [one.name for one in variables(programs.load("sort").graph)] == ["output"]
