"""raspl zoo: its commands, and what a mistake is told."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from raspl.cli import app

FOUND = '''from raspl import kqv, lt, program


@program
def next_smaller(x):
    """The greatest token so far that is smaller."""
    return kqv(k=x, q=x, v=x, pred=lt, default=-1, reduction="max")
'''


def zoo(*arguments: str) -> tuple[int, str]:
    """The exit code and everything that was printed."""
    done = CliRunner().invoke(app, ["zoo", *arguments])
    return done.exit_code, done.output


def test_shipped_programs_and_files_are_built_and_listed(tmp_path: Path) -> None:
    file, root = tmp_path / "found.py", tmp_path / "zoo"
    file.write_text(FOUND, "utf-8")
    code, printed = zoo("build", "conjunction", str(file), "--alphabet=0:9", "-o", str(root))
    assert code == 0, printed
    assert f"2/2 wrote {root / 'next_smaller'}" in printed
    card = (root / "conjunction" / "README.md").read_text("utf-8")
    assert "Whether all 20 bits are 1" in card
    assert "SoS" in card
    assert "The greatest token so far" in (root / "next_smaller" / "README.md").read_text("utf-8")
    code, printed = zoo("list", str(root))
    assert code == 0
    assert [line.split()[0] for line in printed.splitlines()[1:]] == ["conjunction", "next_smaller"]


def test_what_can_be_built_is_listed() -> None:
    code, printed = zoo("list")
    assert code == 0
    assert "addition_forward_paper" in printed


def test_a_folder_without_networks_is_an_error(tmp_path: Path) -> None:
    code, printed = zoo("list", str(tmp_path))
    assert code == 2
    assert "there are no networks in" in printed


def test_an_unknown_program_is_an_error(tmp_path: Path) -> None:
    code, printed = zoo("build", "sorted", "-o", str(tmp_path))
    assert code == 2
    assert "neither a file nor a shipped program" in printed
