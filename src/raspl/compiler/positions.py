"""What positions bring into the stream, as formulas of the position: there is no table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from raspl.compiler.residual import BASE, DIGITS, REMAINDER, part_name

if TYPE_CHECKING:
    import torch
    from torch import Tensor

_SHIFTED = re.compile(r"\(index ([+-]) (\d+)\)")


def index_formula(part: str, shift: int) -> str:
    """The formula of a part of index + shift."""
    sign = "+" if shift > 0 else "-"
    return part_name(part, f"(index {sign} {abs(shift)})" if shift else "index")


def positions(formulas: Sequence[str], places: Tensor, dtype: torch.dtype) -> Tensor:
    """What each position brings; place 0 is the sink, place p the p-th token."""
    import torch

    real = places > 0
    columns = []
    for name in formulas:
        if name == "one":
            column = real.to(dtype)
        elif name == "sink":
            column = (~real).to(dtype)
        elif name == "position":
            column = places.to(dtype)
        elif name == "position²":
            column = places.to(dtype) ** 2
        elif name == "1 / position":
            column = torch.where(real, 1 / places.clamp(min=1).to(dtype), 0.0)
        else:
            column = torch.where(real, _part(name, places - 1), 0).to(dtype)
        columns.append(column)
    return torch.stack(columns, dim=-1)


def _part(name: str, index: Tensor) -> Tensor:
    """A part of index + shift; `//` and `%` round down, so there is no case for negative ones."""
    found = _SHIFTED.search(name)
    shift = int(found[1] + found[2]) if found else 0
    shifted = index + shift
    high, low = shifted // BASE, shifted % BASE
    for part, values in zip(DIGITS, (high, low, high**2 + low**2), strict=True):
        if name == index_formula(part, shift):
            return values
    for number, part in enumerate(REMAINDER):
        if name == index_formula(part, shift):
            return (shifted >> number) & 1
    raise ValueError(f"there is no formula {name!r} of a position")
