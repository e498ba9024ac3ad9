"""What a network will consist of, before there are tensors: heads and units over named dimensions.

`Build` places each piece as early as what it reads allows. A head that reads what the l-th
attention layer and any MLPs behind it wrote stands in attention layer l + 1; so heads are
scheduled by parallel depth, and independent heads share a layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from raspl.compiler.bounds import Limit
from raspl.compiler.residual import START, Dim, Encoding, Form, Time, total, unit


@dataclass(frozen=True, slots=True)
class Unit:
    """A gated hidden unit: ReLU(gate) × up, added to the dimensions in `out`."""

    gate: Form
    up: Form
    out: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Channel:
    """One direction of a head's query-key product: query form × key form."""

    query: Form
    key: Form


@dataclass(frozen=True, slots=True)
class Head:
    """An attention head: scores are the sum of its channels; values go to dimensions."""

    variable: str
    """What it writes."""
    does: str
    """In words, for the reader of the table."""
    channels: tuple[Channel, ...]
    moves: tuple[tuple[Form, int], ...]
    """What is read at the attended position, and the dimension that it is added to."""
    selector: int | None = None
    """The number of the program's selector, among all of them."""


@dataclass(slots=True)
class Layer:
    """An attention layer and the MLPs that follow it, one after the other."""

    heads: list[Head] = field(default_factory=list)
    mlps: list[list[Unit]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole network, symbolically."""

    dims: tuple[Dim, ...]
    tokens: tuple[Mapping[int, Mapping[int, float]], ...]
    """For each input, what a token adds to which dimensions."""
    formulas: Mapping[int, str]
    """Dimensions that depend on the position alone, by the name of their formula."""
    layers: tuple[Layer, ...]
    output: Encoding
    limits: tuple[Limit, ...]


class Build:
    """A network while it is planned."""

    def __init__(self) -> None:
        self.dims: list[Dim] = []
        self.formulas: dict[int, str] = {}
        self.layers: list[Layer] = [Layer()]
        self.limits: list[Limit] = []
        self._formula_dims: dict[str, int] = {}
        self._units: dict[tuple[object, ...], dict[int, float]] = {}
        self.one = self.formula("one")

    def formula(self, name: str) -> Form:
        """A dimension that is a function of the position; see `network.positions`."""
        if name not in self._formula_dims:
            dim = self._formula_dims[name] = self.dim(name, "constants", START)
            self.formulas[dim] = name
        return unit(self._formula_dims[name])

    @property
    def sink(self) -> Form:
        """1 at the sink, the key in front of the first token, and 0 elsewhere."""
        return self.formula("sink")

    @property
    def position(self) -> Form:
        """i + 1 at position i, 0 at the sink."""
        return self.formula("position")

    def dim(self, name: str, variable: str, time: Time) -> int:
        """A new dimension."""
        self.dims.append(Dim(name, variable, time))
        return len(self.dims) - 1

    def time(self, forms: Iterable[Form]) -> Time:
        """When everything that the forms read has been written."""
        return max((self.dims[d].time for form in forms for d in form.weights), default=START)

    def units(self, name: str, variable: str, terms: Sequence[tuple[float, Form, Form]]) -> Form:
        """A new dimension that holds the sum of weight × ReLU(gate) × up."""
        times = [self.time((gate, up)) for _, gate, up in terms]
        layer, level = max(times)
        dim = self.dim(name, variable, (layer, level + 1))
        for (weight, gate, up), (at, behind) in zip(terms, times, strict=True):
            self._unit(at, behind, gate, up)[dim] = weight
        return unit(dim)

    def _unit(self, layer: int, level: int, gate: Form, up: Form) -> dict[int, float]:
        """The outputs of the unit that computes this; there is one of each."""
        key = (layer, level, gate.key, up.key)
        if key not in self._units:
            mlps = self.layers[layer].mlps
            mlps.extend([] for _ in range(level + 1 - len(mlps)))
            out = self._units[key] = {}
            mlps[level].append(Unit(gate, up, out))
        return self._units[key]

    def relu(self, name: str, variable: str, terms: Sequence[tuple[float, Form]]) -> Form:
        """As `units`, without gates."""
        return self.units(name, variable, [(w, gate, self.one) for w, gate in terms])

    def both(self, a: Form, b: Form) -> Form:
        """The input of a ReLU that is 1 where both are 1, and at most 0 where one is 0."""
        return total((a, b, -1.0 * self.one))

    def is_one(self, form: Form) -> bool:
        """Whether a form is the constant 1."""
        return form.key == self.one.key

    def head(
        self,
        variable: str,
        does: str,
        channels: Sequence[Channel],
        moves: Sequence[tuple[Form, str]],
        selector: int | None = None,
    ) -> tuple[Form, ...]:
        """A head that moves forms into new dimensions, which are given by name."""
        forms = [form for c in channels for form in (c.query, c.key)] + [form for form, _ in moves]
        layer = self.time(forms)[0] + 1
        self.layers.extend(Layer() for _ in range(layer + 1 - len(self.layers)))
        dims = [self.dim(name, variable, (layer, 0)) for _, name in moves]
        moved = tuple((form, dim) for (form, _), dim in zip(moves, dims, strict=True))
        self.layers[layer].heads.append(Head(variable, does, tuple(channels), moved, selector))
        return tuple(unit(dim) for dim in dims)

    def limit(self, limit: Limit) -> None:
        """Remember up to which length a piece is exact."""
        self.limits.append(limit)
