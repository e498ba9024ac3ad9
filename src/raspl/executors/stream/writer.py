"""The text of a specialised program while it is written: names, state, lines and guards."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from raspl.analysis.predicates import Access, access_of
from raspl.analysis.values import Values, infer
from raspl.executors.reference import RunError, division, overflow
from raspl.executors.stream import memory
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Node, Select, Value
from raspl.language.ir.scalar import OPERATORS, Expr, Lit, Var
from raspl.language.ir.types import int_range

TEMPLATES = {name: known.template for name, known in OPERATORS.items()}


def expression(expr: Expr, params: tuple[str, ...]) -> str:
    """The Python text of a scalar expression."""
    if isinstance(expr, Lit):
        return integer(expr.value)
    if isinstance(expr, Var):
        return params[expr.index]
    return TEMPLATES[expr.name].format(*(expression(arg, params) for arg in expr.args))


def integer(value: Value) -> str:
    """The Python text of a literal."""
    if value is None:
        return "None"
    # In base 16, since Python refuses to print very long integers in base 10.
    text = f"{value:#x}" if abs(value) > 1 << 64 else f"{value:d}"
    return text if value >= 0 else f"({text})"


class Writer:
    """The code of one program while it is written."""

    def __init__(self, graph: Graph) -> None:
        self.values: Values = infer(graph, limit=1 << 12)
        self.names: dict[Node, str] = {}
        self.sides: dict[Node, tuple[str, str]] = {}
        """For each select that compares: the texts of its two sides."""
        self._graph = graph
        self._number = {node: number for number, node in enumerate(graph.nodes)}
        self._access: dict[Node, Access] = {}
        self._state: list[str] = []
        self._lines: list[str] = []
        self._columns: set[Node] = set()
        nodes, bits = graph.nodes, graph.bits

        def overflown(number: int, position: int, value: int) -> RunError:
            return overflow(nodes[number], position, int(value), bits)

        def divided(number: int, position: int) -> RunError:
            return division(nodes[number], position)

        self.namespace: dict[str, Any] = {
            "__builtins__": {
                "abs": abs, "min": min, "max": max, "ZeroDivisionError": ZeroDivisionError,
            },
            "overflown": overflown,
            "divided": divided,
            "added": operator.add,
            "mean": memory.mean,
            "gathered": memory.gathered,
            "OrderTree": memory.OrderTree,
            "Others": memory.Others,
            "Matches": memory.Matches,
        }  # fmt: skip

    def number(self, node: Node) -> int:
        """The place of a node in the graph, by which the code calls it."""
        return self._number[node]

    def name(self, node: Node) -> str:
        """The text that stands for the value of a node at the current position."""
        return self.names[node]

    def access(self, select: Select) -> Access:
        """How the keys of a select are found."""
        if select not in self._access:
            self._access[select] = access_of(select, self._graph.bits)
        return self._access[select]

    def is_nullable(self, node: Node) -> bool:
        """Whether a node may be None."""
        return node in self.values.nullable

    def state(self, *lines: str) -> None:
        """What is set up before the first token."""
        self._state += lines

    def line(self, *lines: str) -> None:
        """What runs at each token."""
        self._lines += lines

    def assign(self, node: Node, text: str) -> None:
        """Give a node its value."""
        name = self.names[node] = f"v{self.number(node)}"
        self.line(f"{name} = {text}")

    def checked(self, node: Node, text: str) -> None:
        """Give a node its value, with the errors that are possible and no others."""
        self.guarded(node, lambda: self.assign(node, text))
        if node in self.values.overflows:
            low, high = int_range(self._graph.bits)
            name = self.name(node)
            self.line(f"if not {low} <= {name} <= {high}:")
            self.line(f" raise overflown({self.number(node)}, position, {name})")

    def guarded(self, node: Node, write: Callable[[], None]) -> None:
        """Write lines in which a division by zero is an error at this node."""
        start = len(self._lines)
        write()
        # A select whose predicate leaves nothing to evaluate leaves nothing to guard either.
        if node not in self.values.divides or len(self._lines) == start:
            return
        self._lines[start:] = [f" {line}" for line in self._lines[start:]]
        self._lines.insert(start, "try:")
        self.line("except ZeroDivisionError:")
        self.line(f" raise divided({self.number(node)}, position) from None")

    def column(self, node: Node) -> str:
        """The list of all values of a node so far, kept once for all look-ups into it."""
        name = f"column{self.number(node)}"
        if node not in self._columns:
            self._columns.add(node)
            self.state(f"{name} = []")
            self.line(f"{name}.append({self.name(node)})")
        return name

    def text(self) -> str:
        """The whole generator."""
        tokens = [self.names.get(node, "_") for node in self._graph.inputs]
        output = self.name(self._graph.output)
        if self._graph.output.type.is_int:
            # A comparison is True or False in Python; outside it is an integer.
            output = f"+{output}"
        step = [f"{', '.join(tokens)} = yield output", "position += 1"]
        step += [*self._lines, f"output = {output}"]
        state = [*self._state, "position = -1", "output = None", "while True:"]
        return "\n".join(
            ["def machine():", *(f" {line}" for line in state), *(f"  {line}" for line in step), ""]
        )
