"""How many random tasks does the recipe train to completion? `benchmarks/recipe.py --number 30`.

The tasks are those of the development seed. `--set layers=2` and so on try another recipe. Runs are
kept under --root, so a stopped command goes on where it was. Each takes about a minute of one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path

import torch

from raspl.benchmark.recipe import DEVELOPMENT_SEED, configuration
from raspl.cli.options import read_settings
from raspl.runs.execute import execute
from raspl.runs.folder import RunFolder
from raspl.tasks.random.candidates import KINDS, worthwhile


def names(number: int) -> Iterator[str]:
    """The first tasks of every kind, in turns."""
    each = -(-number // len(KINDS))
    by_kind = [
        [drawn.task.name for drawn in islice(worthwhile(DEVELOPMENT_SEED, (kind,)), each)]
        for kind in KINDS
    ]
    return islice((one for one in chain(*zip_longest(*by_kind)) if one is not None), number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--number", type=int, default=20)
    parser.add_argument("--root", type=Path, default=Path("runs/recipe"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--set", action="append", dest="settings", metavar="NAME=VALUE")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    converged = done = 0
    for name in names(chosen.number):
        config = configuration(name, chosen.seed).replace(**read_settings(chosen.settings))
        result = execute(config, chosen.root)
        scores = {score.length: score.exact for score in result.tested}
        beyond = ", ".join(f"{length}: {scores[length]:.1%}" for length in config.test_lengths)
        costs = RunFolder.under(chosen.root, config).costs()
        seconds = sum(cost.cpu_seconds or 0 for cost in costs)
        done, converged = done + 1, converged + result.converged
        print(
            f"{name:28} {result.as_trained.exact:7.2%}  {beyond}  {seconds:.0f} s of CPU",
            flush=True,
        )
    print(f"{converged} of {done} converged.")


if __name__ == "__main__":
    main()
