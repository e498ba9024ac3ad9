"""Exact match over length, as a picture and in the terminal, drawn from a run's result."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from raspl.tasks.generalisation import CONVERGED
from raspl.training.configuration import Configuration
from raspl.training.result import Result, Score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BAR = 40
"""Characters of a full bar in the terminal."""


def draw(config: Configuration, result: Result, path: Path) -> None:
    """The figure as a PNG."""
    figure(config, result).savefig(path, dpi=120)


def figure(config: Configuration, result: Result) -> "Figure":
    """What was trained on the left of the dashed line, what was not on its right."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    drawing = Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = drawing.subplots()
    inside, tested = result.in_distribution, result.tested
    several = inside[0].on != tested[0].on
    on = f" ({tested[0].on})" if several else ""
    curve(axes, tested, "exact", f"exact match{on}", marker="o")
    curve(axes, tested, "exact_without_end", "without the end token", marker=".", linestyle=":")
    if several:
        curve(axes, inside, "exact", f"in distribution ({inside[0].on})", marker="s")
    axes.axvline(
        config.max_length, color="grey", linestyle="--", linewidth=1, label="longest in training"
    )
    state = "" if result.converged else ", not converged"
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set(
        xlabel="length",
        ylabel="exact match",
        ylim=(-0.03, 1.03),
        title=f"{config.task}: trained to {config.max_length}, {config.scale} scale{state}",
    )
    axes.legend()
    return drawing


def curve(
    axes: Any,
    scores: Sequence[Score],
    field: Literal["exact", "exact_without_end"],
    label: str,
    **style: Any,
) -> None:
    lengths = [score.length for score in scores]
    axes.plot(lengths, [getattr(score, field) for score in scores], label=label, **style)


def in_words(config: Configuration, result: Result) -> str:
    """What a run says about its task, in a sentence."""
    if not result.converged:
        return (
            f"Not converged: {result.as_trained.exact:.2%} exact match in distribution, below the "
            f"{CONVERGED:.0%} that a run needs. More --steps may help; the run then starts anew."
        )
    beyond = [one for one in result.tested if one.length in config.test_lengths]
    scores = ", ".join(f"{one.exact:.1%} at {one.length}" for one in beyond)
    return f"Converged on lengths up to {config.max_length}; exact match beyond: {scores}."


def bars(config: Configuration, result: Result) -> str:
    """One line a length: a bar and the share, the lengths beyond training marked with *."""
    lines = []
    for score in result.tested:
        bar = "█" * round(score.exact * BAR)
        mark = "*" if score.length > config.max_length else " "
        lines.append(f"{score.length:>5}{mark} {bar:<{BAR}} {score.exact:7.1%}")
    return "\n".join(lines)
