"""A trace in the terminal: one column a position, selectors as grids.

The layout is made once, of pieces of text with a role; plain text drops the roles, a rich console
paints them.
"""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from raspl.trace.recording import MAX_GRID, Column, Selection, Trace
from raspl.words import counted

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

Role = Literal[
    "title", "quiet", "name", "type", "token", "value", "true", "none", "new", "on", "error"
]
Line = list[tuple[str, Role]]

SELECTED, PASSED = "■", "·"
STYLES: dict[Role, str] = {
    "title": "bold",
    "quiet": "dim",
    "name": "bold cyan",
    "type": "magenta",
    "token": "bold yellow",
    "value": "",
    "true": "bold",
    "none": "dim",
    "new": "bold green",
    "on": "green",
    "error": "bold red",
}


def plain(trace: Trace, selectors: bool = False, width: int | None = None) -> str:
    """The whole trace as text, no line of it wider than `width` where that is possible."""
    columns = shutil.get_terminal_size((100, 24)).columns if width is None else width
    lines = layout(trace, selectors, columns)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


@dataclass(frozen=True, slots=True)
class Coloured:
    """A trace that a rich console paints, as wide as that console is."""

    trace: Trace
    selectors: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        for line in layout(self.trace, self.selectors, options.max_width):
            pieces = [(text, STYLES[role]) for text, role in line]
            yield Text.assemble(*pieces, no_wrap=True, overflow="ignore")


def layout(trace: Trace, selectors: bool, width: int) -> Iterator[Line]:
    """Title, table, selectors and the error if there is one."""
    yield _title(trace)
    margin = _Margin(trace.columns)
    inputs = len(trace.inputs)
    rows = [
        *(row for i in range(inputs) for row in _token_rows(trace, i, margin)),
        *(_value_row(column, margin) for column in trace.columns[inputs:]),
    ]
    total = max(len(row.cells) for row in rows)
    numbers = _Row(margin.heading(), [str(i) for i in range(total)], ["quiet"] * total)
    yield from _blocks([numbers, *rows], margin.width, width, trace.prompt)
    for selection in trace.selections:
        if selection.name or selectors:
            yield []
            yield from _grid(trace, selection, width)
    if trace.failure is not None:
        yield []
        yield [(f"stopped at position {trace.failure.position}: {trace.failure}", "error")]


def _title(trace: Trace) -> Line:
    # As many as the table has columns: a generation ends with a token that is not read any more.
    count, noun = trace.length, "position"
    if trace.prompt is not None:
        count, noun = len(trace.inputs[0][: trace.length + 1]), "token"
    parts = [f"{trace.graph.bits}-bit", counted(count, noun)]
    if trace.prompt is not None:
        parts.append(f"{len(trace.inputs[0]) - trace.prompt} written after {trace.prompt}")
    return [(trace.graph.name, "title"), ("  " + " · ".join(parts), "quiet")]


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a table before it is cut into blocks."""

    margin: Line
    cells: Sequence[str]
    roles: Sequence[Role]
    optional: bool = False
    """Left out of a block in which it has nothing to say."""


class _Margin:
    """What stands left of the values: source line, name and type."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._line = max(len("line"), *(len(str(column.line)) for column in columns))
        self._name = max(len("name"), *(_width(column.name) for column in columns))
        self._type = max(len("type"), *(len(str(column.type)) for column in columns))
        self.width = self._line + self._name + self._type + 4

    def heading(self) -> Line:
        return self._of("line", "name", "type", "quiet", "quiet")

    def of(self, column: Column) -> Line:
        return self._of(str(column.line), column.name, str(column.type), "name", "type")

    def blank(self) -> Line:
        return [(" " * self.width, "quiet")]

    def _of(self, line: str, name: str, type_: str, name_role: Role, type_role: Role) -> Line:
        return [
            (_right(line, self._line) + "  ", "quiet"),
            (_left(name, self._name) + "  ", name_role),
            (_left(type_, self._type), type_role),
        ]


