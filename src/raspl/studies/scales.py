"""At which lengths and seeds the studies run, scale by scale.

The paper trains to 40 and tests at 50, or trains to several lengths and tests at 50. The smaller
scales keep the ratios: the test length is a quarter beyond the task's own training length.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from raspl.training.configuration import Scale
from raspl.training.presets import family, preset

SEEDS: Mapping[Scale, int] = MappingProxyType({"paper": 20, "laptop": 3, "smoke": 2})

FIRST_SEED = 11
"""A study's first seed; presets were chosen on those below (docs/studies.md)."""

BEYOND = 10
"""The paper's "+10"."""
SHARES = (0.5, 0.75, 1.0)
"""Training lengths of the smaller scales, as shares of the task's own."""

PAPER_TRAINED: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "count": (20, 40, 60, 80, 100),
        "mode": (10, 20, 30, 40, 45),
        "copy": (10, 20, 30, 35, 40, 45),
        "sort": (10, 20, 30, 35, 40, 45),
        "addition": (20, 30, 35, 40, 45),
        "parity": (20, 30, 35, 40, 45),
        "conjunction": (20,),
    }
)
PAPER_TESTED: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"count": (50, 100, 150), "mode": (50, 60, 80), "sort": (50, 60), "conjunction": (20,)}
)
PAPER_SPEED = 45
"""The training length of the paper's training curves."""


@dataclass(frozen=True)
class Lengths:
    """The lengths of a task at a scale."""

    own: int
    """What it is trained to, where a study does not vary it."""
    trained: tuple[int, ...]
    """What it is trained to, where a study does."""
    target: int
    """The one length that all of them are tested at."""
    tested: tuple[int, ...]
    """All lengths that every model is tested at."""
    speed: int
    """What it is trained to where training curves are compared."""
    scale: Scale

    def beyond(self, trained: int) -> int:
        """The paper's "+10" for a model trained to a length."""
        if self.target == self.own:
            return trained
        return trained + BEYOND if self.scale == "paper" else quarter_more(trained)


def seeds_from_first(number: int) -> range:
    return range(FIRST_SEED, FIRST_SEED + number)


def quarter_more(length: int) -> int:
    return math.ceil(1.25 * length)


def lengths_of(task: str, scale: Scale) -> Lengths:
    chosen = preset(task, scale)
    own: int = chosen["max_length"]
    fixed = family(task) == "conjunction"
    if scale == "paper":
        kind = family(task)
        tested = PAPER_TESTED.get(kind, (own + BEYOND,))
        trained = PAPER_TRAINED[kind]
        return Lengths(own, trained, tested[0], tested, own if fixed else PAPER_SPEED, scale)
    target = own if fixed else quarter_more(own)
    tested = tuple(sorted({target, *chosen["test_lengths"]}))
    trained = (own,) if fixed else tuple(sorted({math.ceil(share * own) for share in SHARES}))
    return Lengths(own, trained, target, tested, own, scale)
