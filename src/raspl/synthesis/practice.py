"""Small labelled sources that the search is tried on, beside the tasks that ship for training."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from raspl.synthesis.examples import LabelledSource

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


PRACTICE: Mapping[str, LabelledSource] = MappingProxyType(
    {
        source.name: source
        for source in (
            LabelledSource("shift", _tokens(12), lambda p: p[-2] if len(p) > 1 else None),
            LabelledSource("running_maximum", _tokens(20), max),
            LabelledSource("first_again", _tokens(6), lambda p: int(p[0] in p[1:])),
            LabelledSource("after_marker", _marked, _after_marker),
        )
    }
)