def _token_rows(trace: Trace, index: int, margin: _Margin) -> Iterator[_Row]:
    """An input: tokens by name, or under what the program's constants call them."""
    # One more token than values: the last that was written, or the one that could not be read.
    tokens = trace.inputs[index][: trace.length + 1]
    given = len(tokens) if trace.prompt is None else trace.prompt
    roles: list[Role] = ["token" if i < given else "new" for i in range(len(tokens))]
    column = trace.columns[index]
    names = [trace.token_name(token) for token in tokens]
    if any(names) and column.vocabulary is None:
        yield _Row(margin.blank(), names, roles, optional=True)
    yield _Row(margin.of(column), [column.show(token) for token in tokens], roles)


def _value_row(column: Column, margin: _Margin) -> _Row:
    cells = [column.show(value) for value in column.values]
    return _Row(margin.of(column), cells, [_role(column, value) for value in column.values])


def _role(column: Column, value: int | None) -> Role:
    if value is None:
        return "none"
    if column.type.kind == "Bool":
        return "true" if value else "none"
    return "value"


def _blocks(
    rows: Sequence[_Row], margin: int, width: int, prompt: int | None = None
) -> Iterator[Line]:
    """The table in blocks of positions that fit the width, each with the margin again."""
    total = max(len(row.cells) for row in rows)
    widths = [max(_width(_cell(row, i)[0]) for row in rows) for i in range(total)]
    for start, end in _cuts(widths, max(width - margin - 2, 1)):
        if start:
            yield []
        for row in rows:
            if row.optional and not any(row.cells[start:end]):
                continue
            yield [*row.margin, (" │", "quiet"), *_cells(row, widths, start, end, prompt)]


def _cells(
    row: _Row, widths: Sequence[int], start: int, end: int, prompt: int | None
) -> Iterator[tuple[str, Role]]:
    for i in range(start, end):
        text, role = _cell(row, i)
        # The second bar parts what was given from what the program wrote.
        yield ("│" if i == prompt and i > start else " "), "quiet"
        yield _right(text, widths[i]), role


def _cell(row: _Row, i: int) -> tuple[str, Role]:
    return (row.cells[i], row.roles[i]) if i < len(row.cells) else ("", "quiet")


def _cuts(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Stretches of columns that fit the room, a space before each; at least one in each."""
    start, used = 0, 0
    for i, width in enumerate(widths):
        if i > start and used + width + 1 > room:
            yield start, i
            start, used = i, 0
        used += width + 1
    yield start, len(widths)


def _grid(trace: Trace, selection: Selection, width: int) -> Iterator[Line]:
    """Queries down, keys across; nothing above the diagonal, since no query sees a later key."""
    yield [(selection.title, "title")]
    node, count = selection.node, len(selection.rows)
    if count > MAX_GRID:
        yield [(f"not drawn: there are more than {MAX_GRID} positions", "quiet")]
        return
    keys = [trace.show(node.k, value) for value in trace.values[node.k]]
    queries = [trace.show(node.q, value) for value in trace.values[node.q]]
    places = [str(i) for i in range(count)]
    place = max(len("position"), *(len(text) for text in places), 0)
    value = max(len("queries"), *(_width(text) for text in queries), 0)
    margin = place + 2 + value

    def side(left: str, right: str, role: Role) -> Line:
        return [(_right(left, place) + "  ", "quiet"), (_right(right, value), role)]

    widths = [max(_width(keys[i]), len(places[i])) for i in range(count)]
    for start, end in _cuts(widths, max(width - margin - 2, 1)):
        if start:
            yield []
        rows = [
            _Row(side("position", "", "quiet"), places, ["quiet"] * count),
            _Row(side("", "keys", "quiet"), keys, ["value"] * count),
            _Row(side("", "queries", "quiet"), [""] * count, ["quiet"] * count),
        ]
        for i in range(start, count):
            row = selection.rows[i]
            cells = [SELECTED if chosen else PASSED for chosen in row]
            roles: list[Role] = ["on" if chosen else "none" for chosen in row]
            rows.append(_Row(side(places[i], queries[i], "value"), cells, roles))
        for line in rows:
            yield [*line.margin, (" │", "quiet"), *_cells(line, widths, start, end, None)]


def _width(text: str) -> int:
    """Cells that a text takes in a terminal: a program may be written in any script."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    marks = sum(unicodedata.combining(char) != 0 for char in text)
    return len(text) + wide - marks


def _left(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _right(text: str, width: int) -> str:
    return " " * (width - _width(text)) + text
