"""A file that Python could not run says which names it should import from raspl."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from raspl import assist, check
from raspl.language.source import read
from tests.assist.editing import apply

BODY = "@program\ndef f(x, at: Index):\n    return kqv(x, at, maximum(x), lt)\n"
USED = ("Index", "kqv", "lt", "maximum", "program")
LEFT_OUT = {
    "from raspl import program, kqv, lt, maximum\n" + BODY: "`Index` is not imported",
    "from raspl import Index, kqv, program\n" + BODY: "`maximum` and `lt` are not imported",
    "import raspl\n@raspl.program\ndef f(x):\n    return maximum(x)\n": "`maximum` is not imported",
    BODY: "`program`, `Index`, `kqv`, `maximum` and `lt` are not imported",
}
COMPLETE = (
    f"from raspl import {', '.join(USED)}\n{BODY}",
    "from raspl import *\n" + BODY,
    "import raspl\n@raspl.program\ndef f(x):\n    return raspl.maximum(x)\n",
    "from raspl import program\n@program\ndef f(x, mask):\n    lt = mask\n    return x + lt\n",
    "from raspl import program, tok_map\n@program\ndef f(x):\n    return tok_map(x, abs)\n",
    # Plain RASP-L, which Python is not meant to run.
    "def f(x):\n    return maximum(x)\n",
)


def warnings(file: Path, text: str) -> list[str]:
    file.write_text(text)
    return [d.message for d in check(file).diagnostics if d.rule.code == "W005"]


@pytest.mark.parametrize("text", LEFT_OUT)
def test_one_warning_names_all_that_is_left_out(tmp_path: Path, text: str) -> None:
    (message,) = warnings(tmp_path / "f.py", text)
    assert message.startswith(LEFT_OUT[text])


@pytest.mark.parametrize("text", COMPLETE)
def test_what_python_knows_is_not_asked_for(tmp_path: Path, text: str) -> None:
    assert warnings(tmp_path / "f.py", text) == []


def test_a_text_that_is_no_file_needs_no_imports() -> None:
    assert check("@program(bits=16)\ndef f(x):\n    return maximum(x)\n").diagnostics == []


@pytest.mark.parametrize(
    "head",
    [
        "",
        '"""A file."""\n\nfrom __future__ import annotations\n\n',
        "import os\n\n",
        "from raspl import program, lt as less\n\n\n",
    ],
)
def test_python_runs_the_file_once_it_is_fixed(tmp_path: Path, head: str) -> None:
    file = tmp_path / "f.py"
    file.write_text(head + "@program\ndef f(x):\n    return kqv(x, x, x, lt)\n")
    source = read(file)
    found = assist.with_fixes(source, check(file).diagnostics)
    fix = next(each["fixes"][0] for each in found if each["code"] == "W005")
    file.write_text(apply(source.text, fix))
    assert warnings(file, file.read_text()) == []
    runpy.run_path(str(file))
