"""What heads over a block take and give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Reduction = Literal["count", "any", "mean", "max", "min"]


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

    reduction: Reduction
    column: Array
    keep: Array | None
    """Positions whose key may be selected and whose value is not None; None: all of them."""
    rises: bool = False
    """Whether the column is the position plus a constant."""


def truncated(total: Array, count: Array) -> Array:
    """The mean, truncated toward zero; 0 where there is nothing to divide."""
    magnitude: Array = np.abs(total) // np.maximum(count, 1)
    return np.where(total < 0, -magnitude, magnitude)
