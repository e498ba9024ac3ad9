"""Exact match over length, as a picture and in the terminal, drawn from a run's result."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from raspl.training.configuration import CONVERGED, Configuration

BAR = 40
"""Characters of a full bar in the terminal."""


def draw(config: Configuration, result: Mapping[str, Any], path: Path) -> None:
    """A PNG: what was trained on the left of the dashed line, what was not on its right."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.subplots()
    inside, tested = result["in_distribution"], result["tested"]
    several = inside[0]["on"] != tested[0]["on"]
    on = f" ({tested[0]['on']})" if several else ""
    curve(axes, tested, "exact", f"exact match{on}", marker="o")
    curve(axes, tested, "exact_without_end", "without the end token", marker=".", linestyle=":")
    if several:
        curve(axes, inside, "exact", f"in distribution ({inside[0]['on']})", marker="s")
    axes.axvline(
        config.max_length, color="grey", linestyle="--", linewidth=1, label="longest in training"
    )
    state = "" if result["converged"] else ", not converged"
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set(
        xlabel="length",
        ylabel="exact match",
        ylim=(-0.03, 1.03),
        title=f"{config.task}: trained to {config.max_length}, {config.scale} scale{state}",
    )
    axes.legend()
    figure.savefig(path, dpi=120)


def curve(axes: Any, scores: list[dict[str, Any]], field: str, label: str, **style: Any) -> None:
    lengths = [score["length"] for score in scores]
    axes.plot(lengths, [score[field] for score in scores], label=label, **style)


def in_words(config: Configuration, result: Mapping[str, Any]) -> str:
    """What a run says about its task, in a sentence."""
    as_trained = result["as_trained"]["exact"]
    if not result["converged"]:
        return (
            f"Not converged: right on {as_trained:.2%} of examples as training draws them, of "
            f"{CONVERGED:.0%} that are asked for. Longer training (--steps) may help."
        )
    beyond = [one for one in result["tested"] if one["length"] in config.test_lengths]
    scores = ", ".join(f"{one['exact']:.1%} at {one['length']}" for one in beyond)
    return f"Trained to {config.max_length}, where it has converged: {scores}."


def bars(config: Configuration, result: Mapping[str, Any]) -> str:
    """One line a length: a bar and the share, the lengths beyond training marked with *."""
    lines = []
    for score in result["tested"]:
        exact = score["exact"]
        bar = "█" * round(exact * BAR)
        mark = "*" if score["length"] > config.max_length else " "
        lines.append(f"{score['length']:>5}{mark} {bar:<{BAR}} {exact:7.1%}")
    return "\n".join(lines)
