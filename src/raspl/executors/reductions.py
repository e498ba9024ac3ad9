"""What a head makes of the keys that it selects: it counts them, asks for any, or reduces them."""

from __future__ import annotations

from typing import Literal

from raspl.language.ir.primitives import REDUCTIONS, Aggr, Full, Reduction
from raspl.language.ir.tables import Rules

HeadKind = Literal["count", "any"] | Reduction
HEAD_KINDS: tuple[HeadKind, ...] = ("count", "any", *REDUCTIONS)

KEEPS_CONSTANTS: Rules[Reduction, bool] = Rules(
    "KEEPS_CONSTANTS of executors.reductions", {"mean": True, "max": True, "min": True}
)
"""Whether the reduction of equal values is that value, however many there are."""


def head_kind(node: Aggr) -> HeadKind:
    """Of a constant only matters whether anything is selected; other values are reduced."""
    is_constant = KEEPS_CONSTANTS[node.reduction] and isinstance(node.v, Full)
    return "any" if is_constant else node.reduction
