"""What a name is: its signature, its type, the values that it can take, and where it comes from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from raspl.analysis import values
from raspl.assist.names import Symbol, language_names, names_at
from raspl.language.ir.graph import Graph, Named
from raspl.language.ir.primitives import Select
from raspl.language.ir.tokens import token_nodes
from raspl.language.source import Source
from raspl.loading import check_source
from raspl.program import Program
from raspl.words import span

_NAME = re.compile(r"[^\W\d]\w*")
MOST_VALUES = 8
"""Values that are listed one by one."""
CELLS = 1 << 12
"""Tables of the value inference: a hover is worth less time than a compilation."""


def hover(text: str, line: int, column: int, folder: Path | None = None) -> dict[str, Any] | None:
    """What stands at a place: `name`, `kind`, `signature`, `doc`; for a sequence of a legal program
    its `type` and the `values` it can take in words; and the columns `from` and `to` of the name.
    `folder` is where the files beside the text are.
    """
    found = _name_at(text, line, column)
    if found is None:
        return None
    name, start, end = found
    symbol = names_at(text, line + 1).get(name) or language_names().get(name)
    if symbol is None:
        return None
    type_, reach = _typed(Source(text, folder=folder), symbol, line)
    return {**symbol.as_json(), "type": type_, "values": reach, "from": start, "to": end}


def definition(text: str, line: int, column: int) -> dict[str, int] | None:
    """Where the text defines the name at a place: `line`, and the columns `from` and `to`."""
    found = _name_at(text, line, column)
    if found is None:
        return None
    above, here = names_at(text, line), names_at(text, line + 1)
    symbol = above.get(found[0]) or here.get(found[0])
    if symbol is None or not symbol.line:
        return None
    written = text.split("\n")[symbol.line - 1]
    match = re.search(rf"\b{re.escape(symbol.name)}\b", written)
    start = match.start() + 1 if match else 1
    return {"line": symbol.line, "from": start, "to": start + len(symbol.name)}


def _name_at(text: str, line: int, column: int) -> tuple[str, int, int] | None:
    lines = text.split("\n")
    if not 0 < line <= len(lines):
        return None
    for match in _NAME.finditer(lines[line - 1]):
        if match.start() < column <= match.end() + 1:
            return match[0], match.start() + 1, match.end() + 1
    return None


def _typed(source: Source, symbol: Symbol, line: int) -> tuple[str, str]:
    """The type and the values of a parameter or a variable, where the program is legal."""
    if symbol.kind not in ("parameter", "variable"):
        return "", ""
    for program in check_source(source).programs.values():
        if program.first_line <= line < program.first_line + program.source.count("\n") + 1:
            return _of_program(program, symbol.name, line)
    return "", ""


def _of_program(program: Program, name: str, line: int) -> tuple[str, str]:
    if program.open_literals:
        return "", ""
    graph = program.graph
    named = [Named(node.name, node, 0) for node in graph.inputs] + list(graph.names)
    # A name may be given again; here it means what the last line so far made it.
    fitting = [each for each in named if each.name == name and each.line <= line]
    if not fitting:
        return "", ""
    node = max(fitting, key=lambda each: each.line).node
    return str(node.type), "" if isinstance(node, Select) else _values(graph, node)


def _values(graph: Graph, node: Any) -> str:
    # A program that names its tokens reads these and no others.
    alphabet = None if graph.vocabulary is None else sorted(graph.vocabulary.numbers.values())
    inferred = values.infer(graph, alphabet, limit=CELLS)
    if node not in inferred.sets:
        if not node.type.is_index:
            return ""
        what = "a count" if node.type.kind == "Count" else "a position"
        return f"{what} or None" if node in inferred.nullable else what
    found = inferred.sets[node]
    if len(found) == 0:
        return "none: every input fails before"
    names = graph.vocabulary if node in token_nodes(graph) else None
    if len(found) <= MOST_VALUES:
        return ", ".join(
            str(value) if names is None else names.show(value) for value in found.tolist()
        )
    if names is not None and alphabet is not None and len(found) == len(alphabet):
        return f"any token: {names.listed()}"
    low, high = int(found[0]), int(found[-1])
    gaps = "" if len(found) == high - low + 1 else f", {len(found)} values of these"
    return span(low, high) + gaps
