"""A program on its way into a network: what the rules of all primitives share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.analysis.values import Alphabet, Values, infer
from raspl.compiler.features import Basis, Vector, code_name, extended, is_two_valued
from raspl.compiler.names import node_names
from raspl.compiler.plan import Build, Code
from raspl.compiler.residual import Form, Scalar
from raspl.errors import RasplError
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Input, Node, Select


class Refused(RasplError):
    """A program has no network, with the reason and the place in its source."""

    def __init__(self, node: Node, reason: str, detail: str) -> None:
        inside = f" (inside of {node.origin.via})" if node.origin.via else ""
        super().__init__(f"{node.origin.span}: {detail}{inside}")
        self.reason = reason
        """The kind of refusal, in a few words that don't depend on the program."""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A code of a variable that some reader needs, as it was asked for first.

    A rule may pass it on to a variable that this one is a function of; the dimension is then named
    after the variable that was asked for.
    """

    variable: str
    values: Vector
    numbers: Vector

    @property
    def name(self) -> str:
        """What the dimension is called."""
        return code_name(self.variable, self.values, self.numbers)

    @property
    def code(self) -> Code:
        """Each value with its number."""
        return tuple(zip(self.values.tolist(), self.numbers.tolist(), strict=True))

    def changed(self, factor: int, by: int) -> Asked:
        """The code times a factor plus a constant, where that is what stands in the dimension."""
        return Asked(self.variable, self.values, factor * self.numbers + by)


Coder = Callable[[Vector, Asked], Form]
"""How an Int or Bool stands in the stream: it brings in a code that is not there yet."""
Rule = Callable[["Lowering", Any], "Coder | Scalar | None"]
"""What a primitive is in the stream; a selector is nothing there."""


class Lowering:
    """A program on its way into a network.

    Rules call `feature` and `scalar` for what they read, so that a network is built from its
    output backwards, and holds only what is asked for.
    """

    def __init__(
        self, graph: Graph, alphabet: Alphabet | None, rules: Mapping[type[Node], Rule]
    ) -> None:
        self.graph = graph
        self.values: Values = infer(graph, alphabet)
        self.build = Build()
        self.names = node_names(graph)
        self.selectors = [node for node in graph.nodes if isinstance(node, Select)]
        self.tokens: dict[str, dict[int, dict[int, float]]] = {
            node.name: {token: {} for token in self.values[node].tolist()}
            for node in graph.nodes
            if isinstance(node, Input) and node.type.is_int
        }
        """For each input that is looked at, what each of its tokens adds to which dimensions."""
        self._rules = rules
        self._bases: dict[Node, Basis] = {}
        self._encodings: dict[Node, Coder | Scalar | None] = {}

    def warnings(self) -> list[str]:
        """Operations that some input over the alphabet makes fail."""
        kinds = ((self.values.overflows, "may overflow"), (self.values.divides, "may divide by 0"))
        return [
            f"{node.origin.span}: `{self.names[node]}` {what}"
            for nodes, what in kinds
            for node in self.graph.nodes
            if node in nodes
        ]

    def feature(self, node: Node, code: Vector, asked: Asked | None = None) -> Form:
        """A code of an Int or Bool: an integer for each of its values, in their order."""
        values = self.values[node]
        if node not in self._bases:
            self._bases[node] = Basis(len(values), self.build.one)
        basis = self._bases[node]
        form = basis.read(code)
        if form is not None:
            return form
        low, high = int(code.min()), int(code.max())
        if (low, high) != (0, 1) and is_two_valued(code):
            # What tells two sets of values apart stands in the stream as 0 or 1.
            step = self.feature(node, (code == high).astype(np.int64))
            return float(low) * self.build.one + float(high - low) * step
        if asked is None:
            asked = Asked(self.names[node], values, code)
        coder = self._encoding(node)
        assert coder is not None
        assert not isinstance(coder, Scalar)
        form = coder(code, asked)
        basis.add(code, form)
        return form

    def known(self, node: Node, code: Vector) -> bool:
        """Whether a code can be read from what stands in the stream already."""
        basis = self._bases.get(node)
        return basis is not None and basis.read(code) is not None

    def member(self, node: Node, chosen: NDArray[np.bool_]) -> Form:
        """1 where the value is among the chosen ones, else 0."""
        return self.feature(node, chosen.astype(np.int64))

    def mapped(self, node: Node, x: Node, image: Vector) -> Coder:
        """A function of x: a code of it is a code of x. `image` has its value for each of x."""
        values = self.values[node]
        return lambda code, asked: self.feature(x, extended(values, code, image), asked)

    def scalar(self, node: Node) -> Scalar:
        """An Index or Count."""
        scalar = self._encoding(node)
        assert isinstance(scalar, Scalar)
        return scalar

    def _encoding(self, node: Node) -> Coder | Scalar | None:
        if node not in self._encodings:
            self._encodings[node] = self._rules[type(node)](self, node)
        return self._encodings[node]
