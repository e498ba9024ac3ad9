"""Figures as in the paper, drawn from records: every seed a point, the median a line.

Legible in greyscale: series differ in marker and line style, and their colours in lightness.
"""

import textwrap
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from raspl.files import write_bytes, write_text
from raspl.studies.checks import AtLeast
from raspl.studies.claims import Claim
from raspl.studies.evidence import Evidence, Sample, Where
from raspl.studies.study import Arm
from raspl.tasks.generalisation import GENERALISES
from raspl.words import duration, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

COLOURS = ("#0b2545", "#c1440e", "#3a86a8", "#e0a030", "#7a7a7a", "#9d4edd")
MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 1)))
VISIBLE = 0.02
"""A guess that is worth less is not drawn."""
WIDTH, HEIGHT = 7.2, 4.6
"""Inches; a figure of few bars is lower."""
FRAME, ROW = 1.6, 0.5
"""Inches around the bars, and of a bar, where there are few."""

LABELS: Mapping[Where, str] = MappingProxyType({"inside": "in distribution", "outside": "beyond"})
MEDIANS = "median of the converged runs if most converged; points: every seed"
MARKS: Mapping[str, str] = MappingProxyType(
    {
        "bars": f"Bar: {MEDIANS}, hollow if not converged.",
        "over-length": f"Line: {MEDIANS} beyond training, hollow if not converged.",
        "over-training-length": f"Line: {MEDIANS}, hollow if not converged.",
        "training": "Thick: median of all seeds; thin: every seed.",
        "counterfactual": f"Line: {MEDIANS}, hollow if not converged.",
    }
)
"""What a figure's lines and points are."""


def caption(evidence: Evidence) -> str:
    """Scale, seeds and cost: what a reader must know before believing a figure."""
    found, wanted = len(evidence.found), len(evidence.wanted())
    runs = f"{wanted} runs" if found == wanted else f"{found} of {wanted} runs"
    devices = sorted({record.device.split(":")[0] for record in evidence.found}) or ["cpu"]
    where = " or ".join("CPU core" if one == "cpu" else one.upper() for one in devices)
    return (
        f"{evidence.study.id}: {evidence.scale} scale, {evidence.seeds_in_words}, {runs}, "
        f"{duration(evidence.seconds)} of one {where}. {MARKS[evidence.study.figure]}"
    )


def draw(claim: Claim) -> "Drawing":
    from matplotlib.figure import Figure

    evidence = claim.evidence
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    PANELS[claim.study.figure](figure, evidence)
    tally = f" ({claim.tally} conditions)" if len(claim.findings) > 1 else ""
    title = f"{textwrap.fill(claim.study.title, 66)}\nthe paper's claim: {claim.verdict}{tally}"
    figure.suptitle(title, fontsize=12, fontweight="bold")
    figure.supxlabel(
        textwrap.fill(caption(evidence), 125), fontsize=7.5, color="#444444", x=0.01, ha="left"
    )
    return figure


def save(claim: Claim, folder: Path) -> None:
    """PNG for pages, SVG for print; the same bytes for the same records."""
    from io import BytesIO

    folder.mkdir(parents=True, exist_ok=True)
    picture = BytesIO()
    draw(claim).savefig(picture, format="png", dpi=130, metadata={"Software": None})
    write_bytes(folder / f"{claim.study.id}.png", picture.getvalue())
    write_text(folder / f"{claim.study.id}.svg", svg(claim))


def svg(claim: Claim) -> str:
    import matplotlib

    text = StringIO()
    with matplotlib.rc_context({"svg.hashsalt": claim.study.id, "svg.fonttype": "none"}):
        draw(claim).savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


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


def shares(axes: Any, name: str = "exact match") -> None:
    """An axis of shares, from 0 to 1."""
    axes.set_ylim(-0.03, 1.03)
    axes.yaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set_ylabel(name)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def asked(evidence: Evidence) -> float:
    """What the claim asks of a task that generalises, where it is one number for all."""
    checks = evidence.study.checks(evidence.scale)
    shares = {check.share for check in checks if isinstance(check, AtLeast)}
    return shares.pop() if len(shares) == 1 else GENERALISES


