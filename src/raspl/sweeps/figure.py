"""A sweep as a picture: what each configuration had learned, step by step."""

from __future__ import annotations

from pathlib import Path

from raspl.sweeps.log import Log

NAMED = 6
"""Configurations that the legend names: the best, and all that were trained to the end."""


def draw(log: Log, path: Path) -> None:
    """Exact match at the longest training length over steps; a cross where a run was stopped."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(7.2, 4.4), layout="constrained")
    axes = drawing.subplots()
    ranked = log.ranked()
    for place, one in reversed(list(enumerate(ranked))):
        if not one.curve:
            continue
        steps, exact = zip((0, 0.0), *one.curve, strict=True)
        named = place < NAMED or one.state == "done"
        style = {"color": f"C{place}", "linewidth": 2.0} if named else {"color": "0.75"}
        label = ", ".join(f"{key}={value}" for key, value in one.varied.items())
        axes.plot(steps, exact, label=label if named else None, **style)
        if one.state != "done":
            axes.plot(steps[-1], exact[-1], marker="x", color=style["color"])
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    length = max((one.config.max_length for one in log.tried), default=0)
    axes.set(
        xlabel="step (a cross: stopped)",
        ylabel=f"exact match at the longest training length, {length}",
        ylim=(-0.03, 1.03),
        title=f"{log.task} at {log.scale} scale: {len(log.tried)} configurations, "
        f"{log.core_minutes:.0f} core-minutes",
    )
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        axes.legend(handles[::-1], labels[::-1], fontsize="small", loc="best")
    drawing.savefig(path, dpi=120)
