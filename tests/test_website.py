"""The site's pages, as far as they are there without building it: no link leads nowhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

from tests.markdown import ROOT

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
MADE_LATER = ("lessons/", "gallery.md")
"""What running the notebooks and the traces adds."""


@pytest.fixture(scope="module")
def build() -> Any:
    spec = importlib.util.spec_from_file_location("website_build", ROOT / "website/build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_link_of_a_page_leads_to_a_page(
    build: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "PAGES", tmp_path)
    build.copy_pages()
    pages = list(tmp_path.rglob("*.md"))
    assert tmp_path / "results/forecast/scorecard.md" in pages
    lost = []
    for page in pages:
        prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in LINK.findall(re.sub(r"`[^`\n]*`", "", prose)):
            found = (page.parent / target).resolve()
            if not found.exists() and not target.startswith(MADE_LATER):
                lost.append(f"{page.relative_to(tmp_path)}: {target}")
    assert lost == []


@pytest.mark.parametrize(
    ("target", "lost"),
    [("../traces/sort.html", False), ("../../traces/sort.html", True), ("../traces/no.html", True)],
)
def test_frames_that_show_nothing_are_found(
    build: Any, tmp_path: Path, target: str, lost: bool
) -> None:
    """As on a host on which the site has a folder: above it is nothing of ours."""
    site = tmp_path / "site"
    for name in ("gallery", "traces"):
        (site / name).mkdir(parents=True)
    (tmp_path / "traces").mkdir()
    for folder in (site, tmp_path):
        (folder / "traces/sort.html").write_text("a trace", "utf-8")
    (site / "gallery/index.html").write_text(f'<iframe class="trace" src="{target}">', "utf-8")
    found = [f"gallery/index.html: {target}"] if lost else []
    assert list(build.lost_frames(site)) == found
