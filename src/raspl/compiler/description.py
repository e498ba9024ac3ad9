"""What a network says about itself: everything but the weights, as data that goes into JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from raspl.compiler.bounds import Limit

FORMAT = "raspl-network-2"


@dataclass(frozen=True, slots=True)
class TokenInput:
    """An input and the tokens that it may hold, in the order of their numbers."""

    name: str
    tokens: tuple[int, ...]
    """None for an input that the program does not look at."""


@dataclass(frozen=True, slots=True)
class FiniteOutput:
    """Logits over these values."""

    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IndexOutput:
    """Logits over None and the indices from `low` to length - 1 + `high`."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class HeadShape:
    """A head: what it writes and does, its channels and the dimensions that it moves into."""

    variable: str
    does: str
    channels: int
    moves: tuple[str, ...]
    selector: int | None


@dataclass(frozen=True, slots=True)
class BlockShape:
    """An attention layer with its MLP, or an MLP alone."""

    layer: int
    heads: tuple[HeadShape, ...]
    hidden: int
    gated: int
    """How many hidden units are truly gated; the others are plain ReLU units."""
    writes: tuple[str, ...]
    """The variables that the MLP writes."""


@dataclass(frozen=True, slots=True)
class Description:
    """A network without its weights."""

    program: str
    inputs: tuple[TokenInput, ...]
    output: FiniteOutput | IndexOutput
    dims: tuple[str, ...]
    variables: tuple[str, ...]
    """For each dimension, the variable of the program that it belongs to."""
    formulas: Mapping[int, str]
    codes: Mapping[int, Mapping[int, int]]
    """For dimensions of variables with finitely many values: the number that stands for each."""
    blocks: tuple[BlockShape, ...]
    limits: tuple[Limit, ...]
    warnings: tuple[str, ...]
    """Operations that can fail on some input; what the network says from there on is void."""

    def longest(self, dtype: str) -> int:
        """The longest input on which every construction is exact."""
        if dtype not in dict(self.limits[0].longest):
            return 0
        return min(limit.of(dtype) for limit in self.limits)

    def reason(self, longest: int) -> str:
        """Which construction sets a bound."""
        for limit in self.limits:
            if any(length == longest for _, length in limit.longest):
                return f"{limit.what}: {limit.reason}"
        return "this float format has no stated bound"

    @property
    def layers(self) -> int:
        """Attention layers."""
        return max((block.layer for block in self.blocks if block.heads), default=0)

    @property
    def summary(self) -> str:
        """One line."""
        heads = sum(len(block.heads) for block in self.blocks)
        return (
            f"{self.program}: {self.layers} attention layer{'s' * (self.layers != 1)}, "
            f"{heads} head{'s' * (heads != 1)}, "
            f"width {len(self.dims)}, {sum(block.hidden for block in self.blocks)} hidden units"
        )

    def as_json(self) -> dict[str, Any]:
        """Plain data, from which `from_json` makes the same description."""
        output = self.output
        return {
            "format": FORMAT,
            "program": self.program,
            "inputs": [{"name": i.name, "tokens": list(i.tokens)} for i in self.inputs],
            "output": (
                {"values": list(output.values)}
                if isinstance(output, FiniteOutput)
                else {"low": output.low, "high": output.high}
            ),
            "dims": [
                {
                    "name": name,
                    "variable": variable,
                    "formula": self.formulas.get(number),
                    "code": [list(pair) for pair in self.codes.get(number, {}).items()],
                }
                for number, (name, variable) in enumerate(
                    zip(self.dims, self.variables, strict=True)
                )
            ],
            "blocks": [
                {
                    "layer": block.layer,
                    "hidden": block.hidden,
                    "gated": block.gated,
                    "writes": list(block.writes),
                    "heads": [
                        {
                            "variable": head.variable,
                            "does": head.does,
                            "channels": head.channels,
                            "moves": list(head.moves),
                            "selector": head.selector,
                        }
                        for head in block.heads
                    ],
                }
                for block in self.blocks
            ],
            "limits": [
                {"what": limit.what, "reason": limit.reason, "longest": dict(limit.longest)}
                for limit in self.limits
            ],
            "warnings": list(self.warnings),
        }


def from_json(data: Mapping[str, Any]) -> Description:
    """The description that was written."""
    output = data["output"]
    return Description(
        program=data["program"],
        inputs=tuple(TokenInput(i["name"], tuple(i["tokens"])) for i in data["inputs"]),
        output=(
            FiniteOutput(tuple(output["values"]))
            if "values" in output
            else IndexOutput(output["low"], output["high"])
        ),
        dims=tuple(dim["name"] for dim in data["dims"]),
        variables=tuple(dim["variable"] for dim in data["dims"]),
        formulas={n: d["formula"] for n, d in enumerate(data["dims"]) if d["formula"]},
        codes={n: dict(d["code"]) for n, d in enumerate(data["dims"]) if d["code"]},
        blocks=tuple(_block(block) for block in data["blocks"]),
        limits=tuple(
            Limit(limit["what"], limit["reason"], tuple(limit["longest"].items()))
            for limit in data["limits"]
        ),
        warnings=tuple(data["warnings"]),
    )


def _block(data: Mapping[str, Any]) -> BlockShape:
    heads = tuple(
        HeadShape(h["variable"], h["does"], h["channels"], tuple(h["moves"]), h["selector"])
        for h in data["heads"]
    )
    return BlockShape(data["layer"], heads, data["hidden"], data["gated"], tuple(data["writes"]))
