"""The residual stream of a network at work: every dimension by name, and what a change of one does.

A dimension is written once: by the embedding, by a head or by an MLP. So the stream behind the last
layer holds all that was ever computed, and is shown as one table, in the order of writing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from raspl.compiler.alphabets import NetworkError
from raspl.templates import render

if TYPE_CHECKING:
    from raspl.compiler.network import Network

POSITIONS = "constants"
"""The variable of dimensions that depend on the position alone."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A variable that is given another value at one position, as soon as it is written."""

    variable: str
    position: int
    value: int


@dataclass(frozen=True, slots=True)
class Part:
    """The dimensions that one part of the network writes."""

    block: int
    """-1 for the embedding."""
    is_mlp: bool
    title: str
    dims: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Stream:
    """What stands at each position of an input when the network has read it."""

    network: Network
    tokens: tuple[tuple[int, ...], ...]
    patches: tuple[Patch, ...] = ()

    def __post_init__(self) -> None:
        for patch in self.patches:
            _check(self, patch)
        _ = self.values

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """One row a position, one column a dimension of `network.description.dims`."""
        stream: NDArray[np.float64] = self._run[0, 1:].double().numpy()
        return stream

    @cached_property
    def output(self) -> list[int]:
        """What the network says at each position."""
        length = len(self.tokens[0])
        values = torch.tensor(self.network.values(length))
        with torch.inference_mode():
            logits = self.network.unembed(self._run[:, 1:], length)
        found: list[int] = values[logits[0].argmax(-1)].tolist()
        return found

    def patched(self, variable: str, position: int, value: int) -> Stream:
        """The same input, but with another value of a variable at one position."""
        change = Patch(variable, position, value)
        return Stream(self.network, self.tokens, (*self.patches, change))

    @cached_property
    def _run(self) -> Tensor:
        from raspl.compiler.network import Cache

        network, cache = self.network, Cache()
        with torch.inference_mode():
            x = self._change(-1, False, network.embed(network.numbers(*self.tokens), cache))
            for number, block in enumerate(network.blocks):
                x = self._change(number, False, block.attend(x, cache))  # type: ignore[operator]
                x = self._change(number, True, block.think(x))  # type: ignore[operator]
        return x

    def _change(self, block: int, is_mlp: bool, x: Tensor) -> Tensor:
        """The stream with the patches of what was just written."""
        known = self.network.description
        for part in self.parts:
            if (part.block, part.is_mlp) != (block, is_mlp):
                continue
            for patch in self.patches:
                for dim in part.dims:
                    if known.variables[dim] == patch.variable:
                        x[:, patch.position + 1, dim] = known.codes[dim][patch.value]
        return x

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Who writes which dimensions, in the order of writing."""
        return tuple(_parts(self.network))

    def __repr__(self) -> str:
        """A table: dimensions down, positions across."""
        dims = self.network.description.dims
        width = max(map(len, dims))
        lines = [f"{'':{width}} │ " + " ".join(f"{p:>4}" for p in range(len(self.values)))]
        for part in self.parts:
            lines.append(part.title)
            for dim in part.dims:
                cells = " ".join(f"{_shown(value):>4}" for value in self.values[:, dim])
                lines.append(f"{dims[dim]:{width}} │ {cells}")
        lines.append(f"{'output':{width}} │ " + " ".join(f"{value:>4}" for value in self.output))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The same as a drawing. What a patch changed is framed."""
        plain = Stream(self.network, self.tokens) if self.patches else self
        dims = self.network.description.dims

        def row(dim: int) -> list[tuple[str, bool, bool]]:
            pairs = zip(self.values[:, dim], plain.values[:, dim], strict=True)
            return [(_shown(value), bool(value), value != before) for value, before in pairs]

        parts = [
            (part.title, part.block < 0 and _is_formula(self.network, part),
             [(dims[dim], row(dim)) for dim in part.dims])
            for part in self.parts
        ]  # fmt: skip
        pairs = zip(self.output, plain.output, strict=True)
        output = [(str(value), True, value != before) for value, before in pairs]
        return render(
            __package__,
            "stream.html",
            parts=parts,
            output=output,
            tokens=[list(each) for each in self.tokens],
        )


def _shown(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else f"{value:.2g}"


def _is_formula(network: Network, part: Part) -> bool:
    return all(network.description.variables[dim] == POSITIONS for dim in part.dims)


def _parts(network: Network) -> Iterator[Part]:
    known = network.description
    moved = {name for block in known.blocks for head in block.heads for name in head.moves}
    computed = {name for block in known.blocks for name in block.writes}
    given = [
        dim
        for dim, name in enumerate(known.dims)
        if name not in moved and known.variables[dim] not in computed
    ]
    formulas = tuple(dim for dim in given if known.variables[dim] == POSITIONS)
    yield Part(-1, False, "the tokens", tuple(dim for dim in given if dim not in formulas))
    yield Part(-1, False, "the positions, by formula", formulas)
    for number, block in enumerate(known.blocks):
        for head in block.heads:
            dims = tuple(known.dims.index(name) for name in head.moves)
            title = f"layer {block.layer}: a head {head.does} and writes {head.variable}"
            yield Part(number, False, title, dims)
        dims = tuple(
            dim
            for dim, name in enumerate(known.dims)
            if known.variables[dim] in block.writes and name not in moved
        )
        if dims:
            yield Part(number, True, f"layer {block.layer}: the MLP", dims)


def _check(stream: Stream, patch: Patch) -> None:
    """A patch is of a variable with finitely many values, at a position that there is."""
    known = stream.network.description
    dims = [dim for dim, variable in enumerate(known.variables) if variable == patch.variable]
    coded = sorted({known.variables[dim] for dim in known.codes} - {POSITIONS})
    if not dims or any(dim not in known.codes for dim in dims):
        listed = ", ".join(coded) or "none"
        raise NetworkError(f"{patch.variable} can't be patched: those that can are {listed}")
    if any(patch.value not in known.codes[dim] for dim in dims):
        values = ", ".join(map(str, _few(sorted(known.codes[dims[0]]))))
        raise NetworkError(f"{patch.variable} is never {patch.value}: it can be {values}")
    if not 0 <= patch.position < len(stream.tokens[0]):
        raise NetworkError(
            f"there is no position {patch.position}: the input has {len(stream.tokens[0])} tokens"
        )


def _few(values: Sequence[int], most: int = 12) -> list[object]:
    return [*values[:most], *(["…"] if len(values) > most else [])]
