"""The page names places that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.architecture.page import SOURCE, places
from tests.markdown import ROOT


def names_in(path: Path) -> set[str]:
    """Functions, classes, their methods, and what is assigned at the top of a file or a class."""
    found: set[str] = set()

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            match node:
                case ast.FunctionDef(name=name):
                    found.add(prefix + name)
                case ast.ClassDef(name=name):
                    found.add(prefix + name)
                    visit(node.body, f"{prefix}{name}.")
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name))
                ):
                    found.add(prefix + name)

    visit(ast.parse(path.read_text("utf-8")).body, "")
    return found


@pytest.mark.parametrize(("file", "name"), sorted(places()))
def test_every_place_exists(file: str, name: str) -> None:
    path = next((p for p in (SOURCE / file, ROOT / file) if p.is_file()), None)
    assert path is not None, f"there is no {file}"
    if name:
        assert name in names_in(path), f"{file} defines no {name}"


def test_places_are_found() -> None:
    assert ("executors/reference.py", "_select") in places()
    assert ("runs/folder.py", "RunFolder.checkpoint") in places()
