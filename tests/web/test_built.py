"""The page that ships is the page that its sources make."""

from __future__ import annotations

import filecmp
import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from raspl.trace.page import STATIC as TRACE
from raspl.web.app import STATIC as PLAYGROUND
from tests.markdown import ROOT

SOURCES = ROOT / "web"
MOST_BYTES = 1_000_000


def test_the_page_was_built_from_its_sources() -> None:
    """Needs no Node: the build leaves the hash of what it read."""
    names = ["build.mjs", "package-lock.json", "package.json", "tsconfig.json"]
    paths = [path for path in (SOURCES / "src").rglob("*") if path.is_file()]
    names += sorted(path.relative_to(SOURCES).as_posix() for path in paths)
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n".encode() + (SOURCES / name).read_bytes())
    for folder in (PLAYGROUND, TRACE):
        built = (folder / "sources.txt").read_text("utf-8").strip()
        assert built == digest.hexdigest(), "run `make page`"


def test_the_page_is_small_and_asks_nobody() -> None:
    assert {path.name for path in TRACE.iterdir()} >= {"trace.js", "style.css"}
    files = [*PLAYGROUND.iterdir(), *TRACE.iterdir()]
    assert {path.name for path in files} >= {"index.html", "app.js", "style.css", "icon.svg"}
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    for path in files:
        text = path.read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text.replace("http://www.w3.org/1999/xhtml", ""), path
        assert "https://" not in text, path


def test_building_again_gives_the_same_page(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (SOURCES / "node_modules").is_dir():
        pytest.skip("this test needs Node and `npm ci` in the folder web")
    subprocess.run([node, "build.mjs", str(tmp_path)], cwd=SOURCES, check=True)
    for folder in (PLAYGROUND, TRACE):
        names = sorted(path.name for path in folder.iterdir())
        built = tmp_path / folder.relative_to(ROOT / "src/raspl")
        same, different, missing = filecmp.cmpfiles(folder, built, names, shallow=False)
        assert (sorted(same), different, missing) == (names, [], [])
    subprocess.run([node, "node_modules/typescript/bin/tsc", "--noEmit"], cwd=SOURCES, check=True)
