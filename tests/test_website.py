"""The site's pages, as far as they are there without building it: no link leads nowhere."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.markdown import ROOT

LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
MADE_LATER = ("lessons/", "gallery.md")
"""What running the notebooks and the traces adds."""


def test_every_link_of_a_page_leads_to_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = importlib.util.spec_from_file_location("website_build", ROOT / "website/build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
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
