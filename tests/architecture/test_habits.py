"""A habit of the page that can be looked up in the source: one owner of file names."""

from __future__ import annotations

import ast

import pytest

from tests.architecture.page import SOURCE

OWNER = SOURCE / "runs/folder.py"
FILES = ("checkpoint-", "metrics.jsonl", "cost.jsonl", "result.json", "worker.log")
"""Of a run's files, those whose names nothing else uses."""


def texts(source: str) -> set[str]:
    """Every string of a file that is one word, so no docstring."""
    nodes = ast.walk(ast.parse(source))
    found = {node.value for node in nodes if isinstance(node, ast.Constant)}
    return {text for text in found if isinstance(text, str) and " " not in text}


@pytest.mark.parametrize("name", FILES)
def test_only_the_folder_of_a_run_knows_the_names_of_its_files(name: str) -> None:
    users = {
        path
        for path in SOURCE.rglob("*.py")
        if any(name in text for text in texts(path.read_text("utf-8")))
    }
    assert users == {OWNER}
