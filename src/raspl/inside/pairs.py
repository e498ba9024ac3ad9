"""Pairs of inputs, and what the program says if one of its variables is taken from the other.

A pair is kept only if the swap changes what the program says somewhere: where it does not, a
network that ignores the swap would be right too. And only if all that the program then says are
tokens that the task asks for: a look-up of what is not there says something that no network was
ever trained on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from raspl.inside.counterfactual import Bools, Ints, column, counterfactual
from raspl.inside.variables import Variable
from raspl.language.ir.graph import Graph
from raspl.tasks import END, NOTHING, Task

ROUNDS, DRAWN = 24, 512
"""How often more pairs are drawn, while there are too few, and how many at the least."""
HOPELESS = 3
"""Fewer pairs than this after three rounds, and there is no use in going on."""
WHOLE, RANGE = 1 / 3, 2 / 3
"""Up to the first number, in shares of the pairs, all positions are swapped; up to the second a
range of them; in the others a single one."""


@dataclass(frozen=True)
class Domain:
    """Where inputs come from: lengths of a task, on one of its distributions."""

    task: Task
    on: str
    lengths: tuple[int, ...]
    others: tuple[int, ...] = ()
    """Further lengths that a source may have, where it may have another than the base."""


@dataclass(frozen=True)
class Inputs:
    """Sequences from the left; behind their ends stands any token."""

    tokens: Ints
    sizes: Ints
    asked: Bools
    """Where the next token belongs to the answer."""
    following: Ints
    """The next token."""

    def __len__(self) -> int:
        return len(self.tokens)


def drawn(domain: Domain, rng: np.random.Generator, lengths: Ints) -> Inputs:
    """Examples as a network reads them: without the last token, which is only to be predicted."""
    found = domain.task.examples(rng, lengths, domain.on).left_aligned()
    tokens = found.tokens[:, :-1]
    return Inputs(
        np.where(tokens == NOTHING, END, tokens),
        found.sizes - 1,
        found.answers[:, 1:].copy(),
        found.tokens[:, 1:].copy(),
    )


@dataclass(frozen=True)
class Pairs:
    """Everything an interchange needs, one pair a row."""

    base: Ints
    source: Ints
    base_values: Ints
    source_values: Ints
    swapped: Bools
    """Where the variable is taken from the source."""
    asked: Bools
    before: Ints
    """What the program says on the base."""
    wanted: Ints
    """What it says after the swap."""

    @property
    def changed(self) -> Bools:
        return np.asarray(self.asked & (self.wanted != self.before))

    def __len__(self) -> int:
        return len(self.base)

    def rows(self, chosen: NDArray[np.int64] | slice) -> Pairs:
        return Pairs(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def shuffled(self, rng: np.random.Generator) -> Pairs:
        """The same swaps, with the source of another pair: what no alignment can follow."""
        other = rng.permutation(len(self))
        return replace(self, source=self.source[other], source_values=self.source_values[other])


def pairs(
    graph: Graph, variable: Variable, domain: Domain, number: int, rng: np.random.Generator
) -> tuple[Pairs, bool]:
    """So many pairs, or as many as are found; and whether their sources are of any length.

    Both inputs are of one length, unless all of one length are alike. None at all means that the
    variable never differs, or never matters, on the task's inputs.
    """
    found = of_lengths(graph, variable, domain, number, rng, one_length=True)
    if len(found) >= number // 4:
        return found, False
    others = of_lengths(graph, variable, domain, number, rng, one_length=False)
    return (others, True) if len(others) > len(found) else (found, False)


def of_lengths(
    graph: Graph,
    variable: Variable,
    domain: Domain,
    number: int,
    rng: np.random.Generator,
    one_length: bool,
) -> Pairs:
    """Pairs whose sources have the length of their base, or any."""
    usual = outputs(graph, domain, number, rng)
    found: list[Pairs] = []
    for round_ in range(ROUNDS):
        drawing = max(number, DRAWN)
        found.append(_tried(graph, variable, domain, usual, drawing, rng, one_length))
        have = sum(map(len, found))
        if have >= number or (round_ >= 2 and have < HOPELESS):
            break
    return joined(found).rows(slice(number))


def outputs(graph: Graph, domain: Domain, number: int, rng: np.random.Generator) -> Ints:
    """What the program says on the task's inputs, where an output is asked for."""
    inputs = drawn(domain, rng, rng.choice(domain.lengths, size=number))
    said = column(graph, graph.output, inputs.tokens, inputs.sizes)
    return np.unique(said.values[inputs.asked & ~said.failed[:, None]])


@dataclass(frozen=True)
class Scrambled:
    """Inputs whose tokens stand in random order, and a variable's values on them.

    On the task's own inputs other things may go with the variable at every position: the first "0"
    of an addition always stands at position 2. In random order hardly anything does.
    """

    tokens: Ints
    values: Ints
    where: Bools
    """Positions with a value."""


