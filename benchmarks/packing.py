"""The size of compiled networks against that of another version: `benchmarks/packing.py CHECKOUT`.

CHECKOUT is a copy of this repository at an older commit, such as 279aa29, the last one in which
every value had a dimension of its own (`git worktree add /tmp/before 279aa29`). Both sides compile
every shipped program, in turns, each in a process of its own on one thread; times are CPU times,
the least of several. Ratios are what counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import rich
from rich.table import Table

from raspl import programs

SIDE = """
import json, sys, time
import torch
from raspl import programs
from raspl.compiler import compile
from raspl.compiler.report import size
torch.set_num_threads(1)
for line in sys.stdin:
    name = line.strip()
    program, alphabet = programs.load(name), programs.alphabet(name)
    compile(program, alphabet)
    times = []
    for _ in range(5):
        start = time.process_time()
        network = compile(program, alphabet)
        times.append(time.process_time() - start)
    known = network.description
    row = {"parameters": size(network)[0], "nonzero": size(network)[1], "width": len(known.dims),
           "seconds": min(times), "longest": known.longest("float32")}
    print(json.dumps(row), flush=True)
"""
Row = dict[str, float]
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class Side:
    """A process that compiles with one version."""

    def __init__(self, source: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(source)} | dict.fromkeys(THREADS, "1")
        self._process = subprocess.Popen(
            [sys.executable, "-c", SIDE], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def measure(self, name: str) -> Row:
        """A shipped program, compiled."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(name + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{name}: the process that compiles ended")
        row: Row = json.loads(line)
        return row

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def main() -> None:
    """Print both sides as one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, help="a checkout of the version to compare with")
    before = Side(parser.parse_args().checkout.resolve() / "src")
    after = Side(Path(__file__).resolve().parents[1] / "src")
    table = Table("program", "parameters before", "after", "cut", "not 0 before", "after",
                  "width before", "after", "compile before, ms", "after", "ratio",
                  "float32 to, before", "after")  # fmt: skip
    for column in table.columns[1:]:
        column.justify = "right"
    for names in ([n for n in programs.NAMES if n.endswith(programs.PAPER)],
                  [n for n in programs.NAMES if not n.endswith(programs.PAPER)]):  # fmt: skip
        rows = [(name, before.measure(name), after.measure(name)) for name in names]
        cuts = [old["parameters"] / new["parameters"] for _, old, new in rows]
        ratios = [new["seconds"] / old["seconds"] for _, old, new in rows]
        for (name, old, new), cut, ratio in zip(rows, cuts, ratios, strict=True):
            cells = [f"{side[key]:,}" for key in ("nonzero", "width") for side in (old, new)]
            times = (f"{1000 * side['seconds']:,.0f}" for side in (old, new))
            table.add_row(
                name, f"{old['parameters']:,}", f"{new['parameters']:,}", f"{cut:.1f}",
                *cells, *times, f"{ratio:.2f}",
                f"{old['longest']:,}", f"{new['longest']:,}",
            )  # fmt: skip
        table.add_row(f"median of {len(names)}", "", "", f"{median(cuts):.1f}", "", "", "", "",
                      "", "", f"{median(ratios):.2f}", "", "", end_section=True)  # fmt: skip
    before.close()
    after.close()
    rich.print(table)


if __name__ == "__main__":
    main()
