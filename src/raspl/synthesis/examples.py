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
from raspl.synthesis.names import Names
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


class KnownSource(ExampleSource, Protocol):
    """A source that can also be asked about inputs that it did not draw."""

    @property
    def asks_everywhere(self) -> bool:
        """Whether every prefix of an input is an input too."""
        ...

    @property
    def names(self) -> Names | None:
        """The names of its tokens and labels, if they have any but numbers."""
        ...

    def show_output(self, value: int) -> str:
        """What a program outputs, by name."""
        ...

    def prompts(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[list[str]]:
        """One input of each length, by the names of its symbols."""
        ...

    def answers(self, prompts: Sequence[Sequence[str]]) -> list[list[str] | None]:
        """What is wanted after each input; None if nothing is, or if there is no such input."""
        ...


@dataclass(frozen=True)
class LabelledSource:
    """A function from each prefix to an integer, asked at every position."""

    name: str
    sample: Callable[[np.random.Generator, int], Sequence[int]]
    label: Callable[[Sequence[int]], int | None]
    literals: tuple[int, ...] = (0, 1)
    lengths: tuple[int, int | None] = (1, None)
    asks_everywhere: bool = True
    names: Names | None = None

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        examples = []
        for length in lengths:
            tokens = tuple(int(token) for token in self.sample(rng, length))
            wanted = tuple(self.label(tokens[: end + 1]) for end in range(length))
            examples.append(Example(tokens, wanted))
        return examples

    def show(self, tokens: Sequence[int]) -> str:
        return " ".join(map(str, tokens))

    def show_output(self, value: int) -> str:
        return str(value)

    def prompts(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[list[str]]:
        return [[str(token) for token in self.sample(rng, length)] for length in lengths]

    def answers(self, prompts: Sequence[Sequence[str]]) -> list[list[str] | None]:
        return [self._answer(prompt) for prompt in prompts]

    def _answer(self, prompt: Sequence[str]) -> list[str] | None:
        try:
            found = self.label([int(token) for token in prompt])
        except (ValueError, KeyError, IndexError):
            return None
        return None if found is None else [str(found)]


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
