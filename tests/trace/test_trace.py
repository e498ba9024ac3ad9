"""The trace holds what the reference computes, and its table lines up."""

from __future__ import annotations

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import raspl
from raspl.executors.inputs import InputError, to_array
from raspl.executors.reference import Machine, generate, run
from raspl.language.ir.primitives import Select
from raspl.trace import Trace
from raspl.trace import recording as tracing

COUNT = """
START = -1
END = -2

def count(x):
    at = lasts(x, full(x, START))
    low = index_select(x, at + 1)
    high = index_select(x, at + 2)
    fresh = at + 2 == indices(x)
    following = where(fresh, low, x + 1)
    done = (x == high) & ~fresh
    return where(done, full(x, END), following)
"""
OTHERS = """
def common(x):
    same = select(x, x, equals)
    times = sel_width(same)
    now = times
    times = maximum(times)
    seen = firsts(x, x - 1)
    return where(now < times, index_select(x, seen, default=7), above(x))

def above(x):
    return kqv(x, x, x, gt, default=0, reduction="min")

def doubled(x):
    twice = x + x
    return shift_right(twice, 1) * 2

def two(x, y):
    return x + y
"""
PROGRAMS = raspl.parse(COUNT) | raspl.parse(OTHERS)
tokens = st.lists(st.integers(-20, 20), max_size=12)


def grab(name: str, *sequences: list[int]) -> Trace:
    return tracing.trace(PROGRAMS[name].graph, *sequences)


def column(trace: Trace, name: str) -> tuple[int | None, ...]:
    (found,) = [c.values for c in trace.columns if c.name == name]
    return found


@given(tokens)
def test_columns_and_rows_are_those_of_the_reference(x: list[int]) -> None:
    graph = PROGRAMS["common"].graph
    trace, machine = grab("common", x), Machine(graph)
    for position, token in enumerate(x):
        machine.step(token)
        for selection in trace.selections:
            expected = [j for j, chosen in enumerate(machine.rows[selection.node]) if chosen]
            assert selection.keys(position) == expected
    for each in trace.columns:
        assert list(each.values) == (x if each.node in graph.inputs else machine.values[each.node])
    assert to_array(trace.columns[-1].values).tolist() == run(graph, x).tolist()


def test_names_keep_their_order_their_lines_and_every_rebinding() -> None:
    trace = grab("common", [1, 2, 1])
    assert [(c.name, str(c.type), c.line) for c in trace.columns] == [
        ("x", "Int", 2),
        ("times", "Count#1", 4),
        ("now", "Count#1", 5),
        ("times", "Count#1", 6),
        ("seen", "Index", 7),
        ("output", "Int", 8),
    ]


def test_every_selector_is_there_named_ones_first() -> None:
    trace = grab("common", [1, 2, 1])
    selects = [node for node in trace.graph.nodes if isinstance(node, Select)]
    assert {s.node for s in trace.selections} == set(selects)
    assert trace.selections[0].title == "same = select(k=x, q=x, k == q)"
    titles = [s.title for s in trace.selections[1:]]
    assert "select(k=times, q=times, True)  (line 6, in maximum)" in titles
    assert "select(k=x, q=x - 1, k == q)  (line 7, in firsts)" in titles


@pytest.mark.parametrize(
    ("until", "limit"), [(-2, 50), (-2, 3), (-2, 1), (-2, 0), (None, 4), (5, 50)]
)
def test_a_generation_is_one_pass_over_what_was_written(until: int | None, limit: int) -> None:
    graph = PROGRAMS["count"].graph
    trace = tracing.generation(graph, [-1, 2, 6], until, limit)
    written = generate(graph, [-1, 2, 6], until, limit).tolist()
    assert list(trace.inputs[0]) == written
    assert trace.prompt == 3
    assert trace.length == max(3, len(written) - 1)
    assert list(column(trace, "→ next")[2 : len(written) - 1]) == written[3:]
    assert column(trace, "at") == tracing.trace(graph, written[: trace.length]).columns[1].values


