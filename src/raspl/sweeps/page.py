"""The logs of a folder as one page beside them: `python -m raspl.sweeps.page results/sweeps`."""

from __future__ import annotations

import sys
from pathlib import Path

from raspl.files import write_text
from raspl.sweeps.figure import draw
from raspl.sweeps.log import Log, markdown, read
from raspl.words import counted

HEAD = """# Sweeps behind the presets

Everything that was tried, as `raspl sweep` logged it. This page is made from the logs beside it
with `python -m raspl.sweeps.page results/sweeps`. *At the longest* is exact match at the longest
training length, and decides who goes on; *all lengths* is exact match over all training lengths,
which a finished run has; *beyond* had no say. The best are on top.
"""


def section(path: Path, log: Log) -> str:
    done = sum(one.state == "done" for one in log.tried)
    return (
        f"## {log.name}\n\n{log.title}. {counted(len(log.tried), 'configuration')}, {done} trained "
        f"to the end, {log.core_minutes:.0f} core-minutes.\n\n{markdown(log)}\n"
        f"![training curves]({path.with_suffix('.png').name})\n"
    )


def page(folder: Path) -> str:
    logs = [(path, read(path)) for path in sorted(folder.glob("*.json"))]
    return "\n".join([HEAD, *(section(path, log) for path, log in logs)])


def main(folder: Path) -> None:
    for path in folder.glob("*.json"):
        draw(read(path), path.with_suffix(".png"))
    write_text(folder / "README.md", page(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
