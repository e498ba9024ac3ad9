"""The commands of the language, as a user types them."""

from __future__ import annotations

import json
import subprocess
import sys
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.commands import raspl

LEGAL = "from raspl import program\n\n@program\ndef add_one(x):\n    y = x + 1\n    return y\n"
ILLEGAL = "def f(x):\n    return x[0]\n"
# A file that can't be run: what it is must be seen without running it.
TASK = """
import nowhere

def solve(prompt):
    return [letter for letter in prompt]

task = nowhere.Task("own", "", "ab", nowhere.sample, solve)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "legal.py").write_text(LEGAL)
    (tmp_path / "illegal.py").write_text(ILLEGAL)
    (tmp_path / "task.py").write_text(TASK)
    return tmp_path


def test_the_version_is_the_installed_one() -> None:
    command = [sys.executable, "-m", "raspl", "--version"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert shown == f"raspl {version('raspl')}\n"


def test_check_tells_legal_from_illegal(folder: Path) -> None:
    legal = raspl("check", "legal.py", cwd=folder)
    assert (legal.returncode, legal.stdout) == (0, "legal: add_one\n")
    illegal = raspl("check", "legal.py", "illegal.py", cwd=folder)
    assert illegal.returncode == 1
    assert "illegal.py:2:12: R104" in illegal.stdout


def test_programs_beside_a_task_are_checked(folder: Path) -> None:
    (folder / "both.py").write_text(TASK + LEGAL)
    assert "legal: add_one" in raspl("check", "both.py", cwd=folder).stdout


def test_check_as_json(folder: Path) -> None:
    result = raspl("check", "illegal.py", "--format", "json", cwd=folder)
    assert result.returncode == 1
    (record,) = json.loads(result.stdout)
    assert (record["file"], record["line"], record["code"]) == ("illegal.py", 2, "R104")
    assert json.loads(raspl("check", "legal.py", "--format", "json", cwd=folder).stdout) == []


def test_run_a_shipped_program_with_names_for_tokens() -> None:
    words = ("START", "2", "4", "--until", "END")
    assert raspl("run", "count_paper", *words).stdout == "-1 2 4 2 3 4 -2\n"
    assert raspl("run", "conjunction_paper", "1,1,0").stdout == "1 1 0\n"


def test_a_tasks_program_speaks_of_its_tokens_by_name() -> None:
    words = ("SoS", "2", "4", ">", "--until", "EoS")
    assert raspl("run", "count", *words).stdout == "SoS 2 4 > 2 3 4 EoS\n"
    said = raspl("run", "count", "SoS", "7", "1000").stderr
    assert "'1000' is not a token: those of count are SoS > EoS 0 1 2 … 154" in said
    assert "such as SoS 44 46 '>'" in raspl("run", "count").stderr


def test_run_a_file_and_a_library_function(folder: Path) -> None:
    assert raspl("run", "legal.py:add_one", "-5", "1", cwd=folder).stdout == "-4 2\n"
    assert raspl("run", "legal.py", "3", cwd=folder).stdout == "4\n"
    assert raspl("run", "firsts", "1", "2", "/", "2", "2").stdout == "· 1\n"
    assert raspl("run", "shift_right", "5", "6", "--set", "n=1").stdout == "0 5\n"


def test_a_legal_program_runs_beside_illegal_ones(folder: Path) -> None:
    (folder / "both.py").write_text(ILLEGAL + "def g(x):\n    return x\n")
    assert raspl("run", "both.py:g", "3", cwd=folder).stdout == "3\n"
    assert raspl("check", "both.py:g", cwd=folder).returncode == 0
    assert raspl("check", "both.py:f", cwd=folder).returncode == 1


def test_generation_that_does_not_end_says_so() -> None:
    result = raspl("run", "count_paper", "START", "2", "900", "--until", "END", "--limit", "3")
    assert result.returncode == 1
    assert result.stdout == "-1 2 900 2 3 4\n"
    assert "stopped after 3 tokens without END" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "nothing", "1"], "neither a file nor a shipped program"),
        (["run", "legal.py:other", "1"], "has no program 'other'; it has: add_one"),
        (["run", "illegal.py", "1"], "R104"),
        (["run", "count", "seven"], "'seven' is not a token"),
        (["run", "sort_paper", "300"], "outside of -128…127"),
        (["run", "legal.py", "127"], "R401 overflow: `x + 1` gives 128 at position 0"),
        (["run", "count", "--generate"], "no tokens were given"),
        (["run", "srot", "1"], "did you mean sort?"),
        (["run", "binary_mode", "1"], "R303"),
        (["run", "illegal.py:other", "1"], "has no program 'other'; it has: f"),
        (["run", "shift_right", "1", "--set", "n=x"], "write NAME=INTEGER"),
        (["run", "count", "1", "--until", "STOP"], "'STOP' is not a token"),
        (["check", "missing.py"], "There is no file missing.py."),
        (["check", "lgal.py"], "There is no file lgal.py; did you mean legal.py"),
        (["run", "leegal.py:add_one", "1"], "There is no file leegal.py; did you mean legal.py"),
        (
            ["run", "sort", "3", "1", "--untill", "2"],
            "has no option --untill; did you mean --until?",
        ),
        (["trace", "legal.py", "3", "-x"], "`raspl trace` has no option -x; `-h` lists those"),
        (
            ["compile", "sort", "--verfy", "3"],
            "`raspl compile` has no option --verfy; did you mean",
        ),
        (["train", "count", "--max-length", "abc"], "--max-length must be a whole number."),
        (["play", "--port", "70000"], "--port must be at most 65535."),
        (["predict", "count", "--format", "xml"], "--format must be one of 'text', 'json', not"),
        (["tasks", "more"], "`raspl tasks` takes no argument more; `-h` shows"),
        (["chek", "sort"], "There is no command chek; did you mean check?"),
        (["run"], "Missing argument 'PROGRAM'; `raspl run -h` shows how it is called."),
        (["check", "."], "directory"),
        (["measure", "nothing"], "neither a file nor a shipped program"),
        (["run", "sort", "1", "--bits", "9"], "the width is 8 or 16"),
        (["trace", "sort", "1", "--html", "no/folder/page.html"], "no/folder: there is no such"),
        (["run", "shift_right", "1"], "needs a value for n"),
        (["run", "nothing", "1"], "shipped program; name a file as FILE or FILE:program"),
        (
            ["run", "copy", "1"],
            "did you mean copy_repeat, copy_unique or copy_unique_paper?",
        ),
        (["measure", "majority"], "is a task without a program: `raspl search majority`"),
        (["check", "task.py"], "task.py is a task, not a program: it defines `task = Task(…)`"),
        (["run", "task.py:solve", "1"], "task.py is a task, not a program"),
        (["run", "task.py", "1"], "give it to `raspl sample`, `raspl train` or `raspl predict`"),
    ],
)
def test_mistakes_are_a_sentence_and_exit_code_2(
    arguments: list[str], says: str, folder: Path
) -> None:
    result = raspl(*arguments, cwd=folder)
    assert result.returncode == 2
    assert says in result.stderr


def test_one_file_that_is_no_program_does_not_hide_the_others(folder: Path) -> None:
    result = raspl("check", "missing.py", "illegal.py", "task.py", "legal.py", cwd=folder)
    assert result.returncode == 2
    assert "violation" in result.stdout
    assert "legal: " in result.stdout
    assert "There is no file missing.py." in result.stderr
    assert "task.py is a task" in result.stderr


def test_trace_in_the_terminal() -> None:
    result = raspl("trace", "mode_paper", "1", "2", "2", "--selectors")
    assert "frequency  Count#1 │ 1 1 2" in result.stdout
    assert result.stdout.count("select(") == 4


def test_trace_shows_what_came_before_a_failure(folder: Path) -> None:
    result = raspl("trace", "legal.py", "1", "127", cwd=folder)
    assert result.returncode == 1
    assert "R401" in result.stdout


def test_trace_as_a_page(tmp_path: Path) -> None:
    words = ("SoS", "2", "5", ">", "--until", "EoS")
    raspl("trace", "count", *words, "--html", "t.html", cwd=tmp_path)
    parser = HTMLParser()
    parser.feed((tmp_path / "t.html").read_text("utf-8"))
    assert [path.name for path in tmp_path.iterdir()] == ["t.html"]


def test_measure_sets_programs_side_by_side() -> None:
    rows = raspl("measure", "sort", "mode").stdout
    assert "operations" in rows
    assert "sort" in rows
    assert "mode" in rows


def test_list_names_every_shipped_program() -> None:
    from raspl import programs

    shown = raspl("list").stdout
    assert all(name in shown for name in programs.NAMES)


def test_importing_raspl_loads_neither_numpy_nor_the_command_line() -> None:
    code = "import raspl, sys; print(*{'numpy', 'torch', 'rich', 'typer'} & set(sys.modules))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "\n"
