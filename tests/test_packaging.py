"""What is installed is what the source tree holds."""

from __future__ import annotations

import tomllib
from importlib.metadata import version
from pathlib import Path

import raspl

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_stands_in_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert version("raspl") == raspl.__version__


def test_every_file_that_is_no_module_is_package_data() -> None:
    """Modules are found by their packages; all else must be named, or a wheel lacks it."""
    source = ROOT / "src/raspl"
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["raspl"]
    named = {path for pattern in patterns for path in source.glob(pattern)}
    files = {
        path
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not _is_module(path)
    }
    assert source / "trace/templates/page.html" in files
    assert sorted(files - named) == []


def _is_module(path: Path) -> bool:
    return path.suffix == ".py" and (path.parent / "__init__.py").exists()


def test_the_changelog_knows_the_version() -> None:
    headings = [
        line
        for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("## ")
    ]
    assert headings[0] == "## [Unreleased]"
    assert any(line.startswith(f"## [{raspl.__version__}]") for line in headings)