def scrambled(
    graph: Graph,
    variable: Variable,
    domain: Domain,
    number: int,
    rng: np.random.Generator,
    strangers: float = 0.0,
) -> Scrambled:
    """A share of `strangers` is any token of the alphabet, also one that no input has."""
    inputs = drawn(domain, rng, rng.choice(domain.lengths, size=number))
    tokens = inputs.tokens.copy()
    for row, size in zip(tokens, inputs.sizes, strict=True):
        row[:size] = rng.permutation(row[:size])
    if strangers:
        other = rng.integers(len(domain.task.alphabet), size=tokens.shape)
        tokens = np.where(rng.random(tokens.shape) < strangers, other, tokens)
    found = column(graph, variable.node, tokens, inputs.sizes)
    inside = np.arange(tokens.shape[1]) < inputs.sizes[:, None]
    return Scrambled(tokens, found.values, inside & ~found.failed[:, None])


def _tried(
    graph: Graph,
    variable: Variable,
    domain: Domain,
    usual: Ints,
    number: int,
    rng: np.random.Generator,
    one_length: bool,
) -> Pairs:
    lengths = rng.choice(domain.lengths, size=number)
    base = drawn(domain, rng, lengths)
    other = lengths if one_length else rng.choice((*domain.lengths, *domain.others), size=number)
    source = drawn(domain, rng, other)
    base, source = _as_wide(base, source), _as_wide(source, base)
    mine = column(graph, variable.node, base.tokens, base.sizes)
    others = column(graph, variable.node, source.tokens, source.sizes)
    swapped = _places(variable, base, source, rng)
    values = np.where(swapped, others.values, mine.values)
    before = column(graph, graph.output, base.tokens, base.sizes)
    wanted = counterfactual(graph, variable.node, base.tokens, base.sizes, values)
    asked = base.asked & ~_behind_the_end(wanted.values, base.asked)
    if variable.is_local:
        swapped = asked & (wanted.values != before.values)
    made = Pairs(
        base.tokens, source.tokens, mine.values, others.values, swapped, asked,
        before.values, wanted.values,
    )  # fmt: skip
    failed = mine.failed | others.failed | before.failed | wanted.failed
    known = (np.isin(wanted.values, usual) | ~asked).all(axis=1)
    return made.rows(np.flatnonzero(~failed & known & made.changed.any(axis=1)))


def _behind_the_end(wanted: Ints, asked: Bools) -> Bools:
    """Where the program, as swapped, has said that the answer ends."""
    ends = np.cumsum((wanted == END) & asked, axis=1)
    return np.asarray(np.pad(ends, ((0, 0), (1, 0)))[:, :-1] > 0)


def _places(variable: Variable, base: Inputs, source: Inputs, rng: np.random.Generator) -> Bools:
    """Where to swap: everything that both inputs have, a range of it, or a single position.

    A variable that is read at its own position only matters where an output is asked for. Elsewhere
    a network has no reason to compute it.
    """
    shape = base.tokens.shape
    shared = np.arange(shape[1]) < np.minimum(base.sizes, source.sizes)[:, None]
    if variable.is_local:
        shared = shared & base.asked & source.asked
    first = np.where(shared.any(axis=1), shared.argmax(axis=1), 0)
    last = shape[1] - shared[:, ::-1].argmax(axis=1)
    ends = np.sort(rng.integers(first[:, None], last[:, None] + 1, size=(len(base), 2)), axis=1)
    much = rng.random(len(base))
    low = np.where(much < WHOLE, 0, ends[:, 0])
    high = np.where(much < WHOLE, shape[1], np.where(much < RANGE, ends[:, 1] + 1, low + 1))
    place = np.arange(shape[1])
    return np.asarray(shared & (place >= low[:, None]) & (place < high[:, None]))


def _as_wide(one: Inputs, other: Inputs) -> Inputs:
    missing = other.tokens.shape[1] - one.tokens.shape[1]
    if missing <= 0:
        return one
    wide = ((0, 0), (0, missing))
    return replace(
        one,
        tokens=np.pad(one.tokens, wide, constant_values=END),
        asked=np.pad(one.asked, wide),
        following=np.pad(one.following, wide, constant_values=NOTHING),
    )


def joined(parts: Sequence[Pairs]) -> Pairs:
    """All pairs, as wide as the widest."""
    width = max(part.base.shape[1] for part in parts)
    fields = Pairs.__dataclass_fields__
    return Pairs(
        *(
            np.concatenate(
                [
                    np.pad(whole := getattr(part, name), ((0, 0), (0, width - whole.shape[1])))
                    for part in parts
                ]
            )
            for name in fields
        )
    )
