"""A second fuzzer, which shares nothing with the first: `python -m tests.fuzz_text --pairs 100000`.

It writes programs as text, by typing rules of its own, and computes with plain lists what each must
give: the values, or which line fails at which position. Nothing of raspl takes part in that, so an
error in the language's own types, graph or random programs can't hide here.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from random import Random

from raspl import parse
from raspl.executors import batch, reference, stream
from raspl.executors.reference import RunError
from raspl.language.ir.graph import Graph
from tests.text_programs import Text
from tests.text_terms import Outcome


def disagreement(seed: int) -> tuple[str | None, list[str]]:
    """What the executors get wrong on the program of a number, and how its runs end."""
    rng = Random(f"text {seed}")
    inputs = ("x", "y")[: rng.choice((1, 1, 2))]
    text = Text(rng, rng.choice((8, 8, 16)), inputs)
    text.write(rng.randint(3, 14))
    graph = parse(text.source)["f"].graph
    ends: list[str] = []
    for _ in range(5):
        length = rng.randint(0, 9)
        low, high = rng.choice(((-3, 9), (-3, 9), (0, 2), (-100, 127)))
        columns = [[rng.randint(low, high) for _ in range(length)] for _ in inputs]
        expected = text.expected(columns)
        for executor, given in _outcomes(graph, columns):
            if given != expected:
                return (
                    f"{text.source}\non {columns}\n{executor} gives {given}\nand not {expected}",
                    ends,
                )
        ends.append(expected[0] if isinstance(expected, tuple) else "runs")
    return None, ends


def _outcomes(graph: Graph, columns: list[list[int]]) -> Iterator[tuple[str, Outcome]]:
    """What each executor gives, and where it fails."""
    for machine in (reference.Machine(graph), stream.Machine(graph)):
        try:
            given = [machine.step(*tokens) for tokens in zip(*columns, strict=True)]
        except RunError as error:
            yield type(machine).__module__, _failure(error)
        else:
            yield type(machine).__module__, given
    try:
        yield "batch", batch.run(graph, *([column] for column in columns)).outputs(0)
    except RunError as error:
        yield "batch", _failure(error)


def _failure(error: RunError) -> tuple[str, int, int]:
    return error.code, error.position, error.node.origin.span.line


def main() -> int:
    """Look for a disagreement, and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first program")
    given = parser.parse_args()
    kinds: Counter[str] = Counter()
    seed, begin = given.seed, time.perf_counter()
    while kinds.total() < given.pairs:
        found, ends = disagreement(seed)
        if found is not None:
            print(f"program {seed}:\n{found}")
            return 1
        kinds.update(ends)
        seed += 1
        if seed % 1000 == 0:
            print(f"{kinds.total():,} pairs, {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    told = ", ".join(f"{kind}: {number:,}" for kind, number in sorted(kinds.items()))
    print(f"{kinds.total():,} pairs of {seed - given.seed:,} texts are as computed ({told})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