def test_a_failure_keeps_the_positions_before_it_and_says_what_was_read() -> None:
    trace = grab("doubled", [3, 40, 1, 2])
    assert trace.length == 2
    assert all(len(c.values) == 2 for c in trace.columns)
    assert all(len(s.rows) == 2 for s in trace.selections)
    assert trace.failure is not None
    assert trace.failure.position == 2
    assert trace.failure.operands == (("shift_right(…)", "80"),)
    last = str(trace).splitlines()[-1]
    assert last.startswith("stopped at position 2: <text>:")
    assert "R401 overflow" in last
    assert "gives 160" in last


def test_a_generation_can_fail_too() -> None:
    graph = raspl.parse("def up(x):\n    return x * 3\n")["up"].graph
    trace = tracing.generation(graph, [5])
    assert trace.inputs == ((5, 15, 45),)
    assert trace.failure is not None
    assert trace.length == 2


def test_what_is_no_input_is_refused_as_by_a_run() -> None:
    with pytest.raises(InputError, match="different lengths"):
        grab("two", [1], [1, 2])
    with pytest.raises(InputError, match="several sequences"):
        tracing.generation(PROGRAMS["two"].graph, [1])
    with pytest.raises(InputError, match="the prompt is empty"):
        tracing.generation(PROGRAMS["count"].graph, [])


def test_the_table_of_a_generation() -> None:
    trace = tracing.generation(PROGRAMS["count"].graph, [-1, 2, 4], until=-2)
    assert trace.table(width=80) == (
        "count  8-bit · 7 tokens · 4 written after 3\n"
        "line  name       type  │     0 1 2│3 4  5   6\n"
        "                       │ START    │       END\n"
        "   5  x          Int   │    -1 2 4│2 3  4  -2\n"
        "   6  at         Index │     0 0 0│0 0  0\n"
        "   7  low        Int   │     0 2 2│2 2  2\n"
        "   8  high       Int   │     0 0 4│4 4  4\n"
        "   9  fresh      Bool  │     0 0 1│0 0  0\n"
        "  10  following  Int   │     0 3 2│3 4  5\n"
        "  11  done       Bool  │     0 0 0│0 0  1\n"
        "  12  → next     Int   │     0 3 2│3 4 -2"
    )


def test_a_named_selector_is_drawn_below_the_diagonal() -> None:
    trace = grab("common", [3, -1, 3])
    grid = str(trace).split("\n\n")[1]
    assert grid.splitlines() == [
        "same = select(k=x, q=x, k == q)",
        "position          │ 0  1 2",
        "             keys │ 3 -1 3",
        "          queries │",
        "       0        3 │ ■",
        "       1       -1 │ ·  ■",
        "       2        3 │ ■  · ■",
    ]
    assert str(trace).count("select(") == 1
    assert trace.table(selectors=True).count("select(") == len(trace.selections)


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=40), st.integers(50, 120))
def test_blocks_line_up_and_fit_and_hold_every_value_once(x: list[int], width: int) -> None:
    trace = grab("common", x)
    table = trace.table(width=width).split("\nsame = ")[0]
    title, *lines = table.splitlines()
    assert title.startswith("common")
    blocks = "\n".join(lines).strip().split("\n\n")
    margins = [block.splitlines()[0].split("│")[0] for block in blocks]
    assert set(margins) == {"line  name    type    "}
    shown: dict[int, list[str]] = {}
    for block in blocks:
        rows = block.splitlines()
        assert all(len(row) <= width for row in rows)
        assert len({row.index("│") for row in rows}) == 1
        ends = {
            i for i, c in enumerate(rows[0]) if c != " " and rows[0][i + 1 : i + 2] in ("", " ")
        }
        for number, row in enumerate(rows):
            # Values are right-aligned: each ends in the column where its position number ends.
            cells = row[row.index("│") + 1 :]
            start = row.index("│") + 1
            ending = {
                start + i
                for i, c in enumerate(cells)
                if c != " " and cells[i + 1 : i + 2] in ("", " ")
            }
            assert ending == {end for end in ends if end > start}
            shown.setdefault(number, []).extend(cells.split())
    assert shown[0] == [str(i) for i in range(len(x))]
    for number, each in enumerate(trace.columns, 1):
        assert shown[number] == ["·" if v is None else str(v) for v in each.values]


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=40), st.integers(40, 90))
def test_wrapped_grids_hold_every_cell_once(x: list[int], width: int) -> None:
    trace = grab("common", x)
    grid = trace.table(width=width).split("\nsame = ")[1]
    assert all(len(line) <= width for line in grid.splitlines())
    same = trace.selections[0]
    assert grid.count("■") == sum(sum(row) for row in same.rows)
    assert grid.count("·") == sum(len(row) - sum(row) for row in same.rows)


