"""What a search is asked: all that its result depends on, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from raspl.synthesis.examples import Example, ExampleSource, uniform_lengths
from raspl.synthesis.settings import Settings


@dataclass(frozen=True)
class Question:
    """Examples to explain, and how to go about it.

    Two equal questions have one answer, unless the clock or the user ends a search.
    """

    name: str
    """That of the source, for messages."""
    literals: tuple[int, ...]
    examples: tuple[Example, ...]
    """Short ones, which are searched on."""
    held_in: tuple[Example, ...]
    """More of all the training lengths, on which a find is tried."""
    settings: Settings


def question_of(source: ExampleSource, settings: Settings) -> Question:
    """Draw the examples that a search sees."""
    return Question(
        name=source.name,
        # 0 and 1 are the truth values, so every program can make them.
        literals=tuple(dict.fromkeys((*source.literals, 0, 1))),
        examples=_drawn(source, settings, 0, settings.examples, settings.search_length),
        held_in=_drawn(source, settings, 1, settings.held_in),
        settings=settings,
    )


def _drawn(
    source: ExampleSource, settings: Settings, stream: int, number: int, longest: int | None = None
) -> tuple[Example, ...]:
    """Examples of the training lengths, up to a length if there are any so short."""
    most = settings.max_length
    if longest is not None and settings.min_length is None:
        most = min(most, max(longest, source.lengths[0]))
    lengths = uniform_lengths(source, most, number, settings.min_length)
    rng = np.random.default_rng((settings.seed, stream))
    return tuple(dict.fromkeys(source.draw(rng, lengths)))
