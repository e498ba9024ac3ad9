"""`make` takes the newest Python that works, or the one it is given, and says when none does."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
WORKS = '#!/bin/sh\n[ "$1" = -c ] || { mkdir -p .venv/bin && cp "$0" .venv/bin/python; }\n'
BROKEN = '#!/bin/sh\necho "command not found" >&2\nexit 127\n'
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the Makefile, beside a folder `bin` with what the recipe needs of a shell."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in ("sh", "make", "mkdir", "cp"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


def install(folder: Path, name: str, script: str) -> None:
    path = folder / "bin" / name
    path.write_text(f"{script}# {name}\n")
    path.chmod(0o755)


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Make the virtual environment with no other Python in sight."""
    return subprocess.run(
        ["make", ".venv/bin/python", *arguments],
        cwd=folder,
        env={"PATH": str(folder / "bin")},
        capture_output=True,
        text=True,
    )


def chosen(folder: Path) -> str:
    return (folder / ".venv/bin/python").read_text().splitlines()[-1].removeprefix("# ")


def test_the_newest_that_works_is_taken(folder: Path) -> None:
    install(folder, "python3.14", BROKEN)
    install(folder, "python3.13", WORKS)
    install(folder, "python3.11", WORKS)
    install(folder, "python3", WORKS)
    assert make(folder).stdout == "python3.13 -m venv .venv\n"
    assert chosen(folder) == "python3.13"


def test_the_one_that_is_given_is_taken(folder: Path) -> None:
    install(folder, "python3.13", WORKS)
    install(folder, "mine", WORKS)
    assert make(folder, "PYTHON=mine").returncode == 0
    assert chosen(folder) == "mine"


def test_none_that_works_is_one_sentence(folder: Path) -> None:
    install(folder, "python3.13", WORKS)
    install(folder, "old", BROKEN)
    result = make(folder, "PYTHON=old")
    assert result.returncode != 0
    assert result.stderr.splitlines()[0] == (
        "raspl needs Python 3.11 or newer with venv: "
        "install one, or name it with make PYTHON=path (tried: old)."
    )
    assert not (folder / ".venv").exists()


@pytest.mark.parametrize(
    ("version", "refused"), [((3, 10, 13), True), ((3, 11, 0), False), ((3, 14, 0), False)]
)
def test_the_version_is_what_decides(
    version: tuple[int, ...], refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line of code that each Python has to pass, as if this one were of that version."""
    lines = (ROOT / "Makefile").read_text().splitlines()
    (code,) = [line.partition(":= ")[2] for line in lines if line.startswith("SUITABLE")]
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit) as end:
        exec(code)
    assert end.value.code is refused


@pytest.mark.parametrize("ci", [True, False])
def test_ci_can_not_skip_the_tests_of_transformer_lens(ci: bool) -> None:
    asked = subprocess.run(
        ["make", "--dry-run", "test", f"CI={'true' if ci else ''}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("RASPL_TEST_LENS=1" in asked.stdout) == ci
    assert "CI=true make test" in (ROOT / ".ci/run").read_text()
