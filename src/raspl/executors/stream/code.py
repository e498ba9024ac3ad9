"""A program specialised to Python code: the straight line that runs once for each token.

The code is a generator. What heads remember lives in its local variables, which is the fastest
place that Python has; a token is sent in, the output at that position comes back. The text is
made from the checked graph alone: numbers of nodes, integers, and the operators of `scalar`. No
name or text of the program gets into it, so it is as safe to run as the graph is to read.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from raspl.analysis.predicates import Access, position_shift
from raspl.executors.stream.heads import write_aggr, write_width
from raspl.executors.stream.writer import Writer, expression, integer
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
    Value,
    Where,
)
from raspl.language.ir.scalar import Expr, Var
from raspl.language.ir.tables import Rules

Stream = Generator[Value, Any, None]
"""Takes a token, or a tuple of one for each input, and gives the output at that position."""


@dataclass(frozen=True, slots=True)
class Code:
    """A specialised program: its text, and how to start it."""

    text: str
    begin: Callable[[], Stream]

    def start(self) -> Stream:
        """A stream before its first token."""
        stream = self.begin()
        next(stream)
        return stream


def specialise(graph: Graph) -> Code:
    """The code of a program."""
    writer = Writer(graph)
    for node in graph.nodes:
        RULES[type(node)](writer, node)
    text = writer.text()
    namespace = writer.namespace
    exec(compile(text, "<specialised program>", "exec"), namespace)
    begin: Callable[[], Stream] = namespace["machine"]
    return Code(text, begin)


def _input(writer: Writer, node: Input) -> None:
    writer.names[node] = f"v{writer.number(node)}"


def _full(writer: Writer, node: Full) -> None:
    writer.names[node] = integer(node.value)


def _indices(writer: Writer, node: Indices) -> None:
    writer.names[node] = "position"


def _tok_map(writer: Writer, node: TokMap) -> None:
    x = writer.name(node.x)
    moved = position_shift(node)
    if moved is not None:
        # Cheap to say again, and often not needed: the keys of a look-up are never made.
        writer.names[node] = f"(position + {integer(moved)})"
        return
    text = expression(node.fn.body, (x,))
    if writer.is_nullable(node.x):
        text = f"None if {x} is None else {text}"
    writer.checked(node, text)


def _seq_map(writer: Writer, node: SeqMap) -> None:
    x, y = writer.name(node.x), writer.name(node.y)
    text = expression(node.fn.body, (x, y))
    nullable = [name for name, arg in ((x, node.x), (y, node.y)) if writer.is_nullable(arg)]
    if nullable and node.fn.comparison == "!=":
        text = " or ".join([*(f"{name} is None" for name in nullable), text])
    elif nullable:
        text = " and ".join([*(f"{name} is not None" for name in nullable), text])
    writer.checked(node, text)


def _where(writer: Writer, node: Where) -> None:
    c, a, b = (writer.name(arg) for arg in node.args)
    writer.assign(node, f"{a} if {c} else {b}")


def _select(writer: Writer, node: Select) -> None:
    """What the heads of a select share: the conditions, and the two sides of its comparison."""
    writer.guarded(node, lambda: _prepared(writer, node, writer.access(node)))


def _prepared(writer: Writer, node: Select, access: Access) -> None:
    number, params = writer.number(node), (writer.name(node.k), writer.name(node.q))
    for what, condition in (("keep", access.keep), ("ask", access.ask)):
        if condition is not None:
            writer.line(f"{what}{number} = {expression(condition, params)}")

    def side(name: str, expr: Expr) -> str:
        if isinstance(expr, Var):
            return params[expr.index]
        writer.line(f"{name}{number} = {expression(expr, params)}")
        return f"{name}{number}"

    writer.sides[node] = side("key", access.key), side("query", access.query)
    if access.table is not None:
        predicate = expression(access.table, ("k", "q"))
        writer.state(f"matches{number} = Matches(lambda k, q: {predicate})")
        key, query = params
        take, row = f"matches{number}.add({key})", f"matches{number}.row({query})"
        writer.line(take if access.keep is None else f"if keep{number}: {take}")
        writer.line(
            f"row{number} = " + (row if access.ask is None else f"{row} if ask{number} else ()")
        )


RULES: Rules[type[Node], Callable[[Writer, Any], None]] = Rules(
    "the stream executor",
    {
        Input: _input,
        Full: _full,
        Indices: _indices,
        TokMap: _tok_map,
        SeqMap: _seq_map,
        Where: _where,
        Select: _select,
        SelWidth: write_width,
        Aggr: write_aggr,
    },
)