def threshold(axes: Any, share: float, upright: bool = False) -> None:
    """Where a task begins to count as generalising."""
    rule = axes.axvline if upright else axes.axhline
    rule(share, color="#555555", linestyle=(0, (1, 2)), linewidth=1, zorder=1)


def nothing(axes: Any) -> None:
    axes.text(0.5, 0.5, "no runs yet", transform=axes.transAxes, ha="center", color="#777777")


def over_length(figure: "Drawing", evidence: Evidence) -> None:
    """Exact match over test length, one curve per training length."""
    axes = figure.subplots()
    (arm,) = evidence.study.arms
    drawn = 0
    for number, trained in enumerate(arm.trained(evidence.scale)):
        runs = evidence.runs(arm, trained)
        lengths = sorted({length for run in runs for length in run.scores(arm.on, arm.metric)})
        if not lengths:
            continue
        drawn += 1
        samples = [evidence.sample(arm, trained, length) for length in lengths]
        medians = [sample.median for sample in samples]
        line(axes, lengths, medians, number, f"trained to {trained}")
        for sample in samples:
            if sample.tested_at > trained:
                points(axes, sample.tested_at, sample, number)
        axes.axvline(trained, color=COLOURS[number], linestyle=DASHES[number], linewidth=0.7)
    shares(axes)
    threshold(axes, asked(evidence))
    axes.set_xlabel("test length (thin vertical lines: longest training length)")
    if drawn:
        axes.legend(fontsize=8, frameon=False)
    else:
        nothing(axes)


def over_training_length(figure: "Drawing", evidence: Evidence) -> None:
    """Exact match at one test length over training length."""
    axes = figure.subplots()
    drawn = 0
    many = len(evidence.study.arms)
    targets = {evidence.lengths(arm).target for arm in evidence.study.arms}
    for number, arm in enumerate(evidence.study.arms):
        target = evidence.lengths(arm).target
        samples = [
            sample
            for trained in arm.trained(evidence.scale)
            if (sample := evidence.sample(arm, trained, target)).values
        ]
        if not samples:
            continue
        drawn += 1
        # Arms side by side, so that equal points of two arms are both seen.
        reach = samples[-1].trained_to - samples[0].trained_to
        aside = (number - (many - 1) / 2) * 0.012 * reach
        x = [sample.trained_to + aside for sample in samples]
        label = arm.label if len(targets) == 1 else f"{arm.label}, at {target}"
        line(axes, x, [sample.median for sample in samples], number, label)
        for place, sample in zip(x, samples, strict=True):
            points(axes, place, sample, number)
    shares(axes)
    threshold(axes, asked(evidence))
    at = " or ".join(str(length) for length in sorted(targets))
    axes.set_ylabel(f"share right at test length {at}")
    axes.set_xlabel("longest training length")
    axes.xaxis.set_major_locator(locator())
    if drawn:
        axes.legend(fontsize=8, frameon=False)
    else:
        nothing(axes)


def locator() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True)


def training(figure: "Drawing", evidence: Evidence) -> None:
    """In-distribution exact match over steps: every seed thin, their median thick."""
    axes = figure.subplots()
    drawn = 0
    for number, arm in enumerate(evidence.study.arms):
        curves = [dict(run.fitting()) for run in evidence.runs(arm, evidence.lengths(arm).speed)]
        steps = sorted({step for curve in curves for step in curve})
        if not steps:
            continue
        drawn += 1
        for curve in curves:
            axes.plot(
                list(curve), list(curve.values()), color=COLOURS[number], linewidth=0.7, alpha=0.6
            )
        middle = [median(curve[step] for curve in curves if step in curve) for step in steps]
        line(axes, steps, middle, number, arm.label)
    shares(axes, "exact match at the longest training length")
    axes.set_xlabel("training step")
    if drawn:
        axes.legend(fontsize=8, frameon=False)
    else:
        nothing(axes)


