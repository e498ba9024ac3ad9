"""The lessons run from top to bottom, and are kept without what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LESSONS = sorted((ROOT / "lessons").glob("*.ipynb"))
LONGEST = 600
"""Seconds that a cell may take on a machine that is busy with other tests."""


def test_there_are_three() -> None:
    assert [path.stem for path in LESSONS] == [
        "a_transformer_you_can_read",
        "think_like_a_transformer",
        "will_it_generalise",
    ]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_kept_without_outputs(path: Path) -> None:
    """They would be large and go stale; the site shows those of the version that it is built of."""
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.source for cell in cells if cell.outputs or cell.execution_count] == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    if path.stem != "think_like_a_transformer":
        pytest.importorskip("torch")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    monkeypatch.setenv("MPLBACKEND", "module://matplotlib_inline.backend_inline")
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=LONGEST, resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert len(outputs) > 8
    assert [each.text for each in outputs if each.get("name") == "stderr"] == []
    shown = [each.data for each in outputs if "data" in each]
    assert any("text/html" in data or "image/png" in data for data in shown)
