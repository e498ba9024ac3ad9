"""What figures are drawn with: colours, points, lines, axes, and a legend that says what they are.

The colours are Okabe and Ito's, which colour-blind people can tell apart. Series also differ in
marker and line style, so that a figure is legible in greyscale.
"""

from collections.abc import Sequence
from typing import Any

from raspl.studies.evidence import Sample
from raspl.words import percent

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
INK, GREY, FAINT = "#222222", "#555555", "#dddddd"
GUESS = COLOURS[1]
SMALL = 8
DOTS = (0, (1, 2))


def points(axes: Any, x: float, sample: Sample, number: int) -> None:
    """Every seed; hollow where the run had not learned its own training distribution."""
    for value, converged in zip(sample.values, sample.converged, strict=True):
        look = {"alpha": 0.75} if converged else {"markerfacecolor": "white"}
        axes.plot(
            x, value, MARKERS[number], color=COLOURS[number], markersize=5, clip_on=False, zorder=3,
            **look,
        )  # fmt: skip


def line(axes: Any, x: Sequence[float], y: Sequence[float], number: int, label: str) -> None:
    axes.plot(
        x, y, color=COLOURS[number], linestyle=DASHES[number], marker=MARKERS[number],
        markersize=4, linewidth=1.8, label=label,
    )  # fmt: skip


def band(axes: Any, x: Sequence[float], samples: Sequence[Sample], number: int) -> None:
    """Intervals around medians, along a line."""
    low, high = zip(*((s.interval.low, s.interval.high) for s in samples), strict=True)
    axes.fill_between(x, low, high, color=COLOURS[number], alpha=0.13, linewidth=0)


def whisker(axes: Any, x: float, sample: Sample, number: int) -> None:
    """An interval around a median."""
    found = sample.interval
    axes.plot([x, x], [found.low, found.high], color=COLOURS[number], linewidth=1.1, alpha=0.8)


def shares(axes: Any, name: str = "exact match") -> None:
    """An axis of shares, from 0 to 1."""
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set_ylabel(name)
    axes.grid(axis="y", color=FAINT, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def threshold(axes: Any, share: float, upright: bool = False) -> None:
    """Where a task begins to count as generalising."""
    rule = axes.axvline if upright else axes.axhline
    label = f"{percent(share)}: counts as generalising"
    rule(share, color=GREY, linestyle=DOTS, linewidth=1.2, zorder=1, label=label)


def nothing(axes: Any) -> None:
    axes.text(0.5, 0.5, "no runs yet", transform=axes.transAxes, ha="center", color="#777777")


def whole_numbers(axes: Any) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def finish(axes: Any, samples: Sequence[Sample]) -> None:
    """A legend of the lines by their labels, and of what a point is."""
    if not samples:
        nothing(axes)
        return
    handles, _ = axes.get_legend_handles_labels()
    axes.legend(handles=[*handles, *seeds_explained(samples)], fontsize=SMALL, frameon=False)


def seeds_explained(samples: Sequence[Sample]) -> list[Any]:
    """A full point, and a hollow one where there is any."""
    flags = {flag for sample in samples for flag in sample.converged}
    words = {True: "one seed", False: "one seed, not converged"}
    return [dot(words[flag], flag) for flag in (True, False) if flag in flags]


def dot(label: str, full: bool) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], linestyle="none", marker="o", markersize=5, color=GREY, label=label,
        markerfacecolor=GREY if full else "white",
    )  # fmt: skip
