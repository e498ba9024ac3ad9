"""Random programs with inputs for them, as a strategy that shrinks to small ones."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from raspl.language.generator.programs import Style, random_graph, random_tokens
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Value
from raspl.language.ir.printer import to_source
from raspl.language.ir.types import int_range

Columns = list[list[Value]]


@dataclass(frozen=True)
class Case:
    """A program and several inputs for it; prints as source."""

    graph: Graph
    alphabet: tuple[int, ...]
    batch: tuple[Columns, ...]

    def __repr__(self) -> str:
        inputs = "\n".join(f"# on {columns}" for columns in self.batch)
        return f"\n{to_source(self.graph)}{inputs}\n"


def random_case(rng: Random, size: int, inputs: int = 4, longest: int = 20) -> Case:
    """A program of about this size with inputs of different lengths."""
    bits = rng.choice((8, 8, 16))
    style = Style(size=size, depth=rng.randint(1, 5), bits=bits, inputs=rng.choice((1, 1, 2, 3)))
    graph = random_graph(rng, style)
    low, high = int_range(bits)
    span = range(low, high + 1) if rng.random() < 0.15 else range(-4, 12)
    alphabet = tuple(sorted(rng.sample(span, rng.randint(1, 8))))
    batch = []
    for _ in range(inputs):
        length = rng.randint(0, longest)
        batch.append([random_tokens(rng, node, length, alphabet) for node in graph.inputs])
    return Case(graph, alphabet, tuple(batch))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Cases that shrink toward few operations on few short inputs."""
    size = draw(st.integers(1, 25))
    longest = draw(st.integers(0, 20))
    inputs = draw(st.integers(1, 4))
    seed = draw(st.integers(0, 2**32))
    return random_case(Random(seed), size, inputs, longest)
