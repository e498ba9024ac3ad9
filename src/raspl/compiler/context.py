"""A program on its way into a network: what the rules of all primitives share."""

from __future__ import annotations

from collections.abc import Iterable

from raspl.analysis.values import Alphabet, Values, infer
from raspl.compiler.names import node_names
from raspl.compiler.plan import Build
from raspl.compiler.residual import MODULI, Encoding, Finite, Form, Scalar
from raspl.errors import RasplError
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Aggr, Node, Select, TokMap, Where

MOST_VALUES = 4096
"""Beyond this a one-hot variable makes a network that nobody can look at."""


class Refused(RasplError):
    """A program has no network, with the reason and the place in its source."""

    def __init__(self, node: Node, reason: str, detail: str) -> None:
        inside = f" (inside of {node.origin.via})" if node.origin.via else ""
        super().__init__(f"{node.origin.span}: {detail}{inside}")
        self.reason = reason
        """The kind of refusal, in a few words that don't depend on the program."""


class Lowering:
    """A program on its way into a network."""

    def __init__(self, graph: Graph, alphabet: Alphabet | None) -> None:
        self.graph = graph
        self.values: Values = infer(graph, alphabet)
        self.build = Build()
        self.names = node_names(graph)
        self.selectors = [node for node in graph.nodes if isinstance(node, Select)]
        self.compared = _compared_in_selects(graph)
        self.tokens: dict[str, dict[int, dict[int, float]]] = {}
        self._encodings: dict[Node, Encoding] = {}

    def warnings(self) -> list[str]:
        """Operations that some input over the alphabet makes fail."""
        kinds = ((self.values.overflows, "may overflow"), (self.values.divides, "may divide by 0"))
        return [
            f"{node.origin.span}: `{self.names[node]}` {what}"
            for nodes, what in kinds
            for node in self.graph.nodes
            if node in nodes
        ]

    def record(self, node: Node, encoding: Encoding) -> None:
        """Remember how a node stands in the stream, without values that no input reaches."""
        if isinstance(encoding, Finite):
            reached = set(self.values[node].tolist())
            pairs = zip(encoding.values, encoding.forms, strict=True)
            kept = [(value, form) for value, form in pairs if value in reached]
            encoding = Finite(tuple(v for v, _ in kept), tuple(form for _, form in kept))
        self._encodings[node] = encoding

    def encoding(self, node: Node) -> Encoding:
        """How a node stands in the stream."""
        return self._encodings[node]

    def finite(self, node: Node) -> Finite:
        """An Int or Bool that was encoded before."""
        encoding = self._encodings[node]
        assert isinstance(encoding, Finite)
        return encoding

    def scalar(self, node: Node) -> Scalar:
        """An Index or Count that was encoded before."""
        encoding = self._encodings[node]
        assert isinstance(encoding, Scalar)
        return encoding

    def member(self, x: Finite, chosen: Iterable[int]) -> Form:
        """1 where x is among the chosen values, read from as few dimensions as possible."""
        wanted = set(chosen)
        others = [v for v in x.values if v not in wanted]
        if len(others) < len(x.values) / 2:
            return self.build.one - x.of(others) if others else self.build.one
        return x.of(wanted)

    def constant(self, value: int) -> Finite:
        """The same value everywhere."""
        return Finite((value,), (self.build.one,))

    def one_hot(self, values: Iterable[int], known: dict[int, Form], rest: int) -> Finite:
        """A variable whose value is `rest` where it is none of the known ones."""
        forms = dict(known)
        forms[rest] = self.build.one - Finite(tuple(known), tuple(known.values())).of(known)
        listed = tuple(v for v in values if v in forms)
        return Finite(listed, tuple(forms[v] for v in listed))

    def residue_names(self, variable: str) -> list[list[str]]:
        """Names for the dimensions that hold the remainders of an index."""
        return [[f"{variable} ≡ {r} (mod {m})" for r in range(m)] for m in MODULI]

    def index_residues(self) -> tuple[tuple[Form, ...], ...]:
        """The remainders of the position, which come with it by formula."""
        names = self.residue_names("index")
        return tuple(tuple(self.build.formula(name) for name in group) for group in names)


def _compared_in_selects(graph: Graph) -> frozenset[Node]:
    """The indices that a select compares, or that flow into one: they need remainders."""
    needed: set[Node] = set()
    for node in reversed(graph.nodes):
        if isinstance(node, Select) and node.fn.comparison == "==" and node.k.type.is_index:
            needed.update(node.args)
        elif node in needed and isinstance(node, TokMap | Where | Aggr):
            needed.update(arg for arg in node.args if arg.type.is_index)
    return frozenset(needed)
