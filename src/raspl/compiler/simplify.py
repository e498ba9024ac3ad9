"""Smaller plans: what nothing reads in the end goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from raspl.compiler.plan import Channel, Head, Layer, Plan, Unit
from raspl.compiler.residual import Form, Logits, Output


def simplify(plan: Plan) -> Plan:
    """The same function without heads, units and dimensions that the output does not need."""
    return _renumbered(_pruned(plan))


def output_forms(output: Output) -> tuple[Form, ...]:
    """What the unembedding reads."""
    return output.forms if isinstance(output, Logits) else (output.value, output.present)


def _pruned(plan: Plan) -> Plan:
    """Without heads and units whose results nothing reads, from the last layer to the first."""
    live = {dim for form in output_forms(plan.output) for dim in form.weights}
    layers: list[Layer] = []
    for layer in reversed(plan.layers):
        mlps = []
        for mlp in reversed(layer.mlps):
            units = [_narrowed(unit, live) for unit in mlp]
            kept = [unit for unit in units if unit.out and unit.gate.weights and unit.up.weights]
            for unit in kept:
                live.update(unit.gate.weights, unit.up.weights)
            mlps.append(kept)
        heads = []
        for head in layer.heads:
            moves = tuple((form, dim) for form, dim in head.moves if dim in live and form.weights)
            channels = tuple(c for c in head.channels if c.query.weights and c.key.weights)
            if moves:
                heads.append(replace(head, moves=moves, channels=channels))
        for head in heads:
            live.update(dim for form in head.reads for dim in form.weights)
        # An MLP that has become empty would be a step for nothing.
        layers.append(Layer(heads, [mlp for mlp in reversed(mlps) if mlp]))
    return replace(plan, layers=tuple(reversed(layers)))


def _narrowed(unit: Unit, live: set[int]) -> Unit:
    return replace(unit, out={d: w for d, w in unit.out.items() if d in live and w})


def _renumbered(plan: Plan) -> Plan:
    """With the dimensions only that something reads."""
    heads = [head for layer in plan.layers for head in layer.heads]
    units = [unit for layer in plan.layers for mlp in layer.mlps for unit in mlp]
    read = [*output_forms(plan.output), *(form for head in heads for form in head.reads)]
    read += [form for unit in units for form in (unit.gate, unit.up)]
    kept = sorted({dim for form in read for dim in form.weights})
    new = {dim: number for number, dim in enumerate(kept)}

    def form(old: Form) -> Form:
        return Form(written(old.weights))

    def written(weights: Mapping[int, float]) -> dict[int, float]:
        return {new[dim]: weight for dim, weight in weights.items() if dim in new}

    def head(old: Head) -> Head:
        channels = tuple(Channel(form(c.query), form(c.key)) for c in old.channels)
        return replace(old, channels=channels, moves=tuple((form(f), new[d]) for f, d in old.moves))

    def unit(old: Unit) -> Unit:
        return Unit(form(old.gate), form(old.up), written(old.out))

    output = plan.output
    if isinstance(output, Logits):
        output = replace(output, forms=tuple(map(form, output.forms)))
    else:
        output = replace(output, value=form(output.value), present=form(output.present))
    return replace(
        plan,
        dims=tuple(plan.dims[dim] for dim in kept),
        tokens=tuple({token: written(out) for token, out in t.items()} for t in plan.tokens),
        formulas={new[dim]: name for dim, name in plan.formulas.items() if dim in new},
        layers=tuple(
            Layer([head(h) for h in layer.heads], [[unit(u) for u in mlp] for mlp in layer.mlps])
            for layer in plan.layers
        ),
        output=output,
    )