def test_a_grid_too_large_to_read_is_left_out() -> None:
    last = grab("common", [1] * (tracing.MAX_GRID + 1)).table(width=80).splitlines()[-2:]
    assert last == [
        "same = select(k=x, q=x, k == q)",
        "not drawn: there are more than 200 positions",
    ]


def test_names_of_any_script_line_up() -> None:
    text = "def f(x):\n    数 = x + 1\n    long_name = 数 + 1\n    return long_name\n"
    trace = raspl.parse(text)["f"].trace([1, 2])
    wide, narrow = str(trace).splitlines()[3:5]
    # A wide character takes two cells of the terminal, so one character less is in the line.
    assert wide.index("│") == narrow.index("│") - 1


def test_a_token_with_two_names_is_shown_by_its_number() -> None:
    text = "A = 3\nB = 3\nC = 4\ndef f(x):\n    return where(x == A, full(x, B), full(x, C))\n"
    trace = raspl.parse(text)["f"].trace([3, 4])
    assert [trace.token_name(value) for value in (3, 4, 5, None)] == ["", "C", "", ""]


def test_the_empty_sequence_has_an_empty_table() -> None:
    lines = grab("common", []).table(selectors=True).splitlines()
    assert lines[0] == "common  8-bit · 0 positions"
    assert lines[2] == "   2  x       Int     │"


def test_an_input_that_the_output_ignores_is_shown() -> None:
    trace = raspl.parse("def f(x, y):\n    return full(x, 3)\n")["f"].trace([1, 2], [8, 9])
    assert [c.values for c in trace.columns] == [(1, 2), (8, 9), (3, 3)]


def test_a_scalar_function_of_any_size_has_a_short_label() -> None:
    chain = " + ".join(["k"] * 90)
    text = f"def f(x):\n    return sel_width(select(x, x, lambda k, q: {chain} == q))\n"
    (selection,) = raspl.parse(text)["f"].trace([1]).selections
    assert len(selection.label) < 100


def test_a_rich_console_prints_the_same_text() -> None:
    from rich.console import Console

    trace = grab("common", [1, 2, 1, 30])
    plain, coloured = io.StringIO(), io.StringIO()
    Console(file=plain, width=70, color_system=None).print(trace)
    Console(file=coloured, width=70, force_terminal=True, color_system="256").print(trace)
    table = trace.table(width=70)
    assert [line.rstrip() for line in plain.getvalue().splitlines()] == table.splitlines()
    assert "\x1b[" in coloured.getvalue()


def test_a_trace_can_not_be_changed() -> None:
    trace = grab("common", [1])
    with pytest.raises(AttributeError):
        trace.length = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        trace.values[trace.graph.output] = ()  # type: ignore[index]


def test_the_text_of_the_program_is_what_is_known_of_it() -> None:
    trace = grab("doubled", [1])
    assert trace.listing == (
        (13, "def doubled(x):"),
        (14, "    twice = x + x"),
        (15, "    return shift_right(twice, 1) * 2"),
    )
    whole = trace.with_source(PROGRAMS["count"].source, 5)
    assert whole.listing[:2] == ((5, "def count(x):"), (6, "    at = lasts(x, full(x, START))"))


def test_a_trace_needs_no_rich() -> None:
    code = (
        "import sys, raspl; print(raspl.shift_right.bind(n=1).trace([1, 2]));"
        "assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
