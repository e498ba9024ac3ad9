"""What a puzzle is: a goal in words, a hidden specification in plain Python, and inputs to try."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

Tokens = list[int]
Wanted = list[int | None]
"""What is right at each position; None where anything is."""
Sampler = Callable[[random.Random, int], Tokens]


@dataclass(frozen=True)
class Puzzle:
    """One puzzle. A solution is a program of one sequence, right on every input."""

    id: str
    chapter: str
    title: str
    goal: str
    """At most two sentences."""
    hints: tuple[str, ...]
    """A ladder: each says more than the one before."""
    uses: tuple[str, ...]
    """Functions worth knowing here."""
    start: str
    """The text to begin with."""
    example: tuple[int, ...]
    specification: Callable[[Tokens], Wanted]
    """The wanted output at every position; of a `written` puzzle, the tokens to be written."""
    alphabet: tuple[int, ...] = ()
    """Where every sequence of these tokens is an input; else `sample` draws one."""
    sample: Sampler | None = None
    first: int | None = None
    """A token that every input over the alphabet begins with."""
    end: int | None = None
    """For a puzzle in which the program writes on after a prompt: the last token it writes."""
    names: tuple[tuple[str, int], ...] = ()
    """Tokens that the text to begin with has names for."""
    longest: int = 200

    @property
    def is_written(self) -> bool:
        """Whether the program writes on after a prompt."""
        return self.end is not None

    def draw(self, rng: random.Random, length: int) -> Tokens:
        """A random input of a size: so many tokens, or what the sampler makes of it."""
        if self.sample is not None:
            return self.sample(rng, length)
        # Few different tokens make ties and repeats, many make rare matches.
        few = rng.sample(self.alphabet, rng.randint(1, len(self.alphabet)))
        drawn = [rng.choice(few) for _ in range(length)]
        return drawn if self.first is None else [self.first, *drawn[1:]]

    def accepts(self, tokens: Tokens) -> bool:
        """Whether these tokens are an input of a puzzle over an alphabet."""
        starts = not tokens or self.first is None or tokens[0] == self.first
        return bool(self.alphabet) and starts and set(tokens) <= set(self.alphabet)

    def shown(self, tokens: Tokens | tuple[int, ...]) -> str:
        """Tokens as a user may type them, by name where they have one."""
        names = {number: name for name, number in self.names}
        return " ".join(names.get(token, str(token)) for token in tokens)
