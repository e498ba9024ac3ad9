"""How long the playground takes to answer a keystroke in a program of 100 lines.

    python benchmarks/keystroke.py

A browser types into the page of a running server. For each key three times are printed: from the
key to its diagnostics in the page, of which so much between question and answer, of which so much
of a processor for the check itself. The first two depend on what else the machine does; its load
is printed beside them.
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


def measured(page: Page, program: str) -> list[dict[str, float]]:
    """The times of each key in milliseconds."""
    page.click(".cm-content")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f"{program}    return y")
    page.wait_for_selector("#measures b")
    page.wait_for_timeout(1500)
    page.evaluate("playground.latencies.length = 0")
    for key in KEYS:
        page.keyboard.press(key if key != " " else "Space")
        page.wait_for_timeout(PAUSE)
    page.wait_for_timeout(1000)
    found: list[dict[str, float]] = page.evaluate("playground.latencies")
    return found


def main() -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))))
    with playground() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(address)
        page.wait_for_selector("#trace td.here")
        for name, program in PROGRAMS.items():
            times = measured(page, program)
            print(f"{name}: {len(times)} of {len(KEYS)} keys, load {os.getloadavg()[0]:.1f}")
            for part, what in (
                ("total", "key to diagnostics"),
                ("call", "question to answer"),
                ("check", "processor time of the check"),
            ):
                of_part = sorted(time[part] for time in times)
                middle, slow = statistics.median(of_part), of_part[-1 - len(of_part) // 10]
                print(f"  {what:28} median {middle:5.0f} ms, 90 % {slow:5.0f} ms")
        browser.close()


if __name__ == "__main__":
    main()
