"""What stands between two named values: the steps of library calls, one operation each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

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
from raspl.language.ir.printer import CORE_NAME
from raspl.language.parsing.scope import library
from raspl.trace.recording import Trace

MOST_STEPS = 40
"""Of one row: more are read nowhere."""


def steps(trace: Trace, node: Node, rows: Mapping[Node, int], count: int) -> list[dict[str, Any]]:
    """The operations that make a row out of the rows above it, in the order of evaluation.

    Each has a label in the words of the program, the library function that it stands in, its type,
    and its values at so many positions, or the number of its selector. A row that takes one
    operation has nothing inside.
    """
    selectors: dict[Node, int] = {each.node: number for number, each in enumerate(trace.selections)}
    found = _between(node, rows)
    order = [each for each in trace.graph.nodes if each in found]
    if len(order) < 2:
        return []
    return [_step(trace, each, selectors, count) for each in order[-MOST_STEPS:]]


def _between(node: Node, rows: Mapping[Node, int]) -> set[Node]:
    """The nodes that a row is made of and that have no row of their own, and itself."""
    found: set[Node] = set()
    todo = [node]
    while todo:
        part = todo.pop()
        if part not in found and (part is node or part not in rows):
            found.add(part)
            todo.extend(part.args)
    return {each for each in found if not isinstance(each, Input | Full | Indices) or each is node}


def _step(trace: Trace, node: Node, selectors: Mapping[Node, int], count: int) -> dict[str, Any]:
    drawn = selectors.get(node)
    return {
        "label": _label(trace, node),
        "via": node.origin.via,
        "type": str(node.type),
        "values": None if drawn is not None else list(trace.values[node][:count]),
        "selector": drawn,
    }


def _label(trace: Trace, node: Node) -> str:
    """The operation itself, with what it reads by name."""
    match node:
        case Select():
            return next(each.label for each in trace.selections if each.node is node)
        case Aggr():
            default = "" if node.default is None else f", default={node.default}"
            return f"aggr(…, {trace.describe(node.v)}{default}, {node.reduction})"
        case SelWidth():
            return "sel_width(…)"
        case Where():
            return f"where({', '.join(trace.describe(arg) for arg in node.args)})"
        case TokMap() | SeqMap():
            return trace.expression(node)
    return f"{CORE_NAME.get(type(node), 'input')}(…)"


def sources(trace: Trace) -> dict[str, str]:
    """The text of each library function that the program goes through."""
    known = library()
    used = {node.origin.via for node in trace.graph.nodes}
    # A function that only calls others makes no operation of its own.
    used |= {word for line in trace.text for word in re.findall(r"\w+", line)}
    return {name: _body(known[name]) for name in sorted(used & known.keys())}


def _body(definition: Any) -> str:
    """A library function without its docstring."""
    lines = definition.source.lines
    first, *body = definition.node.body
    begin = body[0].lineno if body else first.lineno
    head = lines[definition.node.lineno - 1]
    return "\n".join([head, *lines[begin - 1 : definition.node.end_lineno]])
