"""How many random programs have a network, and why the others have none.

`python benchmarks/random_networks.py [--programs N] [--seed S]` draws programs from the whole
language, compiles each over a small alphabet, compares it with the reference at every position of
random inputs, and counts refusals by reason. A mismatch ends with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

import rich
import torch
from rich.table import Table

from raspl.compiler import Refused, compile
from raspl.compiler.verify import random_columns, verify
from raspl.language.generator.programs import Style, random_graph

LENGTHS = (1, 5, 20, 60)


def judge(seed: int) -> tuple[str, int]:
    """`compared` and how many positions, or the reason of the refusal."""
    rng = Random(seed)
    style = Style(
        size=rng.randint(1, 25),
        depth=rng.randint(1, 5),
        bits=rng.choice((8, 16)),
        inputs=rng.choice((1, 1, 1, 2)),
    )
    graph = random_graph(rng, style)
    alphabet = rng.sample(range(-4, 12), rng.randint(1, 8))
    try:
        network = compile(graph, alphabet)
    except Refused as refusal:
        return f"refused: {refusal.reason}", 0
    lengths = [min(length, network.longest) for length in LENGTHS]
    result = verify(network, graph, [random_columns(network, rng, n) for n in lengths])
    return ("mismatch" if result.mismatches else "compared"), result.positions


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    torch.set_num_threads(1)
    start = time.perf_counter()
    found: Counter[str] = Counter()
    positions = 0
    for seed in range(given.seed, given.seed + given.programs):
        verdict, compared = judge(seed)
        found[verdict] += 1
        positions += compared
    table = Table("verdict", "programs", "share")
    for verdict, count in found.most_common():
        table.add_row(verdict, f"{count:,}", f"{count / given.programs:.1%}")
    rich.print(table)
    seconds = time.perf_counter() - start
    print(f"{positions:,} positions compared in {seconds:.0f} s, programs included")
    sys.exit(1 if found["mismatch"] else 0)


if __name__ == "__main__":
    main()
