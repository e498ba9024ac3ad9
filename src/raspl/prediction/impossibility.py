"""Is a task beyond every RASP-L program, whatever its size? (docs/types.md, theorem 1.)

On inputs u aⁿ w the output of every legal program settles as n grows. So a task whose right answer
goes on changing has no program. This looks for such u, a and w with the sampler and the solver
alone. What it finds is evidence up to a length: that the answers change for ever is read off their
going on to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from raspl.prediction.sources import TaskSource
from raspl.synthesis.examples import ExampleSource, LabelledSource

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

Oracle = Callable[[Sequence[str]], str | None]
"""The first answer token to a prompt, or None if there is none."""


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


def pumped(source: ExampleSource, seed: int = 0) -> Pumped | None:
    """Inputs that show that no program computes a task; None if there are none to be found."""
    symbols, oracle = _domain(source, np.random.default_rng((seed, 4)))
    if len(symbols) < 1:
        return None
    for before, repeated, after in _shapes(symbols):
        answers = _answers(oracle, before, repeated, after)
        if answers is not None and _goes_on(answers):
            return Pumped(before, repeated, after, answers)
    return None


def _domain(source: ExampleSource, rng: np.random.Generator) -> tuple[list[str], Oracle]:
    """The symbols of which the sampler draws every string; none where it draws only some.

    Only there is every u aⁿ w an input of the task. A solver may say anything of other inputs.
    """
    shortest, longest = source.lengths
    if longest is not None and longest < LONGEST + AROUND:
        return [], lambda prompt: None
    prompts, oracle = _prompts(source, rng, max(LOOKED_AT, shortest))
    symbols = sorted({symbol for prompt in prompts for symbol in prompt})
    size = max(2, shortest)
    while size < LOOKED_AT and len(symbols) ** (size + 1) <= MOST_STRINGS:
        size += 1
    if len(symbols) ** size > 3 * MOST_STRINGS:
        return [], oracle
    seen = {tuple(prompt) for prompt in _prompts(source, rng, size)[0]}
    complete = len({one for one in seen if len(one) == size}) == len(symbols) ** size
    return (symbols if complete else []), oracle


def _prompts(
    source: ExampleSource, rng: np.random.Generator, length: int
) -> tuple[list[list[str]], Oracle]:
    if isinstance(source, TaskSource):
        task = source.task
        examples = task.examples(rng, np.full(DRAWN, length), source.on)
        prompts = [
            task.parts(row, is_answer)[0]
            for row, is_answer in zip(examples.tokens, examples.answers, strict=True)
        ]

        def answer(prompt: Sequence[str]) -> str | None:
            try:
                found = task.solve(prompt)
            except (ValueError, KeyError, IndexError):
                return None
            return str(found[0]) if len(found) else None

        return prompts, answer
    assert isinstance(source, LabelledSource)
    drawn = [[str(token) for token in source.sample(rng, length)] for _ in range(DRAWN)]

    def label(prompt: Sequence[str]) -> str | None:
        found = source.label([int(token) for token in prompt])
        return None if found is None else str(found)

    return drawn, label


def _shapes(symbols: list[str]) -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """Short u and w around each repeated symbol, the shortest first."""
    few = symbols[:4]
    for around in range(AROUND + 1):
        for left in range(around + 1):
            for before in product(few, repeat=left):
                for after in product(few, repeat=around - left):
                    for repeated in symbols:
                        yield before, repeated, after


def _answers(
    oracle: Oracle, before: tuple[str, ...], repeated: str, after: tuple[str, ...]
) -> tuple[str, ...] | None:
    found = []
    for number in range(1, LONGEST + 1):
        answer = oracle([*before, *[repeated] * number, *after])
        if answer is None:
            return None
        found.append(answer)
    return tuple(found)


def _goes_on(answers: Sequence[str]) -> bool:
    """Whether answers still change again and again in their second half, up to its end."""
    half = answers[len(answers) // 2 :]
    changes = [place for place in range(1, len(half)) if half[place] != half[place - 1]]
    if len(changes) < CHANGES:
        return False
    gaps = np.diff([0, *changes, len(half)])
    return bool(gaps[-1] <= 2 * np.max(gaps[:-1]))
