"""Build the documentation site: `make site` writes it to build/website/site.

The pages are README.md and docs/, as they are in the repository. Only what the repository's viewer
and a site do differently is rewritten: links, and the words behind the fences of code blocks. Added
are the gallery of traces and the notebooks in lessons/, which are run as they are built, so that
the site shows what this version does.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "website"
PAGES = BUILD / "pages"
LESSONS = ROOT / "lessons"

GALLERY = {
    "sort": (
        "Sort",
        "One head: the least number greater than the last one written.",
        "9 41 3 27 12",
    ),
    "copy_unique": ("Copy", "An induction head: what followed this token before?", "7 2 9 4"),
    "count": ("Count", "From one number to another, and then stop.", "3 7"),
    "mode": ("Most frequent letter", "A count, its maximum, and a look-up.", "a b b c b"),
    "parity_scratchpad": (
        "Parity with a scratchpad",
        "Nobody can count modulo two; flipping a sign at each 1 is two heads.",
        "h1 1 h2 0 h3 1 h4 1",
    ),
    "addition_reverse": (
        "Addition, least significant digit first",
        "Index hints say which digits belong together; the carry travels with the answer.",
        "h1 0 h2 8 h3 8 + h1 0 h2 4 h3 5",
    ),
}
"""By program: a title, a sentence, and the prompt of its task."""

_LINKS = re.compile(r"\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)")
_FRAME = re.compile(r'<iframe[^>]* src="(?!https?:)([^"]+)"')
_FENCE = re.compile(r"^```(\w+) (\S+)[^\n]*$", re.MULTILINE)


def main() -> None:
    shutil.rmtree(BUILD, ignore_errors=True)
    PAGES.mkdir(parents=True)
    for name in ("mkdocs.yml", "gallery.md", "site.css"):
        target = BUILD if name == "mkdocs.yml" else PAGES
        shutil.copy(ROOT / "website" / name, target / name)
    copy_pages()
    write_gallery()
    for notebook in sorted(LESSONS.glob("*.ipynb")):
        write_lesson(notebook)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    subprocess.run([*command, "-f", "mkdocs.yml"], cwd=BUILD, check=True)
    if lost := list(lost_frames(BUILD / "site")):
        sys.exit("\n".join(["These frames of the site show nothing:", *lost]))


def lost_frames(site: Path) -> Iterator[str]:
    """Frames whose page is not there. A site may stand in a folder of its host, so `..` counts."""
    for page in site.rglob("*.html"):
        for target in _FRAME.findall(page.read_text("utf-8")):
            found = (page.parent / target).resolve()
            if not (found.is_relative_to(site.resolve()) and found.is_file()):
                yield f"{page.relative_to(site)}: {target}"


def copy_pages() -> None:
    """README.md as the start page, the docs beside it, and what they show."""
    shutil.copytree(ROOT / "docs" / "images", PAGES / "images")
    for folder in (ROOT / "results").glob("*"):
        if (folder / "figures").is_dir():
            target = PAGES / "results" / folder.name
            shutil.copytree(folder / "figures", target / "figures")
            _write(target / "scorecard.md", (folder / "scorecard.md").read_text("utf-8"))
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        name = "index.md" if path.name == "README.md" else path.name
        _write(PAGES / name, path.read_text("utf-8"))
    library = (ROOT / "src/raspl/language/library.py").read_text("utf-8")
    _write(PAGES / "library.md", f"# The library\n\n```python\n{library}```\n")


def _write(path: Path, text: str) -> None:
    depth = len(path.relative_to(PAGES).parts) - 1
    text = _FENCE.sub(_fence, _LINKS.sub(lambda link: _link(link, depth), text))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _link(match: re.Match[str], depth: int) -> str:
    """Pages of docs/ stand at the top of the site, beside the start page."""
    target = re.sub(r"^(\.\./)+", "", match[1])
    up = "../" * depth if target != match[1] else ""
    target = target.removeprefix("docs/").replace(".ipynb", ".md")
    target = "library.md" if target == "src/raspl/language/library.py" else target
    target = "index.md" if target == "README.md" else target
    return f"]({up}{target}{match[2] or ''})"


def _fence(match: re.Match[str]) -> str:
    """The file that a block shows becomes its title; other words are for the tests."""
    language, word = match.groups()
    return f'```{language} title="{word}"' if "." in word else f"```{language}"


def write_gallery() -> None:
    page = PAGES / "gallery.md"
    parts = [page.read_text("utf-8")]
    (PAGES / "traces").mkdir()
    for program, (title, sentence, prompt) in GALLERY.items():
        target = PAGES / "traces" / f"{program}.html"
        command = [sys.executable, "-m", "raspl", "trace", program, "SoS", *prompt.split(), ">"]
        subprocess.run([*command, "--until", "EoS", "--html", target], check=True)
        parts.append(
            f"## {title}\n\n{sentence}\n\n"
            f'<iframe class="trace" src="traces/{program}.html" loading="lazy" '
            f'title="A trace of {program}"></iframe>\n'
        )
    page.write_text("\n".join(parts), "utf-8")


def write_lesson(path: Path) -> None:
    """Run a notebook, and write it as a page with what its cells show."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(LESSONS)}}
    # A cell may print several times; what it printed is shown as one piece.
    NotebookClient(notebook, timeout=600, coalesce_streams=True, resources=resources).execute()
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(_LINKS.sub(_lesson_link, cell.source))
        else:
            parts.append(f"```python\n{cell.source}\n```")
            parts += [shown for output in cell.outputs if (shown := _shown(output))]
    target = PAGES / "lessons" / f"{path.stem}.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n\n".join(parts) + "\n", "utf-8")


def _lesson_link(match: re.Match[str]) -> str:
    """Lessons stand in a folder of the site, and notebooks become pages."""
    target = match[1].replace("../docs/", "../").replace(".ipynb", ".md")
    return f"]({target}{match[2] or ''})"


def _shown(output: nbformat.NotebookNode) -> str:
    if output.output_type == "stream":
        return f"```text\n{output.text.rstrip()}\n```"
    data = output.get("data", {})
    if "text/html" in data:
        # On one line: Markdown would end the block at the first empty one.
        drawn = "".join(data["text/html"])
        drawn = drawn.replace("\n", "&#10;" if "srcdoc" in drawn else " ")
        return f'<div class="output">{drawn}</div>'
    if "image/png" in data:
        return f'<img class="output" src="data:image/png;base64,{data["image/png"].strip()}">'
    return f"```text\n{html.unescape(data.get('text/plain', ''))}\n```"


if __name__ == "__main__":
    main()
