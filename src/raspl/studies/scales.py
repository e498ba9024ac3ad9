"""At which lengths and seeds the studies run, scale by scale.

The paper trains to 40 and tests at 50, or trains to several lengths and tests at 50, and so does
the desk's scale. The smaller ones keep the ratios: the test length is a quarter beyond the task's
own training length.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from raspl.tasks import Scale, preset
from raspl.tasks.generalisation import quarter_more

SEEDS: Mapping[Scale, int] = MappingProxyType({"paper": 20, "desk": 5, "laptop": 3, "smoke": 2})

LEADING: Scale = "desk"
"""The scale that the report and README.md lead with; the others are below it, closed."""

MOST_SEEDS = 20
"""Seeds at which a study that is to be decided gives up; as many as the paper has."""

FIRST_SEED: Mapping[Scale, int] = MappingProxyType(
    {"paper": 11, "desk": 21, "laptop": 11, "smoke": 11}
)
"""A study's first seed; presets were chosen on those below (docs/studies.md)."""

PAPERS_LENGTHS: frozenset[Scale] = frozenset({"paper", "desk"})
"""Scales that train and test at the paper's lengths, and go the same step beyond each of them."""

SHARES = (0.5, 0.75, 1.0)
"""Training lengths of the smaller scales, as shares of the task's own."""


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
        step = self.target - self.own
        return trained + step if self.scale in PAPERS_LENGTHS or not step else quarter_more(trained)

    def seeds(self, number: int) -> range:
        """The seeds of a study that asks for so many."""
        first = FIRST_SEED[self.scale]
        return range(first, first + number)


def lengths_of(name: str, scale: Scale) -> Lengths:
    """Of a task, or of another preset that a task's folder names."""
    chosen = preset(name, scale)
    own: int = chosen.fields["max_length"]
    asked: tuple[int, ...] = chosen.fields["test_lengths"]
    has_one_length = max(asked) <= own
    target = chosen.tested[0] if chosen.tested else own if has_one_length else quarter_more(own)
    shares = (1.0,) if has_one_length else SHARES
    return Lengths(
        own=own,
        trained=chosen.trained or tuple(sorted({math.ceil(share * own) for share in shares})),
        target=target,
        tested=chosen.tested or tuple(sorted({target, *asked})),
        speed=chosen.curves_at or own,
        scale=scale,
    )
