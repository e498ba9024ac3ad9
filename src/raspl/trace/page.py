"""A trace as one page that needs nothing else: hover, selectors as grids, steps of generation.

Everything that comes from a program travels as JSON and is put on the page as text by its script,
so no name or docstring can become markup. The script and the style are built from `web/`, where the
playground draws its traces with the same code.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from raspl.language.ir.primitives import Aggr, Node, Select, SelWidth
from raspl.templates import render
from raspl.trace.inside import sources, steps
from raspl.trace.recording import MAX_GRID, Selection, Trace

STATIC = Path(__file__).parent / "static"
MAX_POSITIONS = 1000
"""A page shows no more: browsers lay out larger tables too slowly to hover over."""


def page(trace: Trace) -> str:
    """One self-contained HTML page. A trace of a generation can be stepped through."""
    short = trace.length <= MAX_GRID
    return render(
        __package__,
        "page.html",
        program=trace.graph.name,
        text=trace.table(width=120) if short else "This page needs JavaScript.",
        data=payload(trace),
        style=_built("style.css"),
        script=_built("trace.js"),
    )


@cache
def _built(name: str) -> str:
    return (STATIC / name).read_text("utf-8")


def frame(trace: Trace) -> str:
    """The page inside of a notebook: in a frame, so that neither can disturb the other."""
    height = min(900, 400 + 30 * len(trace.columns) + 22 * len(trace.listing))
    return render(
        __package__, "frame.html", program=trace.graph.name, page=page(trace), height=height
    )


def payload(trace: Trace) -> dict[str, Any]:
    """Everything that the page shows."""
    count = min(trace.length, MAX_POSITIONS)
    # One more token stands after the values where it was written last, or could not be read.
    read = count + 1 if count == trace.length else count
    used = {token for column in trace.inputs for token in column}
    used |= {value for node in trace.values if trace.names(node) for value in trace.values[node]}
    used |= set(trace.values[trace.graph.output])
    rows = {column.node: i for i, column in reversed(list(enumerate(trace.columns)))}
    selectors: dict[Node, int] = {selection.node: i for i, selection in enumerate(trace.selections)}
    return {
        "bits": trace.graph.bits,
        "length": count,
        "prompt": trace.prompt,
        "tokens": [column[:read] for column in trace.inputs],
        "names": {str(value): trace.token_name(value) for value in used if trace.token_name(value)},
        "rows": [
            {
                "name": column.name,
                "type": str(column.type),
                "line": column.line,
                "named": column.vocabulary is not None,
                "values": column.values[:count],
                "steps": steps(trace, column.node, rows, count),
                **_reads(column.node, rows, selectors),
            }
            for column in trace.columns
        ],
        "selectors": [_selector(trace, selection, count) for selection in trace.selections],
        "grids": count <= MAX_GRID,
        "listing": trace.listing,
        "library": sources(trace),
        "notes": _notes(trace),
        "error": str(trace.failure) if trace.failure else None,
    }


def _notes(trace: Trace) -> list[str]:
    notes = []
    if trace.length > MAX_POSITIONS:
        notes.append(f"Only the first {MAX_POSITIONS} of {trace.length} positions are shown.")
    if trace.length > MAX_GRID and trace.selections:
        notes.append(
            f"The grids of the selectors are left out: there are more than {MAX_GRID} positions. "
            "Hover over a value to see what its head attended to."
        )
    return notes


def _selector(trace: Trace, selection: Selection, count: int) -> dict[str, Any]:
    drawn = count <= MAX_GRID
    return {
        "title": selection.title,
        "label": selection.name or selection.label,
        "line": selection.line,
        "keys": trace.values[selection.node.k] if drawn else [],
        "queries": trace.values[selection.node.q] if drawn else [],
        "types": [str(selection.node.k.type), str(selection.node.q.type)],
        "named": [trace.names(side) is not None for side in selection.node.args],
        "bits": pack(selection.rows[:count]),
    }


def pack(rows: Sequence[bytes]) -> str:
    """The triangle of a selector as base64 of its bits: row i begins at bit i(i+1)/2."""
    cells = np.frombuffer(b"".join(rows), dtype=np.uint8)
    return b64encode(np.packbits(cells, bitorder="little").tobytes()).decode("ascii")


def _reads(node: Node, rows: Mapping[Node, int], selectors: Mapping[Node, int]) -> dict[str, Any]:
    """Where a value comes from, as far as the nearest rows of the page.

    Intermediates without a name are looked through. `here` are the rows read at this position;
    `heads` the heads on the way: the selector, the rows that it read at its keys, and whether the
    value is made of what the head fetched (else the head only found the query of another one).
    """
    here: set[int] = set()
    heads: list[tuple[int, list[int], bool]] = []
    seen: set[Node] = set()
    todo = [(node, True)]
    while todo:
        part, direct = todo.pop()
        if part in seen:
            continue
        seen.add(part)
        if part is not node and part in rows:
            here.add(rows[part])
        elif isinstance(part, Aggr | SelWidth):
            at_keys = [part.s.k, *([part.v] if isinstance(part, Aggr) else [])]
            visible = {row for source in at_keys for row in _mapped_from(source, rows)}
            heads.append((selectors[part.s], sorted(visible), direct))
            todo.append((part.s.q, False))
        else:
            todo.extend((arg, direct) for arg in reversed(part.args))
    return {"here": sorted(here), "heads": heads}


def _mapped_from(node: Node, rows: Mapping[Node, int]) -> set[int]:
    """The rows that a value is computed from at its own position."""
    found: set[int] = set()
    seen: set[Node] = set()
    todo = [node]
    while todo:
        part = todo.pop()
        if part in rows:
            found.add(rows[part])
        elif part not in seen and not isinstance(part, Aggr | SelWidth | Select):
            seen.add(part)
            todo.extend(part.args)
    return found
