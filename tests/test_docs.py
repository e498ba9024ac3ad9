"""Every snippet of the documentation is run, and what it shows is what comes out."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from raspl import programs
from raspl.language.source import Source
from raspl.loading import check_source
from tests.markdown import ROOT, Block, blocks

PAGES = ["README.md", *(str(p.relative_to(ROOT)) for p in sorted((ROOT / "docs").glob("*.md")))]
MARK = "--- end of a cell"


def shell(command: str, folder: Path) -> str:
    """What a command of the documentation prints."""
    program, *arguments = shlex.split(command)
    known = {"raspl": [sys.executable, "-m", "raspl"], "python": [sys.executable]}
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"}
    result = subprocess.run(
        [*known[program], *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return result.stdout + result.stderr


def run_cells(page: list[Block], folder: Path) -> None:
    """Run a page's unnamed Python blocks in one go, as a notebook would.

    A `text` block right after one shows what it prints; without it, nothing may be printed.
    """
    cells = [number for number, block in enumerate(page) if block.info == ("python",)]
    if not cells:
        return
    # In one file, as programs are read from their source; a mark tells the outputs apart.
    script = f"print({MARK!r})\n".join(page[number].text for number in cells)
    (folder / "cells.py").write_text(script, "utf-8")
    outputs = shell("python cells.py", folder).split(f"{MARK}\n")
    for number, printed in zip(cells, outputs, strict=False):
        following = page[number + 1] if number + 1 < len(page) else None
        shown = following.text if following and following.info == ("text",) else ""
        assert trimmed(printed) == trimmed(shown), page[number]
    assert len(outputs) == len(cells)


def follow(page: list[Block], folder: Path) -> None:
    """Do what a page says: write its files, type its commands, compare what they print."""
    for block in page:
        match block.info:
            case ("python", name) if name.endswith(".py"):
                (folder / name).write_text(block.text, "utf-8")
            case ("console",):
                printed = "".join(
                    f"{line}\n{shell(line[2:], folder)}"
                    for line in block.text.splitlines()
                    if line.startswith("$ ")
                )
                assert trimmed(printed) == trimmed(block.text), block


def trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.mark.parametrize("page", [page for page in PAGES if page != "docs/illegal.md"])
def test_pages_can_be_followed(page: str, tmp_path: Path) -> None:
    follow(blocks(page), tmp_path)
    run_cells(blocks(page), tmp_path)


def test_the_page_on_illegal_programs_shows_what_the_checker_says() -> None:
    page = blocks("docs/illegal.md")
    follow([block for block in page if block.info == ("console",)], ROOT)
    for block in page:
        if block.info[0] == "python":
            assert block.text in programs.path(block.info[1]).read_text("utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_legal_snippets_are_legal(page: str) -> None:
    for block in blocks(page):
        if block.info == ("python", "legal"):
            assert check_source(Source(block.text))[1] == [], block


@pytest.mark.parametrize("page", PAGES)
def test_every_snippet_is_of_a_kind_that_is_run(page: str) -> None:
    for block in blocks(page):
        if block.info == ("json",):
            json.loads(block.text)
            continue
        # Lua is the configuration of an editor.
        plain = (("sh",), ("console",), ("text",), ("lua",))
        assert block.info in plain or block.info[0] == "python", block


def test_the_readme_names_the_two_commands_and_only_existing_files() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert "make demo" in text
    assert "make test" in text
    for target in [part.split(")")[0] for part in text.split("](")[1:]]:
        assert (ROOT / target).exists(), target
