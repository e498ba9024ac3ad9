"""A copy of the source that a test may change, and commands that run in it."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from tests.architecture.page import SOURCE
from tests.markdown import ROOT, Block

EACH = """
import json, sys
from typer.testing import CliRunner
from raspl.cli import app

for words in json.loads(sys.argv[1]):
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    print(json.dumps(answer.stdout))
"""


@dataclass(frozen=True)
class Copy:
    """A working folder with `src/raspl` in it, which Python finds before the installed one."""

    folder: Path

    @classmethod
    def under(cls, folder: Path) -> Copy:
        # With what Python has compiled already: the copies keep the times that it goes by.
        shutil.copytree(SOURCE, folder / "src/raspl")
        return cls(folder)

    def apply(self, block: Block) -> None:
        """Make the change that a block of the page shows; its heading says what kind and where."""
        _, kind, file, *rest = block.info
        path = self.folder / file
        match kind, rest:
            case "file", []:
                assert not path.exists()
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text, "utf-8")
            case "before", [name]:
                text = path.read_text("utf-8")
                place = _start(text, name)
                path.write_text(f"{text[:place]}{block.text}\n\n{text[place:]}", "utf-8")
            case "last", [name]:
                text = path.read_text("utf-8")
                place = _end_of_last(text, name)
                entry = block.text.strip().removesuffix(",")
                path.write_text(f"{text[:place]},\n{entry}{text[place:]}", "utf-8")
            case "end", [name]:
                lines = path.read_text("utf-8").splitlines()
                line, indent = _end_of_body(lines, name, is_case=block.text.startswith("case "))
                lines.insert(line, textwrap.indent(block.text.rstrip(), " " * indent))
                path.write_text("\n".join((*lines, "")), "utf-8")
            case _:
                raise AssertionError(block)

    def add_import(self, file: str, line: str) -> None:
        """An import on top of a file, below its docstring and `from __future__`."""
        path = self.folder / file
        text = path.read_text("utf-8")
        first = "from __future__ import annotations\n"
        assert first in text
        path.write_text(text.replace(first, f"{first}\n{line}\n", 1), "utf-8")

    def add_tests(self, *files: str) -> None:
        """The project's own tests, to be run on the copy."""
        for file in ("tests/__init__.py", *files):
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.folder / file)

    def raspl(self, *arguments: str) -> str:
        """What a command prints; it must succeed."""
        (printed,) = self.commands(arguments)
        return printed

    def commands(self, *each: tuple[str, ...]) -> list[str]:
        """What commands print, one after the other in one process; all must succeed."""
        return [json.loads(line) for line in self.python("-c", EACH, json.dumps(each)).splitlines()]

    def python(self, *arguments: str) -> str:
        done = self.attempt(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def attempt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{self.folder / 'src'}{os.pathsep}{self.folder}",
            "COLUMNS": "200",
            "NO_COLOR": "1",
            "TERM": "dumb",
        }
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip


def _assigned(text: str, name: str) -> ast.AnnAssign | ast.Assign:
    """The statement that gives a name its value."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)]) if found == name:
                return node
            case ast.AnnAssign(target=ast.Name(id=found)) if found == name:
                return node
    raise AssertionError(f"nothing is called {name}")


def _start(text: str, name: str) -> int:
    node = _assigned(text, name)
    return _offset(text, node.lineno, node.col_offset)


def _end_of_last(text: str, name: str) -> int:
    """Where the last entry of a table ends."""
    value = _assigned(text, name).value
    while isinstance(value, ast.Call):  # Rules("name", {…})
        value = value.args[-1]
    assert isinstance(value, ast.Dict | ast.Tuple | ast.List | ast.Set)
    last = (value.values if isinstance(value, ast.Dict) else value.elts)[-1]
    assert last.end_lineno is not None
    assert last.end_col_offset is not None
    return _offset(text, last.end_lineno, last.end_col_offset)


def _end_of_body(lines: list[str], function: str, is_case: bool) -> tuple[int, int]:
    """How many lines a function has up to its end, or up to that of its `match`; the indent."""
    tree = ast.parse("\n".join(lines))
    found = next(
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name == function
    )
    last: ast.stmt = found.body[-1]
    indent = last.col_offset
    if is_case:
        last = next(node for node in found.body if isinstance(node, ast.Match))
        indent = last.cases[0].pattern.col_offset - len("case ")
    assert last.end_lineno is not None
    return last.end_lineno, indent


def _offset(text: str, line: int, column: int) -> int:
    """The place of a line and a column, which `ast` counts in bytes."""
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())
