"""Theorems 1 and 2 on random programs: `python -m tests.settling` (docs/types.md).

On inputs u vⁿ w, from some n on, an Int in w does not depend on n, and an Index or Count is None, a
constant or a multiple of n plus a constant: of every program if v is one token, of strict ones if
it has several. From which n on depends on the program: a mean settles only when what is repeated
outweighs all else. So a program that has not settled by one length is looked at again at longer
ones, and only the longest decides.

The same inputs show that what `prediction.impossibility` calls impossible is never said of a task
that has a program.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from raspl.analysis.disciplines import disciplines_of
from raspl.executors import batch, stream
from raspl.executors.reference import RunError
from raspl.language.generator.programs import Style, random_graph
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Value
from raspl.language.ir.printer import to_source
from raspl.prediction.impossibility import REPEATS as REPEATED
from raspl.prediction.impossibility import goes_on, shapes

TOKENS = range(-2, 4)
REPEATS = (60, 600, 6_000, 60_000)
"""How often a token is repeated, from the first try to the last."""
NEARBY = (0, 1, 2, 5)
"""What is added to that, so that outputs for several n are compared."""


@dataclass(frozen=True)
class Shape:
    """The inputs u vⁿ w for all n."""

    before: list[int]
    repeated: list[int]
    after: list[int]

    def tokens(self, number: int) -> list[int]:
        return [*self.before, *self.repeated * number, *self.after]


def random_shape(rng: Random, graph: Graph) -> Shape:
    size = rng.randint(1, 3) if is_strict(graph) else 1
    before, repeated, after = (
        [rng.choice(TOKENS) for _ in range(number)]
        for number in (rng.randint(0, 3), size, rng.randint(0, 3))
    )
    return Shape(before, repeated, after)


def is_strict(graph: Graph) -> bool:
    return "strict" in disciplines_of(graph)


def last_outputs(graph: Graph, shape: Shape, number: int) -> list[Value] | None:
    """From the last repeated token to the end; None where the program is undefined."""
    machine = stream.Machine(graph)
    try:
        outputs = [machine.step(token) for token in shape.tokens(number)]
    except RunError:
        return None
    return outputs[-len(shape.after) - 1 :]


def has_settled(graph: Graph, shape: Shape, number: int) -> bool:
    """Whether outputs near the end have the promised form around so many repetitions."""
    tried = [(extra, last_outputs(graph, shape, number + extra)) for extra in NEARBY]
    ended = [outputs is None for _, outputs in tried]
    if any(ended):
        # Undefined from some position on, for good; or in w, where it depends on settled values.
        return all(ended)
    rows = [(extra, outputs) for extra, outputs in tried if outputs is not None]
    return all(_of_one_form(graph, rows, place) for place in range(len(shape.after) + 1))


def _of_one_form(graph: Graph, rows: Sequence[tuple[int, list[Value]]], place: int) -> bool:
    _, first = rows[0]
    start = first[place]
    if all(outputs[place] == start for _, outputs in rows):
        return True
    nearest, second = rows[1]
    next_ = second[place]
    if not graph.output.type.is_index or start is None or next_ is None:
        return False
    slope = (next_ - start) // nearest
    return all(outputs[place] == start + slope * extra for extra, outputs in rows)


def program_of(seed: int) -> tuple[Graph, Random]:
    rng = Random(f"settling {seed}")
    return random_graph(rng, Style(size=rng.randint(3, 16))), rng


def settles_at(seed: int) -> int | None:
    """The first number of repetitions by which a random program has settled, if any."""
    graph, rng = program_of(seed)
    shape = random_shape(rng, graph)
    return next((number for number in REPEATS if has_settled(graph, shape, number)), None)


def called_impossible(seed: int) -> bool:
    """Whether the answers of a random program look as if no program gave them."""
    graph, _ = program_of(seed)
    if not graph.output.type.is_int:
        return False
    return any(goes_on(answers) for answers in _answers(graph))


def _answers(graph: Graph) -> Iterator[list[str]]:
    """What `pumped` would ask of the program as a task on bits, all at once."""
    inputs, lengths, spans = _asked(words=is_strict(graph))
    results = batch.run(graph, inputs, lengths=lengths)
    answers = results.values[np.arange(len(lengths)), np.array(lengths) - 1].tolist()
    for span in spans:
        if results.errors.keys().isdisjoint(span):
            yield [str(answers[at]) for at in span]


@cache
def _asked(words: bool) -> tuple[NDArray[np.int64], list[int], list[range]]:
    """Inputs with their lengths, and which of them are of one shape; with words or without."""
    rows: list[list[int]] = []
    spans = []
    for parts in shapes(["0", "1"], lambda string: True):
        shape = Shape(*([int(token) for token in part] for part in parts))
        if words or len(shape.repeated) == 1:
            most = REPEATED[len(shape.repeated) - 1]
            late = [shape.tokens(number) for number in range(most // 2 + 1, most + 1)]
            spans.append(range(len(rows), len(rows) + len(late)))
            rows += late
    lengths = [len(row) for row in rows]
    longest = max(lengths)
    padded = np.array([[*row, *[0] * (longest - len(row))] for row in rows])
    return padded, lengths, spans


def _tried(seed: int) -> tuple[int, int | None, bool]:
    # Dearer, so every tenth program only.
    return seed, settles_at(seed), seed % 10 == 0 and called_impossible(seed)


def main() -> int:
    """Look for a program that contradicts the theorem, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first program")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    found: Counter[int] = Counter()
    begin = time.perf_counter()
    with ProcessPoolExecutor(given.workers) as pool:
        seeds = range(given.seed, given.seed + given.programs)
        for seed, number, impossible in pool.map(_tried, seeds, chunksize=100):
            if number is None or impossible:
                said = "is called impossible" if impossible else "does not settle"
                print(f"program {seed} {said}:\n{to_source(program_of(seed)[0])}")
                return 1
            found[number] += 1
            if found.total() % 1000 == 0:
                spent = time.perf_counter() - begin
                print(f"{found.total():,} programs, {spent:.0f} s", file=sys.stderr)
    told = ", ".join(f"{many:,} by {number:,}" for number, many in sorted(found.items()))
    print(f"{found.total():,} programs settle ({told}); none of every tenth is called impossible")
    return 0


if __name__ == "__main__":
    sys.exit(main())