def bars(figure: "Drawing", evidence: Evidence) -> None:
    """One bar per arm: the median, with every seed on it."""
    arms = evidence.study.arms
    figure.set_figheight(min(HEIGHT, FRAME + ROW * len(arms)))
    axes = figure.subplots()
    for row, arm in enumerate(arms):
        lengths = evidence.lengths(arm)
        sample = evidence.sample(arm, lengths.own, lengths.target)
        hatched = is_doubted(arm, arms)
        if sample.values:
            axes.barh(
                row, sample.median, height=0.62, color="white" if hatched else "#b8c4d6",
                edgecolor=COLOURS[0], hatch="///" if hatched else None, linewidth=0.8,
            )  # fmt: skip
            for place, value in enumerate(sample.values):
                spread = 0.16 * (place - (len(sample.values) - 1) / 2)
                axes.plot(
                    value, row + spread, "o", color=COLOURS[0], markersize=4.5, clip_on=False,
                    zorder=3, markerfacecolor=COLOURS[0] if sample.converged[place] else "white",
                )  # fmt: skip
        guess = evidence.guess(arm, lengths.own, lengths.target)
        if guess >= VISIBLE:
            axes.plot([guess] * 2, [row - 0.42, row + 0.42], color=COLOURS[1], linewidth=2.2)
        where = f"{lengths.own} → {lengths.target}" if lengths.own != lengths.target else "unseen"
        where += "" if arm.on == "default" else f", {arm.on}"
        found = percent(sample.median) if sample.values else "no run yet"
        axes.text(1.04, row, f"{where}: {found}", va="center", fontsize=8.5)
    axes.set_yticks(range(len(arms)), [arm.label for arm in arms], fontsize=8.5)
    axes.set_ylim(len(arms) - 0.5, -0.6)
    axes.set_xlim(0, 1)
    threshold(axes, asked(evidence), upright=True)
    axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.set_xlabel(
        f"exact match beyond training; dotted: {asked(evidence):.0%}; hatched: expected to "
        f"{'be worse' if any(map(is_rotary, arms)) else 'fail'}; vertical dash: guessing",
        fontsize=8.5,
    )
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def is_rotary(arm: Arm) -> bool:
    return arm.changes.get("positions") == "rotary"


def is_doubted(arm: Arm, among: Sequence[Arm]) -> bool:
    """Is it expected to be worse than its twin with learned positions, or else to fail?"""
    return is_rotary(arm) if any(map(is_rotary, among)) else not arm.has_program


def counterfactual(figure: "Drawing", evidence: Evidence) -> None:
    """Four tests in a grid, in and out of distribution, over training length."""
    grid = figure.subplots(2, 2, sharex=True)
    (arm,) = evidence.study.arms
    drawn = False
    for axes, (test, name) in zip(grid.flat, arm.counterfactual_tests.items(), strict=False):
        for number, where in enumerate(LABELS):
            x, y = [], []
            for trained in arm.trained(evidence.scale):
                sample = evidence.passed(arm, trained, test, where)
                if sample.values:
                    x.append(trained)
                    y.append(sample.median)
                    points(axes, trained, sample, number)
            if x:
                drawn = True
                line(axes, x, y, number, LABELS[where])
        shares(axes, "share")
        axes.set_title(name, fontsize=9)
        axes.xaxis.set_major_locator(locator())
    for axes in grid[1]:
        axes.set_xlabel("longest training length")
    if drawn:
        grid[0, 0].legend(fontsize=8, frameon=False)
    else:
        nothing(grid[0, 0])


PANELS: Mapping[str, Callable[["Drawing", Evidence], None]] = MappingProxyType(
    {
        "bars": bars,
        "over-length": over_length,
        "over-training-length": over_training_length,
        "training": training,
        "counterfactual": counterfactual,
    }
)
