"""How long the playground takes to answer a keystroke in a program of 100 lines.

    python benchmarks/keystroke.py

A browser types into the page of a running server: at the end of the program, in its middle and at
its top. The time from a key to its diagnostics is printed, and its parts: the check itself (time of
a processor), the way to it and back, and the page. All but the check depend on what else the
machine does; its load is printed beside them.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Page

LINES = 100
KEYS = " + x + y + 1 - x + y - 2"
PAUSE = 250
"""Milliseconds between two keys: a fast typist's 50 words a minute."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

MIXED = """\
    y = where(has_seen(x, y), shift_right(y, 1), y)
    y = index_select(x, firsts(x, y))
    y = tok_map(y, lambda a: (a + 1) % 10)
    y = where(y > 3, y, x)
"""
PROGRAMS = {
    "shifts": "def f(x):\n    y = x\n" + "    y = shift_right(y, 1) + 1\n" * (LINES - 3),
    "heads and maps": "def f(x):\n    y = x\n" + MIXED * (LINES // 4),
}


@contextmanager
def playground() -> Iterator[str]:
    """A server as a user starts it, and its address."""
    command = [sys.executable, "-m", "raspl", "play", "--port", "0", "--no-browser", "--no-board"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found is not None
        yield found[0]
        server.terminate()


PLACES = {"end": LINES, "middle": LINES // 2, "top": 1}
"""The lines after which is typed."""


def measured(page: Page, program: str, lines_above: int) -> list[dict[str, float]]:
    """The times of each key in milliseconds."""
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f"{program}    return y")
    page.wait_for_selector("#measures b")
    page.keyboard.press("Control+Home")
    for _ in range(lines_above):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.wait_for_timeout(1500)
    page.evaluate("playground.latencies.length = 0")
    for key in KEYS:
        page.keyboard.press(key if key != " " else "Space")
        page.wait_for_timeout(PAUSE)
    page.wait_for_timeout(1000)
    found: list[dict[str, float]] = page.evaluate("playground.latencies")
    return found


def show(name: str, times: list[dict[str, float]]) -> None:
    """One line: how long the keys took, and what of it where."""

    def spread(values: list[float]) -> str:
        ordered = sorted(values)
        return f"{statistics.median(ordered):3.0f} ({ordered[-1 - len(ordered) // 10]:3.0f})"

    total = spread([time["total"] for time in times])
    check = spread([time["check"] for time in times])
    way = spread([time["call"] - time["check"] for time in times])
    browser = spread([time["total"] - time["call"] for time in times])
    print(
        f"{name:22} {len(times):3} keys, load {os.getloadavg()[0]:.1f}: "
        f"{total} ms, of which check {check}, way {way}, page {browser}",
        flush=True,
    )


def main() -> None:
    print("median of the keys, and in brackets what nine of ten keep within")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))))
    with playground() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(address)
        page.wait_for_selector("#trace td.here")
        everything: list[dict[str, float]] = []
        for name, program in PROGRAMS.items():
            for place, lines_above in PLACES.items():
                times = measured(page, program, lines_above)
                everything += times
                show(f"{name}, {place}", times)
        show("all", everything)
        browser.close()


if __name__ == "__main__":
    main()
