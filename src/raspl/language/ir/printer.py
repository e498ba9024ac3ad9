"""From a graph back to source: one line an operation, in evaluation order.

The text is a file of its own that parses to the same graph, so that a program that was made by a
machine (a random one, a counterexample, the find of a search) can be read, kept and run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import (
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
from raspl.language.parsing.scope import CORE, SCALARS

DEFAULT_BITS = 8


class Names:
    """Names for the lines of one program that hide neither its inputs nor the core."""

    def __init__(self, graph: Graph) -> None:
        self._inputs = {node.name for node in graph.inputs}
        self.core = {name: self._free(name) for name in CORE}
        # A program that is named like a function it calls would call itself.
        self.program = graph.name + "_" * (graph.name in {*CORE, *SCALARS})
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

    def call(self, function: str, *arguments: str) -> str:
        """A call of a core function."""
        return f"{self.core[function]}({', '.join(arguments)})"

    def args(self, node: Node) -> list[str]:
        """The names of what a node is computed from."""
        return [self.nodes[arg] for arg in node.args]


def _aggr(node: Aggr, names: Names) -> str:
    arguments = [*names.args(node), f"default={node.default}", f"reduction={node.reduction!r}"]
    return names.call("aggr", *arguments)


RULES: dict[type[Node], Callable[[Any, Names], str]] = {
    Full: lambda node, names: names.call("full", names.first_input, str(node.value)),
    Indices: lambda node, names: names.call("indices", names.first_input),
    TokMap: lambda node, names: names.call("tok_map", *names.args(node), str(node.fn)),
    SeqMap: lambda node, names: names.call("seq_map", *names.args(node), str(node.fn)),
    Where: lambda node, names: names.call("where", *names.args(node)),
    Select: lambda node, names: names.call("select", *names.args(node), node.fn.show("kq")),
    SelWidth: lambda node, names: names.call("sel_width", *names.args(node)),
    Aggr: _aggr,
}


def to_source(graph: Graph) -> str:
    """The text of a file with this one program."""
    names = Names(graph)
    lines = [
        f"    {names.nodes[node]} = {RULES[type(node)](node, names)}"
        for node in graph.nodes
        if not isinstance(node, Input)
    ]
    parameters = ", ".join(f"{node.name}: {node.type.kind}" for node in graph.inputs)
    width = "" if graph.bits == DEFAULT_BITS else f"(bits={graph.bits})"
    return "\n".join(
        [
            f"from raspl import {', '.join(_imports(graph, names))}",
            "",
            "",
            f"@program{width}",
            f"def {names.program}({parameters}):",
            *lines,
            f"    return {names.nodes[graph.output]}",
            "",
        ]
    )


def _imports(graph: Graph, names: Names) -> Iterable[str]:
    words = {"TokMap": "tok_map", "SeqMap": "seq_map", "SelWidth": "sel_width"}
    used = {words.get(type(n).__name__, type(n).__name__.lower()) for n in graph.nodes}
    yield "program"
    yield from sorted({node.type.kind for node in graph.inputs})
    for name in sorted(used & set(CORE)):
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
