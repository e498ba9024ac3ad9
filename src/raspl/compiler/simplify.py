"""Smaller plans: dimensions that nothing reads go, and those that are always read alike become one.

If every reader gives two dimensions of a variable the same weight, it can't tell them apart, and
one dimension that holds their sum serves it as well. So of a variable with a hundred values of
which the program asks only "is it 0?" one or two dimensions remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from raspl.compiler.plan import Channel, Head, Layer, Plan, Unit
from raspl.compiler.residual import Dim, Encoding, Finite, Form, Scalar


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
    merging = _Merging.of(plan)
    return replace(
        plan,
        dims=tuple(_named([plan.dims[dim] for dim in group]) for group in merging.groups),
        tokens=tuple(
            {token: merging.written(out) for token, out in tokens.items()} for tokens in plan.tokens
        ),
        formulas={merging.new[dim]: n for dim, n in plan.formulas.items() if dim in merging.new},
        layers=tuple(
            Layer([merging.head(h) for h in layer.heads], [merging.mlp(m) for m in layer.mlps])
            for layer in plan.layers
        ),
        output=merging.output(plan.output),
    )


def _groups(plan: Plan) -> list[list[int]]:
    """The dimensions that are read, those of a variable that are always read alike together."""
    columns: dict[int, list[tuple[int, float]]] = {}
    for number, form in enumerate(_readers(plan)):
        for dim, weight in form.weights.items():
            columns.setdefault(dim, []).append((number, weight))
    groups: dict[tuple[object, ...], list[int]] = {}
    for dim in range(len(plan.dims)):
        if dim in columns:
            # A dimension with a formula of its own is no part of a sum.
            alone = dim if dim in plan.formulas else -1
            key = (plan.dims[dim].variable, alone, tuple(columns[dim]))
            groups.setdefault(key, []).append(dim)
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class _Merging:
    """Which dimensions become one, and the parts of a plan over those that remain."""

    groups: list[list[int]]
    new: Mapping[int, int]
    """The new number of every dimension that is kept."""
    first: Mapping[int, int]
    """The same for the first of each group only, which is read for all: they hold the sum now."""

    @staticmethod
    def of(plan: Plan) -> _Merging:
        groups = _groups(plan)
        new = {dim: number for number, group in enumerate(groups) for dim in group}
        first = {group[0]: number for number, group in enumerate(groups)}
        return _Merging(groups, new, first)

    def read(self, form: Form) -> Form:
        """What reads a group alike reads its one dimension."""
        return Form({self.first[d]: w for d, w in form.weights.items() if d in self.first})

    def written(self, out: Mapping[int, float]) -> dict[int, float]:
        """What is written to a group is summed."""
        written: dict[int, float] = {}
        for dim, weight in out.items():
            if dim in self.new:
                written[self.new[dim]] = written.get(self.new[dim], 0.0) + weight
        return _nonzero(written)

    def head(self, old: Head) -> Head:
        channels = tuple(Channel(self.read(c.query), self.read(c.key)) for c in old.channels)
        moves: dict[int, dict[int, float]] = {}
        for form, dim in old.moves:
            summed = moves.setdefault(self.new[dim], {})
            for source, weight in self.read(form).weights.items():
                summed[source] = summed.get(source, 0.0) + weight
        moved = tuple((Form(_nonzero(weights)), dim) for dim, weights in moves.items())
        return replace(old, channels=channels, moves=moved)

    def mlp(self, old: list[Unit]) -> list[Unit]:
        """Units that have become equal in what they read are one that writes for both."""
        units: dict[tuple[object, ...], Unit] = {}
        for unit in old:
            gate, up, out = self.read(unit.gate), self.read(unit.up), self.written(unit.out)
            key = gate.key, up.key
            known = units.get(key)
            if known is not None:
                for dim, weight in known.out.items():
                    out[dim] = out.get(dim, 0.0) + weight
            units[key] = Unit(gate, up, _nonzero(out))
        return list(units.values())

    def output(self, old: Encoding) -> Encoding:
        if isinstance(old, Finite):
            return replace(old, forms=tuple(map(self.read, old.forms)))
        return replace(
            old, value=self.read(old.value), present=self.read(old.present), residues=None
        )


def _nonzero(weights: Mapping[int, float]) -> dict[int, float]:
    return {dim: weight for dim, weight in weights.items() if weight}


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
