"""What the language costs before a program runs: import, check, and the first pass.

    python benchmarks/language.py

Each figure is the best of several fresh processes, and is set beside what Python itself costs in
the same run, since machines differ and are noisy.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPEATS = 7
LINES = 100


def seconds(*arguments: str) -> float:
    """The least time that a fresh Python process takes."""
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def program_of(lines: int) -> str:
    """A program of so many lines, with heads, maps and counts in it."""
    steps = (
        "y = where(has_seen(x, y), shift_right(y, 1), y)",
        "y = mask(y, lasts(x, y) == indices(x))",
        "y = index_select(x, firsts(x, y) + 1)",
        "y = tok_map(y, lambda a: (a + 1) % 10)",
    )
    body = "".join(f"    {steps[i % len(steps)]}\n" for i in range(lines - 3))
    return f"def f(x):\n    y = x\n{body}    return y\n"


def main() -> None:
    bare = seconds("-c", "pass")
    numpy = seconds("-c", "import numpy")
    ours = seconds("-c", "import numpy, raspl")
    print(f"import: Python alone {bare:.3f} s, NumPy on top {numpy - bare:.3f} s")
    print(
        f"import raspl on top of NumPy: {ours - numpy:.3f} s, {(ours - numpy) / bare:.1f} × Python"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.py"
        file.write_text(program_of(LINES))
        checked = seconds("-m", "raspl", "check", str(file))
    print(f"raspl check of {LINES} lines: {checked:.3f} s in all, {checked / bare:.1f} × Python")


if __name__ == "__main__":
    main()
