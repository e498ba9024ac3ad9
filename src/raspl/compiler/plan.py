"""What a network will consist of, before there are tensors: heads and units over named dimensions.

`Build` collects the pieces in any order; `Build.layers` then places each as early as what it reads
allows. A head that reads what the l-th attention layer and any MLPs behind it wrote stands in
attention layer l + 1; so heads are scheduled by parallel depth, and independent ones share a layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from raspl.compiler.bounds import Limit
from raspl.compiler.residual import START, Dim, Form, Output, Time, total, unit

Code = tuple[tuple[int, int], ...]


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
    moves: Sequence[tuple[Form, int]]
    """What is read at the attended position, and the dimension that it is added to."""
    selector: int | None = None
    """The number of the program's selector, among all of them."""

    @property
    def reads(self) -> list[Form]:
        """Every form that the head reads."""
        sides = [form for channel in self.channels for form in (channel.query, channel.key)]
        return sides + [form for form, _ in self.moves]


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
    output: Output
    limits: tuple[Limit, ...]


class Build:
    """A network while it is planned."""

    def __init__(self) -> None:
        self.dims: list[Dim] = []
        self.formulas: dict[int, str] = {}
        self.limits: list[Limit] = []
        self._heads: list[Head] = []
        self._units: dict[tuple[object, ...], Unit] = {}
        self._outs: dict[tuple[object, ...], dict[int, float]] = {}
        self._formula_dims: dict[str, int] = {}
        self._names: dict[str, int] = {}
        self.one = self.formula("one")

    def formula(self, name: str) -> Form:
        """A dimension that is a function of the position; see `positions`."""
        if name not in self._formula_dims:
            dim = self._formula_dims[name] = self.dim(name, "constants")
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

    def dim(self, name: str, variable: str, code: Code = ()) -> int:
        """A new dimension, under a name of its own."""
        count = self._names[name] = self._names.get(name, 0) + 1
        self.dims.append(Dim(name if count == 1 else f"{name} ({count})", variable, code))
        return len(self.dims) - 1

    def units(
        self, name: str, variable: str, terms: Sequence[tuple[float, Form, Form]], code: Code = ()
    ) -> Form:
        """A new dimension that holds the sum of weight × ReLU(gate) × up."""
        dim = self.dim(name, variable, code)
        for weight, gate, up in terms:
            key = gate.key, up.key
            if key not in self._units:
                self._outs[key] = {}
                self._units[key] = Unit(gate, up, self._outs[key])
            out = self._outs[key]
            out[dim] = out.get(dim, 0.0) + weight
        return unit(dim)

    def relu(
        self, name: str, variable: str, terms: Sequence[tuple[float, Form]], code: Code = ()
    ) -> Form:
        """As `units`, without gates."""
        return self.units(name, variable, [(w, gate, self.one) for w, gate in terms], code)

    def both(self, a: Form, b: Form) -> Form:
        """The input of a ReLU that is 1 where both are 1, and at most 0 where one is 0."""
        return total((a, b, -1.0 * self.one))

    def is_one(self, form: Form) -> bool:
        """Whether a form is the constant 1."""
        return form.key == self.one.key

    def head(
        self, variable: str, does: str, channels: Sequence[Channel], selector: int | None = None
    ) -> Head:
        """A head that moves nothing as yet."""
        head = Head(variable, does, tuple(channels), [], selector)
        self._heads.append(head)
        return head

    def move(self, head: Head, form: Form, name: str, variable: str, code: Code = ()) -> Form:
        """A new dimension, into which the head moves a form."""
        assert isinstance(head.moves, list)
        dim = self.dim(name, variable, code)
        head.moves.append((form, dim))
        return unit(dim)

    def limit(self, limit: Limit) -> None:
        """Remember up to which length a piece is exact."""
        self.limits.append(limit)

    def layers(self) -> tuple[Layer, ...]:
        """Every head and unit in its place."""
        units = [each for each in self._units.values() if each.out]
        heads = [_Piece(_dims(h.reads), [dim for _, dim in h.moves], True) for h in self._heads]
        hidden = [_Piece(_dims((each.gate, each.up)), list(each.out), False) for each in units]
        order = sorted([*heads, *hidden], key=lambda piece: min(piece.writes, default=0))
        times = _times(len(self.dims), order)
        layers = [Layer()]
        for head, piece in zip(self._heads, heads, strict=True):
            number = piece.ready(times)[0] + 1
            layers.extend(Layer() for _ in range(number + 1 - len(layers)))
            layers[number].heads.append(head)
        for each, piece in zip(units, hidden, strict=True):
            number, level = piece.ready(times)
            layers.extend(Layer() for _ in range(number + 1 - len(layers)))
            mlps = layers[number].mlps
            mlps.extend([] for _ in range(level + 1 - len(mlps)))
            mlps[level].append(each)
        return tuple(layers)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A head or a unit as the dimensions that it reads and writes."""

    reads: Sequence[int]
    writes: Sequence[int]
    is_head: bool

    def ready(self, times: Sequence[Time]) -> Time:
        """When everything that it reads has been written."""
        return max([times[dim] for dim in self.reads], default=START)


def _dims(forms: Iterable[Form]) -> list[int]:
    found: set[int] = set()
    for form in forms:
        found.update(form.weights)
    return list(found)


def _times(count: int, pieces: Sequence[_Piece]) -> list[Time]:
    """When each dimension is complete: the longest way to it, by relaxation.

    Dimensions are made after what they are made of, but for what a head moves besides. So in the
    order of what the pieces write a round settles nearly all of them.
    """
    times = [START] * count
    changed = True
    while changed:
        changed = False
        for piece in pieces:
            layer, level = piece.ready(times)
            time = (layer + 1, 0) if piece.is_head else (layer, level + 1)
            for dim in piece.writes:
                if times[dim] < time:
                    times[dim] = time
                    changed = True
    return times
