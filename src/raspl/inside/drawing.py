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
    """On the left at training lengths, then the same subspaces at each longer length.

    A frame marks where each variable lives best; the small number is the size of the subspace.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Rectangle

    rows = found.tested
    titles = [f"up to length {found.trained_to}", *(longer.where for longer in found.longer)]
    across = 3.0 + (1.0 + 0.55 * len(found.sites)) * len(titles)
    size = (across, 1.8 + 0.42 * max(len(rows), 1))
    drawing = Figure(figsize=size, layout="constrained")
    parts = drawing.subplots(1, len(titles), sharey=True, squeeze=False)[0]
    for part, (axes, title) in enumerate(zip(parts, titles, strict=True)):
        grid = np.full((len(rows), len(found.sites)), np.nan)
        for place, row in enumerate(rows):
            for cell in row.cells:
                score = cell.trained if part == 0 else cell.beyond[part - 1]
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
    drawing.colorbar(picture, ax=parts, label="interchange accuracy", shrink=0.8)
    drawing.suptitle(f"{found.run}: {found.verdict} ({found.program})", fontsize=11)
    return drawing
