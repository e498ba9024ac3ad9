"""The examples of a task as a source that the search can draw from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from raspl.synthesis.examples import Example, Source
from raspl.synthesis.practice import LABELLED
from raspl.tasks import find
from raspl.tasks.registry import SHIPPED, Value, parameters, unknown_task
from raspl.tasks.task import FRAME, NOTHING, Ints, Task, keep

MOST_LITERALS = 6
"""An alphabet up to this size is offered to the search as literals in full."""


@dataclass(frozen=True)
class Framed:
    """The examples of a task on one of its distributions."""

    task: Task
    on: str = "train"
    is_own: bool = False
    """Whether it is a user's, from a file: of such a task nobody has said what programs it has."""

    @property
    def name(self) -> str:
        return self.task.name

    @property
    def literals(self) -> tuple[int, ...]:
        size = len(self.task.alphabet)
        return tuple(range(size if size <= MOST_LITERALS else len(FRAME)))

    @property
    def lengths(self) -> tuple[int, int | None]:
        return self.task.shortest, self.task.longest

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        drawn = self.task.examples(rng, np.array(lengths), self.on).left_aligned()
        examples = []
        for row, answers in zip(drawn.tokens, drawn.answers, strict=True):
            size = int((row != NOTHING).sum())
            wanted = (int(t) if a else None for t, a in zip(row[1:size], answers[1:], strict=False))
            examples.append(Example(tuple(map(int, row[: size - 1])), tuple(wanted)))
        return examples

    def show(self, tokens: Sequence[int]) -> str:
        return " ".join(self.task.names(tokens))


def majority() -> Task:
    """Whether a binary sequence has more ones or more zeros; one bit is changed in a tie."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        bits = rng.integers(2, size=(len(lengths), lengths.max()))
        tied = 2 * keep(bits, lengths).clip(0).sum(axis=1) == lengths
        bits[tied, 0] ^= 1
        prompt = keep(bits, lengths)
        return prompt, (2 * prompt.clip(0).sum(axis=1) > lengths).astype(np.int64)[:, None]

    def solve(prompt: Sequence[str]) -> list[str]:
        return [max("01", key=list(prompt).count)]

    return Task("majority", "the more frequent bit", ["0", "1"], sample, solve)


NAMES = (*SHIPPED, "majority", *LABELLED)


def find_source(name: str, values: Mapping[str, Value] = MappingProxyType({})) -> Source:
    """The examples of a shipped task, of a task in a file, or of one of the small tasks here."""
    if name in LABELLED:
        return LABELLED[name]
    if name == "majority":
        return Framed(majority())
    if name not in SHIPPED and not name.endswith(".py"):
        raise unknown_task(name, NAMES)
    return Framed(find(name, values), is_own=name not in SHIPPED)


def is_sized(source: Source) -> bool:
    """Whether it is a shipped task whose length is a parameter, so that it has others too."""
    known = isinstance(source, Framed) and not source.is_own
    return known and "bits" in parameters(source.name)


def tested(source: Source, length: int) -> Source:
    """The task as it is tested at a length: on its test distribution, and built for that length if
    it has to be."""
    if not isinstance(source, Framed):
        return source
    task = SHIPPED[source.name](bits=length) if is_sized(source) else source.task
    return Framed(task, task.test_on)
