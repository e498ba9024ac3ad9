"""What positions bring into the stream, as formulas of the position: there is no table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from raspl.compiler.residual import BASE

if TYPE_CHECKING:
    import torch
    from torch import Tensor

_INDEX = r"(?:index|\(index ([+-] \d+)\))"
_DIGITS = {
    "high": re.compile(rf"{_INDEX} // {BASE}"),
    "low": re.compile(rf"{_INDEX} % {BASE}"),
    "squares": re.compile(rf"digits² of {_INDEX}"),
}


def digit_formulas(shift: int) -> tuple[str, str, str]:
    """The formulas of the digits of index + shift."""
    sign = "+" if shift > 0 else "-"
    index = f"(index {sign} {abs(shift)})" if shift else "index"
    return f"{index} // {BASE}", f"{index} % {BASE}", f"digits² of {index}"


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
            column = torch.where(real, _digits(name, places - 1), 0).to(dtype)
        columns.append(column)
    return torch.stack(columns, dim=-1)


def _digits(name: str, index: Tensor) -> Tensor:
    for part, pattern in _DIGITS.items():
        found = pattern.fullmatch(name)
        if found:
            shifted = index + int((found[1] or "0").replace(" ", ""))
            high, low = shifted // BASE, shifted % BASE
            return {"high": high, "low": low, "squares": high**2 + low**2}[part]
    raise ValueError(f"there is no formula {name!r} of a position")
