"""Smaller plans: dimensions that nothing reads go, and those that are always read alike become one.

If every reader gives two dimensions of a variable the same weight, it can't tell them apart, and
one dimension that holds their sum serves it as well. So of a variable with a hundred values of
which the program asks only "is it 0?" one or two dimensions remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from raspl.compiler.plan import Channel, Head, Layer, Plan, Unit
from raspl.compiler.residual import Dim, Finite, Form, Scalar


def simplify(plan: Plan) -> Plan:
    """The same function with fewer dimensions and units."""
    while True:
        smaller = _merged(_pruned(plan))
        if _size(smaller) == _size(plan):
            return smaller
        plan = smaller


def _size(plan: Plan) -> tuple[int, int, int]:
    units = sum(len(mlp) for layer in plan.layers for mlp in layer.mlps)
    return len(plan.dims), units, sum(len(layer.heads) for layer in plan.layers)


def output_forms(output: Finite | Scalar) -> tuple[Form, ...]:
    """What the unembedding reads."""
    return output.forms if isinstance(output, Finite) else (output.value, output.present)


def _readers(plan: Plan) -> Iterator[Form]:
    yield from output_forms(plan.output)
    for layer in plan.layers:
        for head in layer.heads:
            yield from _head_forms(head)
        for mlp in layer.mlps:
            for unit in mlp:
                yield unit.gate
                yield unit.up


def _head_forms(head: Head) -> Iterator[Form]:
    for channel in head.channels:
        yield channel.query
        yield channel.key
    for form, _ in head.moves:
        yield form


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
            if moves:
                heads.append(replace(head, moves=moves, channels=_without_zeros(head)))
        for head in heads:
            live.update(dim for form in _head_forms(head) for dim in form.weights)
        # An MLP that has become empty would be a step for nothing.
        layers.append(Layer(heads, [mlp for mlp in reversed(mlps) if mlp]))
    kept_layers = tuple(reversed(layers))
    return replace(plan, layers=kept_layers)


def _narrowed(unit: Unit, live: set[int]) -> Unit:
    return replace(unit, out={d: w for d, w in unit.out.items() if d in live and w})


def _without_zeros(head: Head) -> tuple[Channel, ...]:
    return tuple(c for c in head.channels if c.query.weights and c.key.weights)


def _merged(plan: Plan) -> Plan:
    """With one dimension for each way of being read, and only those that are."""
    columns: dict[int, list[tuple[int, float]]] = {}
    for number, form in enumerate(_readers(plan)):
        for dim, weight in form.weights.items():
            columns.setdefault(dim, []).append((number, weight))
    groups: dict[tuple[object, ...], list[int]] = {}
    for dim in range(len(plan.dims)):
        if dim in columns:
            alone = dim if dim in plan.formulas else -1
            key = (plan.dims[dim].variable, alone, tuple(columns[dim]))
            groups.setdefault(key, []).append(dim)
    members = list(groups.values())
    new = {dim: number for number, group in enumerate(members) for dim in group}
    first = {group[0]: number for number, group in enumerate(members)}

    def read(form: Form) -> Form:
        return Form({first[d]: w for d, w in form.weights.items() if d in first})

    def write(out: Mapping[int, float]) -> dict[int, float]:
        written: dict[int, float] = {}
        for dim, weight in out.items():
            if dim in new:
                written[new[dim]] = written.get(new[dim], 0.0) + weight
        return {dim: weight for dim, weight in written.items() if weight}

    def head(old: Head) -> Head:
        channels = tuple(Channel(read(c.query), read(c.key)) for c in old.channels)
        moves: dict[int, dict[int, float]] = {}
        for form, dim in old.moves:
            summed = moves.setdefault(new[dim], {})
            for source, weight in read(form).weights.items():
                summed[source] = summed.get(source, 0.0) + weight
        moved = tuple((Form({d: w for d, w in f.items() if w}), dim) for dim, f in moves.items())
        return replace(old, channels=channels, moves=moved)

    def mlp(old: list[Unit]) -> list[Unit]:
        units: dict[tuple[object, ...], Unit] = {}
        for unit in old:
            gate, up, out = read(unit.gate), read(unit.up), write(unit.out)
            key = gate.key, up.key
            known = units.get(key)
            if known is not None:
                for dim, weight in known.out.items():
                    out[dim] = out.get(dim, 0.0) + weight
            units[key] = Unit(gate, up, {d: w for d, w in out.items() if w})
        return list(units.values())

    output = plan.output
    if isinstance(output, Finite):
        output = replace(output, forms=tuple(map(read, output.forms)))
    else:
        output = replace(output, value=read(output.value), present=read(output.present))
        output = replace(output, residues=None)
    return replace(
        plan,
        dims=tuple(_named([plan.dims[d] for d in group]) for group in members),
        tokens=tuple({t: write(out) for t, out in tokens.items()} for tokens in plan.tokens),
        formulas={new[dim]: name for dim, name in plan.formulas.items() if dim in new},
        layers=tuple(
            Layer([head(h) for h in layer.heads], [mlp(m) for m in layer.mlps])
            for layer in plan.layers
        ),
        output=output,
    )


def _named(dims: list[Dim]) -> Dim:
    """A name for the sum of dimensions of one variable: `x = 3`, `x = 1, 2 or 5`."""
    if len(dims) == 1:
        return dims[0]
    time = max(dim.time for dim in dims)
    prefixes = {dim.name.rpartition(" = ")[0] for dim in dims}
    if len(prefixes) == 1 and "" not in prefixes:
        values = [dim.name.rpartition(" = ")[2] for dim in dims]
        # Names that were merged before are lists themselves.
        flat = sorted({int(v) for text in values for v in text.replace(" or", ",").split(", ")})
        return Dim(f"{prefixes.pop()} = {listed(flat)}", dims[0].variable, time)
    return Dim(" + ".join(dim.name for dim in dims), dims[0].variable, time)


def listed(values: list[int]) -> str:
    """`1, 2 or 5`."""
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}" if most else last
