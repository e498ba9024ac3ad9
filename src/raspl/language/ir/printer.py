"""From a graph back to source: one line an operation, in evaluation order.

The text is a file of its own that parses to the same graph, so that a program that was made by a
machine (a random one, a counterexample, the find of a search) can be read, kept and run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import (
    CORE,
    Aggr,
    Full,
    Indices,
    Input,
    Node,
    Select,
    SelWidth,
    SeqMap,
    TokMap,
    Where,
)
from raspl.language.ir.scalar import NAMED
from raspl.language.ir.tables import Rules
from raspl.language.vocabulary import literal_text

DEFAULT_BITS = 8
CORE_NAME: dict[type[Node], str] = {declared.maker: name for name, declared in CORE.items()}


class Names:
    """Names for the lines of one program that hide neither its inputs nor the core."""

    def __init__(self, graph: Graph) -> None:
        self._inputs = {node.name for node in graph.inputs}
        self.core = {name: self._free(name) for name in CORE}
        # A program that is named like a function it calls would call itself.
        self.program = graph.name + "_" * (graph.name in {*CORE, *NAMED})
        self.first_input = graph.inputs[0].name
        prefix = self._free("v")
        while any(name.startswith(prefix) for name in self._inputs):
            prefix += "_"
        self.nodes: dict[Node, str] = {
            node: node.name if isinstance(node, Input) else f"{prefix}{number}"
            for number, node in enumerate(graph.nodes)
        }

    def _free(self, name: str) -> str:
        while name in self._inputs:
            name += "_"
        return name

    def call(self, node: Node) -> str:
        """The call that makes a node."""
        sequences = [self.nodes[arg] for arg in node.args]
        arguments = RULES[type(node)](node, self.first_input, sequences)
        return f"{self.core[CORE_NAME[type(node)]]}({', '.join(arguments)})"


Arguments = Callable[[Any, str, list[str]], list[str]]
"""The arguments of the call that makes a node, from a sequence of the program's length and the
names of what the node is computed from."""
RULES: Rules[type[Node], Arguments] = Rules(
    "the printer",
    {
        Full: lambda node, x, args: [x, literal_text(node.value)],
        Indices: lambda node, x, args: [x],
        TokMap: lambda node, x, args: [*args, str(node.fn)],
        SeqMap: lambda node, x, args: [*args, str(node.fn)],
        Where: lambda node, x, args: args,
        Select: lambda node, x, args: [*args, node.fn.show("kq")],
        SelWidth: lambda node, x, args: args,
        Aggr: lambda node, x, args: [
            *args, f"default={literal_text(node.default)}", f"reduction={node.reduction!r}",
        ],
    },
)  # fmt: skip


def to_source(graph: Graph) -> str:
    """The text of a file with this one program."""
    names = Names(graph)
    lines = [
        f"    {names.nodes[node]} = {names.call(node)}"
        for node in graph.nodes
        if not isinstance(node, Input)
    ]
    parameters = ", ".join(f"{node.name}: {node.type.kind}" for node in graph.inputs)
    width = "" if graph.bits == DEFAULT_BITS else f"(bits={graph.bits})"
    return "\n".join(
        [
            f"from raspl import {', '.join(_imports(graph, names))}",
            "",
            *([] if graph.vocabulary is None else [graph.vocabulary.to_source(), ""]),
            "",
            f"@program{width}",
            f"def {names.program}({parameters}):",
            *lines,
            f"    return {names.nodes[graph.output]}",
            "",
        ]
    )


def _imports(graph: Graph, names: Names) -> Iterable[str]:
    used = {CORE_NAME[type(node)] for node in graph.nodes if not isinstance(node, Input)}
    yield "program"
    yield from sorted({node.type.kind for node in graph.inputs})
    for name in sorted(used):
        alias = names.core[name]
        yield name if alias == name else f"{name} as {alias}"


def shape(graph: Graph) -> tuple[object, ...]:
    """All of a graph but the places in the source: equal shapes are the same program."""
    number = {node: index for index, node in enumerate(graph.nodes)}
    nodes = tuple(
        (type(node).__name__, node.type, tuple(number[a] for a in node.args), node.attributes)
        for node in graph.nodes
    )
    inputs = tuple((node.name, node.type) for node in graph.inputs)
    return graph.bits, inputs, nodes
