"""Does forward addition follow carries, or guess them? `benchmarks/carries.py RUN [RUN …]`.

To write a digit, most significant first, one must look past every place below that makes exactly
9: the first that does not tells whether a carry comes in. For each number of such nines this
prints how often the digit is wrong, with and without a carry, on the data that RUN was trained on
and at its longest training length. RUN is the folder of a trained `addition_forward`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import rich
import torch
from numpy.typing import NDArray
from rich.table import Table

from raspl.runs.run import Run
from raspl.tasks import FRAME, Ints, Purpose, stream
from raspl.training.agreement import predictions

NUMBER = 4000
"""Examples."""


def nines_and_carries(sums: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """By place, most significant first: how many nines lie right below it, and what they carry."""
    rows, places = sums.shape
    nines = np.zeros((rows, places), dtype=np.int64)
    carries = np.zeros((rows, places), dtype=bool)
    for place in range(places - 2, -1, -1):
        below = sums[:, place + 1]
        nines[:, place] = np.where(below == 9, nines[:, place + 1] + 1, 0)
        carries[:, place] = np.where(below == 9, carries[:, place + 1], below > 9)
    return nines, carries


def show(run: Run) -> None:
    config, task = run.config, run.task
    places = config.max_length + 1
    rng = stream(config.seed, Purpose.SHOW)
    examples = task.examples(rng, np.full(NUMBER, config.max_length), config.train_on)
    tokens = examples.left_aligned().tokens
    first, second = (
        tokens[:, 2 : 2 * places + 1 : 2],
        tokens[:, 2 * places + 3 : 4 * places + 2 : 2],
    )
    digits = np.arange(4 * places + 4, 6 * places + 3, 2)
    wrong = predictions(run.model, tokens)[:, digits - 1] != tokens[:, digits]
    nines, carries = nines_and_carries(first + second - 2 * len(FRAME))
    rich.print(f"{config.name}: {config.layers} layers, {config.train_on}, {places - 1} digits")
    table = Table("nines", "carry", "digits", "wrong")
    for number in range(nines.max() + 1):
        for carry in (False, True):
            meant = (nines == number) & (carries == carry)
            share = f"{wrong[meant].mean():.1%}" if meant.any() else "–"
            table.add_row(str(number), "yes" if carry else "no", str(meant.sum()), share)
    rich.print(table)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN")
    torch.set_num_threads(1)
    for folder in parser.parse_args().runs:
        show(Run.at(folder))
