"""Compiled networks beside Tracr's: `benchmarks/compiler.py [--tracr CHECKOUT --python EXE]`.

CHECKOUT is a copy of the Tracr repository and EXE a Python that has what it needs (JAX, dm-haiku,
chex, einops, networkx). Without them only our side is measured. Everything is taken in one run on
one thread; ratios are what counts. Tracr compiles for a maximum length, which is given; our
networks have none, only a bound that float32 sets.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import rich
import torch
from rich.table import Table

from raspl import parse
from raspl.compiler import compile
from raspl.compiler.report import size
from raspl.compiler.verify import verify

SOURCE = """
from raspl import full, gt, kqv, num_prev, sel_width, select

def length(x):
    return sel_width(select(x, x, lambda k, q: True))

def fraction(x):
    return num_prev(x, full(x, 1))

def sort(x):
    return kqv(x, x, x, gt, default=-2, reduction="min")

def histogram(x):
    return num_prev(x, x)
"""
NAMES = {
    "length so far": "length",
    "fraction of previous": "fraction",
    "sort": "sort",
    "histogram": "histogram",
}
VOCABULARY = (1, 2, 3, 4, 5)
FORWARD = 20
"""The length at which a forward pass is timed on both sides."""
CONFIRM = 2000
"""Correctness is confirmed up to the stated bound, or to this length where it lies beyond."""
Row = dict[str, float | int | str]
"""What is measured of a program, by the names of the columns."""


def measure(name: str) -> Row:
    """Our side of one program."""
    program = parse(SOURCE)[NAMES[name]]
    alphabet = (-2, -1, *VOCABULARY) if name == "sort" else VOCABULARY
    compile_times = []
    for _ in range(10):
        start = time.perf_counter()
        network = compile(program, alphabet)
        compile_times.append(time.perf_counter() - start)
    confirmed = min(network.longest, CONFIRM)
    lengths = [*range(1, 41), *range(60, confirmed, 124), confirmed]
    inputs = [[Random(n).choices(VOCABULARY, k=n)] for n in lengths] + [[[1] * confirmed]]
    assert not verify(network, program.graph, inputs).mismatches
    x = Random(0).choices(VOCABULARY, k=FORWARD)
    network.predict(x)
    times = []
    for _ in range(20):
        start = time.perf_counter()
        network.predict(x)
        times.append(time.perf_counter() - start)
    return {
        "program": name,
        "max length": "none",
        "compile": min(compile_times),
        "width": len(network.description.dims),
        "parameters": size(network)[0],
        "forward": min(times),
        "correct": confirmed,
        "bound": network.longest,
    }


def tracr_side(checkout: Path, python: str, lengths: list[int]) -> list[Row]:
    """What the other interpreter prints."""
    script = Path(__file__).with_name("tracr_side.py")
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    environment = os.environ | {"PYTHONPATH": str(checkout), "XLA_FLAGS": flags}
    done = subprocess.run(
        [python, str(script), *map(str, lengths)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main() -> None:
    """Print both sides as one table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tracr", type=Path, help="a checkout of Tracr")
    parser.add_argument("--python", default=sys.executable, help="an interpreter that can run it")
    parser.add_argument("--lengths", type=int, nargs="*", default=[10, 20])
    given = parser.parse_args()
    torch.set_num_threads(1)
    ours = {name: measure(name) for name in NAMES}
    theirs = tracr_side(given.tracr, given.python, given.lengths) if given.tracr else []
    table = Table("program", "by", "max length", "compile, ms", "width", "parameters",
                  "forward, ms", "correct to", "stated bound")  # fmt: skip
    for column in table.columns[2:]:
        column.justify = "right"
    for name in NAMES:
        rows = [("raspl", ours[name])] + [("Tracr", r) for r in theirs if r["program"] == name]
        for by, row in rows:
            table.add_row(
                name, by, str(row["max length"]), f"{1000 * float(row['compile']):,.1f}",
                f"{row['width']:,}", f"{row['parameters']:,}",
                f"{1000 * float(row['forward']):,.2f}", f"{row['correct']:,}",
                f"{row.get('bound', row['max length']):,}", end_section=row is rows[-1][1],
            )  # fmt: skip
    rich.print(table)
    for row in theirs:
        if row["max length"] == max(given.lengths):
            ratio = float(row["compile"]) / float(ours[str(row["program"])]["compile"])
            print(f"{row['program']}: compiles {ratio:,.0f} times as fast as Tracr at length "
                  f"{row['max length']}")  # fmt: skip


if __name__ == "__main__":
    main()
