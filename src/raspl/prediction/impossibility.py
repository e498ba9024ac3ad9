"""Is a task beyond every RASP-L program, whatever its size? (docs/types.md, theorem 1.)

On inputs u aⁿ w the output of every legal program settles as n grows. So a task whose right answer
goes on changing has no program. This looks for such u, a and w with the sampler and the solver
alone. What it finds is evidence up to a length: that the answers change for ever is read off their
going on to change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from raspl.synthesis.examples import KnownSource

LONGEST = 96
"""How often a symbol is repeated at most."""
CHANGES = 8
"""Changes in the second half, from which on answers count as not settling. A program of our sizes
has settled long before; one change more costs it a comparison more."""
DRAWN = 20_000
"""Prompts that tell which strings the sampler draws."""
MOST_STRINGS = 1_000
"""Strings of one length that can be expected to be all among those."""
LOOKED_AT = 5
"""Length of the strings that the sampler must draw all of, at most."""
AROUND = 2
"""Symbols before and after the repeated one, at most."""


@dataclass(frozen=True)
class Pumped:
    """Inputs u aⁿ w on which the right answer does not settle."""

    before: tuple[str, ...]
    repeated: str
    after: tuple[str, ...]
    answers: tuple[str, ...]
    """For n = 1, 2, …"""

    def __str__(self) -> str:
        parts = (" ".join(self.before), f"({self.repeated})ⁿ", " ".join(self.after))
        shown = " ".join(part for part in parts if part)
        return (
            f"on {shown} the right answer is {', '.join(self.answers[:8])}, … for n = 1, 2, …, and "
            f"still changes up to n = {len(self.answers)}"
        )


def pumped(source: KnownSource, seed: int = 0) -> Pumped | None:
    """Inputs that show that no program computes a task; None if there are none to be found."""
    for before, repeated, after in shapes(_domain(source, np.random.default_rng((seed, 4)))):
        answers = _answers(source, before, repeated, after)
        if answers is not None and goes_on(answers):
            return Pumped(before, repeated, after, answers)
    return None


def _domain(source: KnownSource, rng: np.random.Generator) -> list[str]:
    """The symbols of which the sampler draws every string; none where it draws only some.

    Only there is every u aⁿ w an input of the task. A solver may say anything of other inputs.
    """
    shortest, longest = source.lengths
    if longest is not None and longest < LONGEST + AROUND:
        return []
    prompts = source.prompts(rng, [max(LOOKED_AT, shortest)] * DRAWN)
    symbols = sorted({symbol for prompt in prompts for symbol in prompt})
    size = max(2, shortest)
    while size < LOOKED_AT and len(symbols) ** (size + 1) <= MOST_STRINGS:
        size += 1
    if len(symbols) ** size > 3 * MOST_STRINGS:
        return []
    seen = {tuple(prompt) for prompt in source.prompts(rng, [size] * DRAWN)}
    complete = len({one for one in seen if len(one) == size}) == len(symbols) ** size
    return symbols if complete else []


def shapes(symbols: list[str]) -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """Short u and w around each repeated symbol, the shortest first."""
    few = symbols[:4]
    for around in range(AROUND + 1):
        for left in range(around + 1):
            for before in product(few, repeat=left):
                for after in product(few, repeat=around - left):
                    for repeated in symbols:
                        yield before, repeated, after


def _answers(
    source: KnownSource, before: tuple[str, ...], repeated: str, after: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The first token of each right answer; None if one of the inputs has none."""
    found = []
    for number in range(1, LONGEST + 1):
        answer = source.answer([*before, *[repeated] * number, *after])
        if answer is None:
            return None
        found.append(answer[0])
    return tuple(found)


def goes_on(answers: Sequence[str]) -> bool:
    """Whether answers still change again and again in their second half, up to its end."""
    half = answers[len(answers) // 2 :]
    changes = [place for place in range(1, len(half)) if half[place] != half[place - 1]]
    if len(changes) < CHANGES:
        return False
    gaps = np.diff([0, *changes, len(half)])
    return bool(gaps[-1] <= 2 * np.max(gaps[:-1]))
