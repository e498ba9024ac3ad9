# ruff: noqa: E402 (the number of threads must be set before NumPy is imported)
"""Candidates a second: the search against evaluating each candidate with the batch executor.

    python benchmarks/search.py [--cost 3] [--task parity_plain] [--old CHECKOUT]

The search is timed to the end of a cost, with everything that it does: enumerating, comparing with
the sketches, merging by behaviour. The other side is given its programs ready-made, drawn at random
from those that the search enumerates, and runs each on the same examples. Both take process time in
one run, so other work on the machine does not tilt the ratio. With the path of another checkout,
its search runs too, in a process of its own. Exit status 1 if a floor is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

# One core: the claim is a rate on one.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

from raspl.executors import batch
from raspl.language.ir.graph import Graph
from raspl.prediction.sources import find_source
from raspl.synthesis.bank import Bank
from raspl.synthesis.columns import Layout
from raspl.synthesis.engine import search
from raspl.synthesis.enumeration import candidates, leaves
from raspl.synthesis.examples import Example, ExampleSource
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.scope import Scope
from raspl.synthesis.settings import Settings

RATE_FLOOR = 300_000
RATIO_FLOOR = 10
SAMPLE = 300


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", default="parity_plain")
    parser.add_argument("--cost", type=int, default=3)
    parser.add_argument("--budget", type=float, default=600.0)
    parser.add_argument("--old", help="another checkout, whose search is measured too")
    options = parser.parse_args()
    source = find_source(options.task)
    settings = Settings(
        max_length=6, max_cost=options.cost, budget=options.budget, work=10**15, deep=False
    )

    began = time.process_time()
    result = search(source, settings)
    seconds = time.process_time() - began
    rate = result.candidates / seconds
    print(f"search to cost {result.exhausted}, {len(result.examples)} examples of {source.name}")
    print(f"  candidates            {result.candidates:>14,}")
    print(f"  distinct behaviours   {result.distinct:>14,}  {result.distinct / seconds:>12,.0f}/s")
    print(f"  process time          {seconds:>14.1f} s")
    print(f"  candidates a second   {rate:>14,.0f}")

    if options.old:
        old = rate_of(options.old, options.task, options.cost, options.budget)
        print(f"the other checkout      {old:>14,.0f}")
        print(f"ratio                   {rate / old:>14.2f}")

    graphs = sample(source, settings, result.examples)
    sequences = [example.tokens for example in result.examples]
    began = time.process_time()
    for graph in graphs:
        batch.run(graph, sequences)
    slow = len(graphs) / (time.process_time() - began)
    print(f"batch executor, each    {slow:>14,.0f}")
    print(f"ratio                   {rate / slow:>14,.0f}")
    return int(rate < RATE_FLOOR or rate / slow < RATIO_FLOOR)


OTHER = """
import sys, time
from raspl.prediction.sources import find_source
from raspl.synthesis import Settings, search
source = find_source(sys.argv[1])
settings = Settings(max_length=6, max_cost=int(sys.argv[2]), budget=float(sys.argv[3]))
began = time.process_time()
result = search(source, settings)
print(result.candidates / (time.process_time() - began))
"""


def rate_of(checkout: str, task: str, cost: int, budget: float) -> float:
    """Candidates a second of the search in another checkout."""
    done = subprocess.run(
        [sys.executable, "-c", OTHER, task, str(cost), str(budget)],
        env={**os.environ, "PYTHONPATH": f"{checkout}/src"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return float(done.stdout)


def sample(source: ExampleSource, settings: Settings, examples: tuple[Example, ...]) -> list[Graph]:
    """Programs drawn evenly from the enumeration of the two lower costs."""
    layout = Layout(examples)
    bank = Bank(layout, settings.most_bytes)
    for block in leaves(layout, source.literals):
        bank.add(block)
    bank.close()
    for cost in (1, 2):
        for block in candidates(Scope(bank, source.literals, False), cost):
            bank.add(block)
        bank.close()
    rng = np.random.default_rng(0)
    level = bank.level("Int", 2)
    ids = rng.choice(level.ids, size=min(SAMPLE, len(level)), replace=False)
    return [to_graph(bank.term("Int", int(id_)), layout.bits) for id_ in ids]


if __name__ == "__main__":
    sys.exit(main())
