"""A task is one folder: dropped into a copy of the source, every command knows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.copies import Copy
from tests.architecture.page import snippets

FILES = [block for block in snippets("file") if "/tasks/" in block.info[2]]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    made = Copy.under(tmp_path_factory.mktemp("with_a_task"))
    for block in FILES:
        made.apply(block)
    return made


def test_the_page_adds_one_folder() -> None:
    assert {Path(block.info[2]).parts[:4] for block in FILES} == {("src", "raspl", "tasks", "echo")}


def test_the_copy_is_what_runs(copy: Copy) -> None:
    found = copy.python("-c", "import raspl; print(raspl.__file__)")
    assert Path(found.strip()) == copy.folder / "src/raspl/__init__.py"


def test_it_is_listed_and_sampled(copy: Copy) -> None:
    tasks, sampled = copy.commands(("tasks",), ("sample", "echo", "-n", "1"))
    assert any(
        line.startswith("echo ") and "the last letter again" in line for line in tasks.splitlines()
    )
    _, *prompt, separator, answer, end = sampled.split()
    assert (answer, separator, end) == (prompt[-1], ">", "EoS")


def test_its_program_runs_and_compiles(copy: Copy) -> None:
    prompt = ("SoS", "b", "a", "c", ">")
    once, written, _ = copy.commands(
        ("run", "echo", *prompt),
        ("run", "echo", *prompt, "--until", "EoS"),
        ("compile", "echo", "--verify", "20", "-o", "network"),
    )
    assert once.split()[-1] == "c"
    assert written.split() == [*prompt, "c", "EoS"]


def test_it_is_predicted(copy: Copy) -> None:
    said = copy.raspl("predict", "echo", "--budget", "5s")
    assert "will generalise" in said


def test_it_is_trained_judged_and_reported(copy: Copy) -> None:
    smoke = ("--scale", "smoke", "--root", "runs")
    judged, _ = copy.commands(
        ("study", "run", "echo", *smoke, "--seeds", "1", "--workers", "1"),
        ("report", "--study", "echo", *smoke, "--out", "report.html"),
    )
    assert "echo (trained to 4, tested at 5)" in judged
    (run,) = (copy.folder / "runs").glob("echo-*")
    assert (run / "result.json").is_file()
    page = (copy.folder / "report.html").read_text("utf-8")
    assert "Does echo generalise?" in page
    assert "shift_right(x, 1)" in page
