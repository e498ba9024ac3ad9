"""From a plan to tensors."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from raspl.compiler.description import (
    BlockShape,
    Description,
    FiniteOutput,
    HeadShape,
    IndexOutput,
    TokenInput,
)
from raspl.compiler.network import MLP, Head, Network
from raspl.compiler.plan import Head as HeadPlan
from raspl.compiler.plan import Layer, Plan, Unit
from raspl.compiler.residual import Form, Logits
from raspl.compiler.simplify import output_forms

Step = tuple[int, list[HeadPlan], list[Unit]]
"""The attention layer that a block belongs to, its heads, and the units of its MLP."""


def assemble(plan: Plan, program: str, inputs: Sequence[str], warnings: Sequence[str]) -> Network:
    """The network of a plan, in float64; every weight is exact in float32 too."""
    steps = [step for number, layer in enumerate(plan.layers) for step in _steps(number, layer)]
    network = Network(_describe(plan, steps, program, inputs, warnings))
    for tokens, table in zip(plan.tokens, network.embedding, strict=True):
        for number, out in enumerate(tokens.values()):
            for dim, weight in out.items():
                table[number, dim] = weight
    for (_, heads, units), block in zip(steps, network.blocks, strict=True):
        for head, module in zip(heads, block.heads, strict=True):  # type: ignore[arg-type]
            _fill_head(module, head)
        if isinstance(block.mlp, MLP):
            _fill_mlp(block.mlp, units)
    _columns(network.unembedding, output_forms(plan.output))
    return network


def _steps(number: int, layer: Layer) -> list[Step]:
    first = layer.mlps[0] if layer.mlps else []
    steps: list[Step] = [(number, layer.heads, first)] if layer.heads or first else []
    return steps + [(number, [], mlp) for mlp in layer.mlps[1:]]


def _columns(matrix: Tensor, forms: Sequence[Form]) -> None:
    """Column c of a matrix reads the c-th form."""
    entries = [(dim, c, w) for c, form in enumerate(forms) for dim, w in form.weights.items()]
    _put(matrix, entries)


def _put(matrix: Tensor, entries: Sequence[tuple[int, int, float]]) -> None:
    if entries:
        rows, columns, weights = zip(*entries, strict=True)
        matrix[list(rows), list(columns)] = torch.tensor(weights, dtype=matrix.dtype)


def _fill_head(module: Head, head: HeadPlan) -> None:
    _columns(module.query, [channel.query for channel in head.channels])
    _columns(module.key, [channel.key for channel in head.channels])
    _columns(module.value, [form for form, _ in head.moves])
    _put(module.out, [(number, dim, 1.0) for number, (_, dim) in enumerate(head.moves)])


def _fill_mlp(module: MLP, units: Sequence[Unit]) -> None:
    _columns(module.gate, [unit.gate for unit in units])
    _columns(module.up, [unit.up for unit in units])
    entries = [(n, dim, w) for n, unit in enumerate(units) for dim, w in unit.out.items()]
    _put(module.out, entries)


def _describe(
    plan: Plan,
    steps: Sequence[Step],
    program: str,
    inputs: Sequence[str],
    warnings: Sequence[str],
) -> Description:
    dims = plan.dims
    ones = {dim for dim, name in plan.formulas.items() if name == "one"}
    blocks = []
    for number, heads, units in steps:
        written = {dims[dim].variable: None for unit in units for dim in unit.out}
        shapes = tuple(
            HeadShape(
                head.variable,
                head.does,
                len(head.channels),
                tuple(dims[dim].name for _, dim in head.moves),
                head.selector,
            )
            for head in heads
        )
        gated = sum(set(unit.up.weights) != ones for unit in units)
        blocks.append(BlockShape(number, shapes, len(units), gated, tuple(written)))
    output = plan.output
    return Description(
        program=program,
        inputs=tuple(
            TokenInput(name, tuple(tokens))
            for name, tokens in zip(inputs, plan.tokens, strict=True)
        ),
        output=(
            FiniteOutput(output.values)
            if isinstance(output, Logits)
            else IndexOutput(output.low, output.high)
        ),
        dims=tuple(dim.name for dim in dims),
        variables=tuple(dim.variable for dim in dims),
        formulas=dict(plan.formulas),
        codes={number: dict(dim.code) for number, dim in enumerate(dims) if dim.code},
        blocks=tuple(blocks),
        limits=plan.limits,
        warnings=tuple(warnings),
    )
