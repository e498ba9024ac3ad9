"""The language server, driven as an editor drives it: messages over standard input and output."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from tests.lsp.client import Editor

TEXT = """\
from helpers import seen
from raspl import cumsum, program, shift_right, where

END = 2


@program
def f(x):
    ones = cumsum(x == 1)
    before = shift_right(x, 1, default=END)
    return where(seen(x), before % 3, x)
"""
HELPERS = 'def seen(x):\n    """Whether a 7 came."""\n    return has_seen(x, 7)\n'


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("editor")
    (folder / "helpers.py").write_text(HELPERS)
    server = Editor(folder)
    yield server
    assert server.close() == 0


def place(text: str, part: str) -> tuple[int, int]:
    """Line and character where a part of a text begins, from 0."""
    before = text[: text.index(part)]
    return before.count("\n"), len(before) - before.rfind("\n") - 1


def covered(text: str, found: dict[str, Any]) -> str:
    start, end = found["start"], found["end"]
    assert start["line"] == end["line"]
    line: str = text.split("\n")[start["line"]]
    return line[start["character"] : end["character"]]


def test_it_says_what_it_can_do(editor: Editor) -> None:
    can = editor.abilities
    assert can["hoverProvider"]
    assert can["definitionProvider"]
    assert can["completionProvider"]["triggerCharacters"]
    assert can["signatureHelpProvider"]
    assert can["codeActionProvider"]


def test_diagnostics_come_and_go_with_the_text(editor: Editor) -> None:
    (unused,) = editor.open("f.py", TEXT)
    assert (unused["code"], unused["severity"], unused["source"]) == ("W001", 2, "raspl")
    assert covered(TEXT, unused["range"]) == "ones"
    line, character = place(TEXT, "before % 3")
    at = {"line": line, "character": character}
    wrong = {"range": {"start": at, "end": {**at, "character": character + 6}}, "text": "ones"}
    editor.change("f.py", 2, wrong)
    (found,) = editor.diagnostics("f.py", 2)
    assert (found["code"], found["severity"]) == ("R301", 1)
    assert "this calculates with a value of type Count#1" in found["message"]
    assert "instead: add or subtract a literal" in found["message"]
    editor.change("f.py", 3, {"text": TEXT})
    assert [each["code"] for each in editor.diagnostics("f.py", 3)] == ["W001"]


def test_only_the_latest_of_many_keystrokes_is_checked(editor: Editor) -> None:
    editor.open("many.py", TEXT)
    for version in range(2, 30):
        editor.change("many.py", version, {"text": TEXT + f"\n# {version}"})
    assert [each["code"] for each in editor.diagnostics("many.py", 29)] == ["W001"]


def test_hover_shows_type_and_values(editor: Editor) -> None:
    editor.open("hover.py", TEXT)
    line, character = place(TEXT, "before = ")
    told = editor.at("hover", "hover.py", line, character + 1)
    assert "before: Int" in told["contents"]["value"]
    assert "It can be -128 to 127" in told["contents"]["value"]
    assert covered(TEXT, told["range"]) == "before"
    line, character = place(TEXT, "shift_right(x")
    assert (
        "shift_right(x, n, default=None)"
        in editor.at("hover", "hover.py", line, character)["contents"]["value"]
    )
    line, character = place(TEXT, "seen(x)")
    assert (
        "Whether a 7 came." in editor.at("hover", "hover.py", line, character)["contents"]["value"]
    )
    assert editor.at("hover", "hover.py", 5, 0) is None


def test_completion_with_signatures(editor: Editor) -> None:
    text = TEXT.replace("shift_right(x, 1, default=END)", "shift_r")
    editor.open("complete.py", text)
    line, character = place(text, "shift_r\n")
    items = editor.at("completion", "complete.py", line, character + 7)["items"]
    first = min(items, key=lambda item: item["sortText"])
    assert first["label"] == first["textEdit"]["newText"] == "shift_right"
    assert first["detail"] == "shift_right(x, n, default=None)"
    assert covered(text, first["textEdit"]["range"]) == "shift_r"


def test_signature_help(editor: Editor) -> None:
    editor.open("signature.py", TEXT)
    line, character = place(TEXT, "1, default")
    told = editor.at("signatureHelp", "signature.py", line, character + 1)
    assert told["signatures"][0]["label"] == "shift_right(x, n, default=None)"
    assert told["activeParameter"] == 1


def target(location: dict[str, Any]) -> tuple[str, str]:
    """The file that a location points into, and the line there."""
    path = Path(unquote(urlparse(location["uri"]).path))
    return path.name, path.read_text("utf-8").split("\n")[location["range"]["start"]["line"]]


def test_definitions_here_beside_and_in_the_library(editor: Editor) -> None:
    editor.open("define.py", TEXT)
    line, character = place(TEXT, "before % 3")
    here = editor.at("definition", "define.py", line, character)
    assert here["uri"] == editor.uri("define.py")
    assert covered(TEXT, here["range"]) == "before"
    assert here["range"]["start"]["line"] == place(TEXT, "before =")[0]
    line, character = place(TEXT, "seen(x)")
    assert target(editor.at("definition", "define.py", line, character)) == (
        "helpers.py", "def seen(x):",
    )  # fmt: skip
    line, character = place(TEXT, "cumsum(x ==")
    assert target(editor.at("definition", "define.py", line, character)) == (
        "library.py", "def cumsum(x):",
    )  # fmt: skip
    line, character = place(TEXT, "where(")
    file, written = target(editor.at("definition", "define.py", line, character))
    assert file == "primitives.py"
    assert "where" in written


def test_a_fix_is_an_edit_that_ends_the_violation(editor: Editor) -> None:
    text = "from raspl import *\n\n\n@program\ndef f(x):\n    return x if x > 0 else 0\n"
    (found,) = editor.open("fix.py", text)
    asked = {"start": found["range"]["start"], "end": found["range"]["start"]}
    (action,) = editor.ask(
        "textDocument/codeAction",
        textDocument={"uri": editor.uri("fix.py")},
        range=asked,
        context={"diagnostics": [found]},
    )
    (edit,) = action["edit"]["changes"][editor.uri("fix.py")]
    editor.change("fix.py", 2, {"range": edit["range"], "text": edit["newText"]})
    assert editor.diagnostics("fix.py", 2) == []


def test_what_is_beside_is_read_again_when_a_file_is_saved(editor: Editor) -> None:
    folder = Path(unquote(urlparse(editor.uri("")).path))
    text = (
        "from later import g\nfrom raspl import program\n\n\n@program\ndef f(x):\n    return g(x)\n"
    )
    assert [each["code"] for each in editor.open("uses.py", text)] == ["R201"]
    (folder / "later.py").write_text("def g(x): return x + 1")
    editor.tell("textDocument/didSave", textDocument={"uri": editor.uri("uses.py")})
    assert editor.diagnostics("uses.py", 1) == []


def test_python_without_a_program_is_left_alone(editor: Editor) -> None:
    text = "import os\n\n\ndef main(x):\n    for each in x:\n        print(each[0])\n"
    assert editor.open("plain.py", text) == []
    assert editor.at("hover", "plain.py", 3, 5) is None
    assert editor.at("completion", "plain.py", 4, 8)["items"] == []
    codes = {each["code"] for each in editor.open("alone.raspl", text, "raspl")}
    assert {"R101", "R104", "W002"} <= codes


def test_around_programs_a_python_module_may_do_as_it_likes(editor: Editor) -> None:
    text = (
        "import os\n\nfrom raspl import program\n\nprint(os.name)\n\n\n"
        "@program\ndef f(x):\n    return x\n\n\nprint(f([1]))\n"
    )
    assert editor.open("module.py", text) == []


def test_columns_count_in_utf_16(editor: Editor) -> None:
    text = '@program\ndef f(x):\n    y = "😀"; z = x[0]; return z\n'
    found = [each for each in editor.open("wide.py", text) if each["code"] == "R104"]
    start = found[0]["range"]["start"]["character"]
    line = text.split("\n")[2]
    assert line.encode("utf-16-le")[2 * start :].decode("utf-16-le").startswith("x[0]")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-32"])
def test_or_in_what_the_editor_prefers(tmp_path: Path, encoding: str) -> None:
    server = Editor(tmp_path, [encoding])
    text = '@program\ndef f(x):\n    y = "😀"; z = x[0]; return z\n'
    found = [each for each in server.open("wide.py", text) if each["code"] == "R104"]
    start = found[0]["range"]["start"]["character"]
    line = text.split("\n")[2]
    # pygls agrees on UTF-32 or UTF-16 and never on UTF-8, and says on which.
    agreed = server.abilities["positionEncoding"]
    units = len(line[: line.index("x[0]")].encode(f"{agreed}{'' if agreed == 'utf-8' else '-le'}"))
    assert start == units // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[agreed]
    assert server.close() == 0


def test_a_hostile_text_gets_an_answer(editor: Editor) -> None:
    deep = "@program\ndef f(x):\n    return " + "(" * 3000 + "x" + ")" * 3000
    assert [each["code"] for each in editor.open("deep.py", deep)] == ["R100"]
    doubling = "\n".join(f"def f{n}(x): return f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 60))
    first, last = "def f0(x): return x", "@program\ndef g(x): return f59(x)"
    huge = f"from raspl import program\n{first}\n{doubling}\n{last}\n"
    assert {each["code"] for each in editor.open("huge.py", huge)} == {"R115"}
    assert editor.at("hover", "huge.py", 10**6, 10**6) is None
