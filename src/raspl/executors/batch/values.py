"""What heads over a block take and give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.executors.reductions import HeadKind
from raspl.language.ir.tables import Rules

Array = NDArray[Any]
READS_VALUES: Rules[HeadKind, bool] = Rules(
    "the batch executor (READS_VALUES)",
    {"count": False, "any": False, "mean": True, "max": True, "min": True},
)
"""Whether the value of a key matters, or only that it is selected."""
SIGN: Rules[HeadKind, int] = Rules("the batch executor (SIGN)", {"max": 1, "min": -1})
"""The least is the greatest of the negatives."""


@dataclass(frozen=True, slots=True)
class Found:
    """The reduction at each position, and where anything was selected (None: everywhere)."""

    values: Array
    some: Array | None

    def filled(self, empty: int) -> Array:
        """The reduction, with a default where nothing was selected."""
        return self.values if self.some is None else np.where(self.some, self.values, empty)


@dataclass(frozen=True, slots=True)
class Values:
    """What a head reduces, and which positions take part."""

    kind: HeadKind
    column: Array
    keep: Array | None
    """Positions whose key may be selected and whose value is not None; None: all of them."""
    rises: bool = False
    """Whether the column is the position plus a constant."""


def truncated(total: Array, count: Array) -> Array:
    """The mean, truncated toward zero; 0 where there is nothing to divide."""
    magnitude: Array = np.abs(total) // np.maximum(count, 1)
    return np.where(total < 0, -magnitude, magnitude)
