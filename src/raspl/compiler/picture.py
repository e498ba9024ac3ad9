"""A picture of a network at work: what each head moves, and its attention beside the selector.

Rows are attention layers. For each head the left grid is its attention (the column in front is the
sink), and the right grid the selector of the program that it stands for, with an empty column in
place of the sink; below stand the tokens.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from raspl.compiler.description import HeadShape
from raspl.compiler.network import Cache, Network, NetworkError
from raspl.executors.reference import Machine
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Select

Grid = NDArray[np.float64]
MOST_TOKENS = 64
IN_A_ROW = 3


@dataclass(frozen=True, slots=True)
class Seen:
    """A head on an input."""

    layer: int
    number: int
    shape: HeadShape
    attention: Grid
    """Rows are queries; column 0 is the sink."""
    selector: Grid | None
    """None where the head has no selector of its own: it rounds a count."""


def heads_on(network: Network, graph: Graph, sequences: Sequence[Sequence[int]]) -> list[Seen]:
    """The attention of every head, each with the selector that it implements."""
    selectors = _selectors(graph, sequences)
    cache = Cache()
    seen = []
    with torch.inference_mode():
        x = network.embed(network.numbers(*sequences), cache)
        for block, shape in zip(network.blocks, network.description.blocks, strict=True):
            pairs = zip(block.heads, shape.heads, strict=True)  # type: ignore[arg-type]
            for number, (head, known) in enumerate(pairs):
                weights = head.attention(x @ head.query, x @ head.key, 0)[0, 1:]
                own = None if known.selector is None else selectors[known.selector]
                seen.append(Seen(shape.layer, number, known, weights.double().numpy(), own))
            x = block(x, cache)
    return seen


def _selectors(graph: Graph, sequences: Sequence[Sequence[int]]) -> list[Grid]:
    """Every selector of the program as a grid, in the order of the graph."""
    nodes = [node for node in graph.nodes if isinstance(node, Select)]
    length = len(sequences[0])
    grids = [np.zeros((length, length)) for _ in nodes]
    machine = Machine(graph)
    for position, tokens in enumerate(zip(*sequences, strict=True)):
        machine.step(*tokens)
        for node, grid in zip(nodes, grids, strict=True):
            row = machine.rows[node]
            grid[position, : len(row)] = row
    return grids


def draw(
    network: Network, graph: Graph, sequences: Sequence[Sequence[int]], file: str | Path
) -> None:
    """Write the picture; the ending of the name says in which format."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    length = len(sequences[0])
    if not 0 < length <= MOST_TOKENS:
        raise NetworkError(f"a picture shows 1 to {MOST_TOKENS} tokens, and {length} were given")
    check_format(file)
    seen = heads_on(network, graph, sequences)
    rows = _rows(seen)
    columns = max((len(row) for row in rows), default=1)
    side = min(4.0, max(2.0, 0.24 * length))
    figure = Figure(
        figsize=((2 * side + 0.8) * columns + 0.6, (side + 1.0) * max(len(rows), 1) + 0.7),
        layout="constrained",
    )
    shown = [[_name(graph, token) for token in sequence] for sequence in sequences]
    figure.suptitle(f"{network.description.summary}\n{_shown(shown)}", fontsize=11)
    panels = figure.subplots(max(len(rows), 1), 2 * columns, squeeze=False)
    labels = shown[0]
    for row, axes in zip(rows, panels, strict=True):
        for panel in axes[2 * len(row) :]:
            panel.set_axis_off()
        for number, head in enumerate(row):
            _draw_head(axes[2 * number], axes[2 * number + 1], head, labels)
    Path(file).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=110)


def check_format(file: str | Path) -> None:
    """The ending of a name is a format that can be drawn."""
    from matplotlib.backend_bases import FigureCanvasBase

    known = sorted(FigureCanvasBase.get_supported_filetypes())
    if Path(file).suffix.lower().removeprefix(".") not in known:
        raise NetworkError(f"{file} is not a picture file: name it .png, .svg or .pdf")


def _name(graph: Graph, token: int) -> str:
    """A token for people."""
    return str(token) if graph.vocabulary is None else graph.vocabulary.show(token)


def _rows(seen: Sequence[Seen]) -> list[list[Seen]]:
    """Heads by layer, a few in a row."""
    rows: list[list[Seen]] = []
    for head in seen:
        if not rows or rows[-1][0].layer != head.layer or len(rows[-1]) == IN_A_ROW:
            rows.append([])
        rows[-1].append(head)
    return rows


def _shown(sequences: Sequence[Sequence[str]]) -> str:
    return textwrap.shorten(" / ".join(" ".join(names) for names in sequences), 100)


def _draw_head(left: Any, right: Any, head: Seen, labels: list[str]) -> None:
    title = f"layer {head.layer}, head {head.number} → {head.shape.variable}"
    left.set_title("\n".join([*textwrap.wrap(title, 34), head.shape.does]), fontsize=8)
    _grid(left, head.attention, ["sink", *labels], labels, "attention")
    if head.selector is None:
        right.set_axis_off()
        right.text(
            0.5, 0.5, "no selector:\nit rounds a count", ha="center", va="center", fontsize=8
        )
    else:
        right.set_title("the program's selector", fontsize=8)
        # The program has no sink; the empty column keeps the two grids in line.
        beside = np.pad(head.selector, ((0, 0), (1, 0)))
        _grid(right, beside, ["sink", *labels], labels, "selected")


def _grid(panel: Any, grid: Grid, keys: list[str], queries: list[str], what: str) -> None:
    colours = "Blues" if what == "attention" else "Greens"
    panel.imshow(grid, cmap=colours, vmin=0, vmax=1, aspect="equal", interpolation="nearest")
    size = 7 if len(queries) <= 24 else 4
    panel.set_xticks(range(len(keys)), keys, fontsize=size, rotation=90)
    panel.set_yticks(range(len(queries)), queries, fontsize=size)
    panel.set_xticks(np.arange(len(keys) + 1) - 0.5, minor=True)
    panel.set_yticks(np.arange(len(queries) + 1) - 0.5, minor=True)
    panel.grid(which="minor", color="#dddddd", linewidth=0.4)
    panel.tick_params(which="both", length=0)
    panel.set_xlabel("key", fontsize=7)
    panel.set_ylabel("query", fontsize=7)
