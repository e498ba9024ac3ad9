"""@program on Python functions: read from source, resolved through their globals."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

import raspl
from raspl import (
    IllegalProgram,
    Index,
    Int,
    RasplError,
    equals,
    full,
    gt,
    indices,
    kqv,
    parse,
    program,
    shift_right,
    tok_map,
    where,
)

SEPARATOR = 7
FLAG = True


def double(a: int) -> int:
    """Twice a."""
    return a + a


def before(x: Int) -> Int:
    return shift_right(x, 1)


@program
def helped(x: Int) -> Int:
    """Uses a constant, a scalar function, a plain helper and a renamed import."""
    doubled = tok_map(before(x), double)
    return where(x == SEPARATOR, doubled, raspl.maximum(x) + FLAG)


@program(bits=16)
def wide(x):  # type: ignore[no-untyped-def]  # as most people write it
    return x * 100


def test_globals_are_resolved() -> None:
    assert helped([3, 7, 1]).tolist() == [4, 6, 8]
    assert helped.graph.constants == {"SEPARATOR": 7, "FLAG": 1}


def test_a_program_can_call_another() -> None:
    @program
    def twice(x: Int) -> Int:
        return helped(helped(x))

    assert twice([3]).tolist() == [5]


def test_enclosing_variables_are_resolved() -> None:
    offset = 2

    @program
    def shifted(x: Int) -> Int:
        return x + offset

    assert shifted([1]).tolist() == [3]


def test_the_width_is_declared() -> None:
    assert wide([300]).tolist() == [30000]
    assert wide.bits == 16
    with pytest.raises(RasplError, match="use 8 or 16"):
        program(bits=32)


def test_the_function_is_never_executed() -> None:
    with pytest.raises(IllegalProgram) as caught:

        @program
        def f(x: Int) -> Int:
            raise SystemExit("executed")

    assert {d.rule.code for d in caught.value.diagnostics} == {"R109", "R110"}


def test_diagnostics_point_into_the_file_of_the_function() -> None:
    with pytest.raises(IllegalProgram) as caught:

        @program
        def f(x):  # type: ignore[no-untyped-def]
            return x[0]

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span.file.endswith("test_program.py")
    assert diagnostic.span.text == "            return x[0]"
    assert diagnostic.span.snippet == "x[0]"


def test_other_python_values_are_refused_by_name() -> None:
    with pytest.raises(IllegalProgram, match="`np` is a module"):

        @program
        def f(x: Int) -> Int:
            return x + np  # type: ignore[operator]

    assert np is not None


def test_literal_parameters_are_bound_when_called() -> None:
    @program
    def f(x: Int, n: int, default: int = 3) -> Int:
        return shift_right(x, n, default=default)

    assert f([1, 2], n=1).tolist() == [3, 1]
    assert f([1, 2], 1, 7).tolist() == [7, 1]
    assert f.trace([1, 2], n=0).columns[-1].values == (1, 2)
    assert f.bind(n=0, default=9)([1, 2]).tolist() == [1, 2]
    with pytest.raises(RasplError, match="needs a value for n"):
        f([1, 2])


def test_literals_without_a_value_are_asked_for_in_files_too() -> None:
    loaded = parse("def f(x, n: int):\n    return x + n\n")["f"]
    with pytest.raises(RasplError, match="needs a value for n"):
        loaded([1])
    assert loaded([1], n=2).tolist() == [3]


def test_index_parameters_take_none() -> None:
    @program
    def f(x: Int, place: Index) -> Int:
        return kqv(indices(x), place, x, equals, default=-1)

    assert f([5, 6, 7], [0, None, 1]).tolist() == [5, -1, 6]


def test_core_functions_can_not_be_called_from_python() -> None:
    with pytest.raises(TypeError, match="full is RASP-L, not Python"):
        full([1], 2)  # type: ignore[arg-type]
    assert gt(2, 1) == 1


def test_text_without_a_file_is_explained() -> None:
    code = compile("@program\ndef f(x):\n    return x\n", "<no file>", "exec")
    with pytest.raises(RasplError, match=r"give its text to raspl\.parse"):
        exec(code, {"program": program})


def test_user_definitions_come_before_the_library() -> None:
    programs = parse("def maximum(x):\n    return x\n\ndef f(x):\n    return maximum(x)\n")
    assert programs["f"]([3, 1]).tolist() == [3, 1]


def test_a_program_shows_what_it_is() -> None:
    assert repr(wide) == "<RASP-L program wide(x), 16 bits>"
    assert "def wide(x)" in wide.source


def test_a_name_of_raspl_that_a_file_does_not_import_is_told_as_check_tells_it(
    tmp_path: Path,
) -> None:
    text = "from raspl import program\n\n@program\ndef f(x):\n    return shift_right(x, 1)\n"
    file = tmp_path / "forgotten.py"
    file.write_text(text, "utf-8")
    with pytest.raises(raspl.IllegalProgram) as caught:
        runpy.run_path(str(file))
    (found,) = caught.value.diagnostics
    (warned,) = raspl.check(file).diagnostics
    assert (found.rule.code, warned.rule.code) == ("R201", "W005")
    assert found.instead == warned.instead == "add `from raspl import shift_right`"
