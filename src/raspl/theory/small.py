"""Small tasks that the search is tried on, beside those that ship for training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from raspl.tasks import find
from raspl.tasks.registry import SHIPPED, Value, parameters, unknown_task
from raspl.tasks.task import Ints, Task, keep

from .examples import Framed, Labelled, Source

MARKER = 0
LOWEST = 2
"""The least ordinary token: 0 and 1 are left to markers and truth values."""


def _tokens(most: int) -> Callable[[np.random.Generator, int], Sequence[int]]:
    def sample(rng: np.random.Generator, length: int) -> list[int]:
        return [int(token) for token in rng.integers(LOWEST, most, size=length)]

    return sample


def _marked(rng: np.random.Generator, length: int) -> list[int]:
    """A marker, then ordinary tokens with markers strewn in."""
    rest = rng.integers(LOWEST - 1, 9, size=length - 1)
    return [MARKER, *(MARKER if token < LOWEST else int(token) for token in rest)]


def _after_marker(prefix: Sequence[int]) -> int | None:
    """What came after the latest marker; nothing is asked at a marker itself."""
    if prefix[-1] == MARKER:
        return None
    latest = max(place for place, token in enumerate(prefix) if token == MARKER)
    return prefix[latest + 1]


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


LABELLED: Mapping[str, Labelled] = MappingProxyType(
    {
        source.name: source
        for source in (
            Labelled("shift", _tokens(12), lambda p: p[-2] if len(p) > 1 else None),
            Labelled("running-maximum", _tokens(20), max),
            Labelled("first-again", _tokens(6), lambda p: int(p[0] in p[1:])),
            Labelled("after-marker", _marked, _after_marker),
        )
    }
)
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
