"""An alignment as a picture: variables by sites, with the interchange accuracy in the cells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from raspl.inside.records import Alignment

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(found: Alignment, path: Path) -> None:
    """The figure as a PNG."""
    figure(found).savefig(path, dpi=120)


def figure(found: Alignment) -> Figure:
    """On the left at training lengths, on the right the same subspaces beyond them.

    A frame marks where each variable lives best; the small number is the size of the subspace.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    rows = found.tested
    height = 1.8 + 0.42 * max(len(rows), 1)
    drawing = Figure(figsize=(4.2 + 1.25 * len(found.sites), height), layout="constrained")
    halves = drawing.subplots(1, 2, sharey=True)
    titles = (f"up to length {found.trained_to}", f"beyond: {found.beyond}")
    for axes, field, title in zip(halves, ("trained", "beyond"), titles, strict=True):
        grid = np.full((len(rows), len(found.sites)), np.nan)
        for place, row in enumerate(rows):
            for cell in row.cells:
                score = getattr(cell, field)
                grid[place, cell.site] = score.answers if score.pairs else np.nan
        picture = axes.imshow(grid, vmin=0, vmax=1, cmap="viridis", aspect="auto")
        for place, row in enumerate(rows):
            for cell in row.cells:
                value = grid[place, cell.site]
                ink = "black" if value > 0.6 else "white"
                if np.isnan(value):
                    continue
                text = f"{100 * value:.0f} %\n{cell.dimensions} d"
                axes.text(cell.site, place, text, ha="center", va="center", color=ink, fontsize=7)
            if row.best is not None:
                corner = (row.best.site - 0.5, place - 0.5)
                axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor="red", lw=2))
        axes.set_xticks(range(len(found.sites)), found.sites, rotation=35, ha="right")
        axes.set_yticks(range(len(rows)), [row.variable for row in rows])
        axes.set_title(title, fontsize=10)
    drawing.colorbar(picture, ax=halves, label="interchange accuracy", shrink=0.8)
    drawing.suptitle(f"{found.run}: {found.verdict} ({found.program})", fontsize=11)
    return drawing
