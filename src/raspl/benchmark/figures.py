"""Figures of the benchmark, drawn from stored predictions and outcomes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from raspl.benchmark.conjecture import NEAR, Rate, Share
from raspl.benchmark.scoring import OURS, Board, at_place, columns
from raspl.prediction.forecast.model import DISTANCES
from raspl.prediction.forecast.scores import BINS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = {"languages": "#0072b2", "literature": "#e69f00", "random": "#009e73"}
"""Told apart by the colour-blind (Okabe and Ito)."""


def save(drawing: Figure, path: Path) -> None:
    """As a picture for pages of text, and as one for the report, which has a ground of its own."""
    from matplotlib import rc_context

    drawing.savefig(path.with_suffix(".png"), dpi=140)
    # Without a date and with names that are always the same, so that a redrawn file is the same.
    with rc_context({"svg.hashsalt": path.stem}):
        drawing.savefig(path.with_suffix(".svg"), transparent=True, metadata={"Date": None})


def reliability(board: Board) -> Figure:
    """What was forecast against what happened, in ten groups of equally many, at each distance."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(11, 3.4), layout="constrained")
    for axes, distance in zip(drawing.subplots(1, len(DISTANCES)), DISTANCES, strict=True):
        axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
        for suite, colour in COLOURS.items():
            some = at_place(board.judged[OURS], suite, distance)
            if not some:
                continue
            chances, outcomes = columns(some)
            order = np.argsort(chances, kind="stable")
            groups = [part for part in np.array_split(order, BINS) if len(part)]
            shares = [Share(int(outcomes[part].sum()), len(part)) for part in groups]
            x = [chances[part].mean() for part in groups]
            y = np.array([share.value for share in shares])
            bounds = np.array([share.interval for share in shares]).T
            axes.errorbar(
                x, y, np.abs(bounds - y), fmt="o", ms=4, lw=0.8, color=colour, label=suite
            )
        axes.set(
            title=f"{distance:g} × the training length",
            xlabel="forecast probability",
            xlim=(-0.04, 1.04),
            ylim=(-0.04, 1.04),
        )
        if distance == DISTANCES[0]:
            axes.set_ylabel("share that generalises")
    handles, labels = drawing.axes[1].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return drawing


def wrap(stratum: str) -> str:
    """Long names take two lines."""
    words = stratum.split()
    return stratum if len(words) <= 2 else f"{' '.join(words[:2])}\n{' '.join(words[2:])}"


def drawn_rates(rates: Sequence[Rate]) -> Figure:
    """The share that generalises by the cost of the cheapest program."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(7.2, 3.8), layout="constrained")
    axes = drawing.subplots()
    strata = list(dict.fromkeys(rate.stratum for rate in rates))
    for number, distance in enumerate(NEAR):
        some = [rate for rate in rates if rate.distance == distance and rate.every.of]
        x = np.array([strata.index(rate.stratum) for rate in some]) + 0.12 * (2 * number - 1)
        y = np.array([rate.every.value for rate in some])
        bounds = np.array([rate.every.interval for rate in some]).T
        colour = ("#0072b2", "#d55e00")[number]
        axes.errorbar(x, y, np.abs(bounds - y), fmt="os"[number], color=colour,
                      label=f"at {distance:g} times the training length")  # fmt: skip
    axes.set_xticks(range(len(strata)), [wrap(stratum) for stratum in strata])
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set(ylim=(-0.03, 1.03), ylabel="runs that generalise",
             title="Random tasks of the language, by their cheapest program")  # fmt: skip
    axes.legend(frameon=False)
    return drawing


KIND_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#000000")
KIND_MARKS = "osD^v"


def drawn_kinds(by_kind: Mapping[str, Mapping[float, Share]]) -> Figure:
    """The share that generalises by distance, a line for each kind of program."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = drawing.subplots()
    for number, (kind, shares) in enumerate(by_kind.items()):
        # Side by side, so that intervals don't cover each other.
        x = np.arange(len(shares)) + 0.06 * (number - (len(by_kind) - 1) / 2)
        y = np.array([share.value for share in shares.values()])
        bounds = np.array([share.interval for share in shares.values()]).T
        axes.errorbar(x, y, np.abs(bounds - y), marker=KIND_MARKS[number], ms=5, lw=1.2,
                      color=KIND_COLOURS[number], label=kind)  # fmt: skip
    axes.set_xticks(range(len(DISTANCES)), [f"{distance:g} ×" for distance in DISTANCES])
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set(ylim=(-0.03, 1.03), ylabel="runs that generalise", xlabel="times the training length",
             title="Random tasks, by what the search finds")  # fmt: skip
    drawing.legend(loc="outside lower center", ncols=1, frameon=False)
    return drawing
