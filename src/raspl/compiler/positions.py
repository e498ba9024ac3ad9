"""What positions bring into the stream, as formulas of the position: there is no table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

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
    found = _SHIFTED.search(name)
    shift = int(found[1] + found[2]) if found else 0
    for part in DIGITS + REMAINDER:
        if name == index_formula(part, shift):
            return part_of(part, index + shift)
    raise ValueError(f"there is no formula {name!r} of a position")


Number = TypeVar("Number", int, "Tensor")


def part_of(part: str, number: Number) -> Number:
    """A part of an integer; `//` and `%` round down, so negative ones are no case of their own."""
    if part in REMAINDER:
        return (number >> REMAINDER.index(part)) & 1
    high, low = number // BASE, number % BASE
    return {"high": high, "low": low, "squares": high * high + low * low}[part]
