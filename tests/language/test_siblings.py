"""Files beside a file: read as data, once each, in bounds, and never run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import raspl
from raspl.language.limits import MAX_FILES, MAX_TOKENS

HELPERS = """
import os
os.system("touch {run}")
print("never")
TOKENS = ["a", "b"]
MARK = "b"
SHIFT = 2

def seen_mark(x):
    return has_seen(x, MARK)

def double(a):
    return a * SHIFT

def broken(x):
    return x[0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text(HELPERS.format(run=tmp_path / "RUN"))
    return tmp_path


def check(folder: Path, text: str) -> raspl.Checked:
    file = folder / "main.py"
    file.write_text(text)
    checked = raspl.check(file)
    assert not (folder / "RUN").exists()
    return checked


@pytest.mark.parametrize(
    "text",
    [
        "from helpers import seen_mark, double\ndef f(x): return seen_mark(x) + tok_map(x, double)",
        "from .helpers import seen_mark as s, double\ndef f(x): return s(x) + tok_map(x, double)",
        "import helpers\ndef f(x): return helpers.seen_mark(x) + tok_map(x, helpers.double)",
        "import helpers as h\ndef f(x): return h.seen_mark(x) + tok_map(x, h.double)",
        "from . import helpers\ndef f(x): return helpers.seen_mark(x) + tok_map(x, helpers.double)",
        "from helpers import *\ndef f(x): return seen_mark(x) + tok_map(x, double)",
        "from helpers import MARK, SHIFT, TOKENS\ndef f(x): return has_seen(x, MARK) + x * SHIFT",
    ],
)
def test_what_a_file_beside_defines_can_be_used(folder: Path, text: str) -> None:
    checked = check(folder, text)
    assert [d.rule.code for d in checked.diagnostics] == []
    assert list(checked.programs) == ["f"]
    assert checked.programs["f"]("a b a").tolist() == [0, 3, 1]


def test_a_folder_below_is_a_package(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "deep.py").write_text("def g(x): return x + 1")
    checked = check(folder, "from parts.deep import g\ndef f(x): return g(x)")
    assert checked.programs["f"]([1]).tolist() == [2]


def test_a_mistake_in_it_is_shown_where_it_is(folder: Path) -> None:
    (found,) = check(folder, "from helpers import broken\ndef f(x): return broken(x)").diagnostics
    assert found.rule.code == "R104"
    assert found.span.file.endswith("helpers.py")


def only(checked: raspl.Checked) -> str:
    (found,) = checked.diagnostics
    assert found.rule.code == "R116"
    return found.message


def test_a_missing_name_is_said_once(folder: Path) -> None:
    text = "from helpers import nothing\ndef f(x): return nothing(x) + nothing(x)"
    assert only(check(folder, text)) == "helpers.py does not define `nothing` in RASP-L"


def test_a_name_that_could_not_be_imported_is_no_guess(folder: Path) -> None:
    """And what a file has from raspl is not its own."""
    (folder / "small.py").write_text("from raspl import shift_right\nBLANK = 3\n")
    text = "from small import BLANKS\ndef f(x): return x + BLANK"
    missing, unknown = check(folder, text).diagnostics
    assert missing.instead == "it defines BLANK"
    assert "BLANKS" not in unknown.instead


def test_a_circle_is_explained(folder: Path) -> None:
    (folder / "one.py").write_text("from two import g")
    (folder / "two.py").write_text("from one import g")
    said = only(check(folder, "from one import g\ndef f(x): return g(x)"))
    assert said == "the files import each other: one.py imports two.py imports one.py"
    (folder / "self.py").write_text("from self import g")
    assert "self.py imports self.py" in only(
        check(folder, "from self import g\ndef f(x): return x")
    )


def test_two_vocabularies_that_contradict_are_refused(folder: Path) -> None:
    text = 'TOKENS = ["b", "a"]\nfrom helpers import seen_mark\ndef f(x): return seen_mark(x)'
    (found,) = check(folder, text).diagnostics
    assert found.rule.code == "R208"
    assert "`seen_mark` names the tokens differently" in found.message


def test_too_many_files(folder: Path) -> None:
    for number in range(MAX_FILES + 2):
        (folder / f"m{number}.py").write_text(f"from m{number + 1} import g")
    (folder / f"m{MAX_FILES + 2}.py").write_text("def g(x): return x")
    assert f"file {MAX_FILES + 1}" in only(check(folder, "from m0 import g\ndef f(x): return g(x)"))


def test_files_that_are_too_large_together(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.py").write_text("A = 1\n" * (MAX_TOKENS // 5))
    text = "import a\nimport b\ndef f(x): return x"
    assert only(check(folder, text)) == "the imported files are too large together"


@pytest.mark.parametrize("content", [b"def f(x", b"\xff\xfe\0", b"(" * 5000, b"x" * (17 << 20)])
def test_what_can_not_be_read_is_said_at_the_import(folder: Path, content: bytes) -> None:
    (folder / "odd.py").write_bytes(content)
    assert "odd.py can't be read" in only(check(folder, "import odd\ndef f(x): return x"))


def test_a_pipe_is_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.py")
    checked = check(folder, "import pipe\ndef f(x): return x")
    assert [d.rule.code for d in checked.diagnostics] == ["W002"]


def test_nothing_outside_of_the_folder_is_read(folder: Path) -> None:
    (folder / "inner").mkdir()
    checked = check(folder / "inner", "from ..helpers import seen_mark\ndef f(x): return x")
    assert "no file helpers.py" in only(checked)


def test_a_text_without_a_file_has_nothing_beside_it() -> None:
    checked = raspl.check("import helpers\ndef f(x): return helpers.g(x)")
    assert [d.rule.code for d in checked.diagnostics] == ["W002", "R106"]
