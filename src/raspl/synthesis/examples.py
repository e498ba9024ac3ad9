"""What a program must explain: token sequences with the wanted output at some positions.

An `ExampleSource` draws them. A task's examples are read as next-token supervision on its answer,
end token included; a `LabelledSource` asks for a function of the prefix at every position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from raspl.errors import RasplError
from raspl.words import span


@dataclass(frozen=True, slots=True)
class Example:
    """Tokens, and at each position the wanted output, or None where nothing is asked."""

    tokens: tuple[int, ...]
    wanted: tuple[int | None, ...]


class ExampleSource(Protocol):
    """Where examples of a given length come from."""

    @property
    def name(self) -> str: ...

    @property
    def literals(self) -> tuple[int, ...]:
        """The tokens that a program may mention."""
        ...

    @property
    def lengths(self) -> tuple[int, int | None]:
        """The least length and the greatest, if there is one."""
        ...

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        """One example of each length."""
        ...

    def show(self, tokens: Sequence[int]) -> str:
        """Tokens by name."""
        ...


@dataclass(frozen=True)
class LabelledSource:
    """A function from each prefix to an integer, asked at every position."""

    name: str
    sample: Callable[[np.random.Generator, int], Sequence[int]]
    label: Callable[[Sequence[int]], int | None]
    literals: tuple[int, ...] = (0, 1)
    lengths: tuple[int, int | None] = (1, None)

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        examples = []
        for length in lengths:
            tokens = tuple(int(token) for token in self.sample(rng, length))
            wanted = tuple(self.label(tokens[: end + 1]) for end in range(length))
            examples.append(Example(tokens, wanted))
        return examples

    def show(self, tokens: Sequence[int]) -> str:
        return " ".join(map(str, tokens))


def uniform_lengths(
    source: ExampleSource, most: int, number: int, least: int | None = None
) -> list[int]:
    """`number` lengths that go round from the least to `most`, as training draws them uniformly."""
    shortest, longest = source.lengths
    low = shortest if least is None else least
    if not shortest <= low <= most or (longest is not None and most > longest):
        has = f"{shortest} or more" if longest is None else span(shortest, longest)
        raise RasplError(
            f"{source.name} has examples of length {has}, so it can't be trained up to {most}."
        )
    return [low + index % (most - low + 1) for index in range(number)]
