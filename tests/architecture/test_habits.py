"""A habit of the page that can be looked up in the source: one owner of file names."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.architecture.page import SOURCE

OWNER = SOURCE / "runs/folder.py"
FILES = ("checkpoint-", "metrics.jsonl", "cost.jsonl", "result.json", "worker.log")
"""Of a run's files, those whose names nothing else uses."""


@cache
def words() -> dict[Path, set[str]]:
    """Every string of the source that is one word, so no docstring, by file."""
    found: dict[Path, set[str]] = {}
    for path in SOURCE.rglob("*.py"):
        nodes = ast.walk(ast.parse(path.read_text("utf-8")))
        texts = (node.value for node in nodes if isinstance(node, ast.Constant))
        found[path] = {text for text in texts if isinstance(text, str) and " " not in text}
    return found


@pytest.mark.parametrize("name", FILES)
def test_only_the_folder_of_a_run_knows_the_names_of_its_files(name: str) -> None:
    users = {path for path, texts in words().items() if any(name in text for text in texts)}
    assert users == {OWNER}
