"""What stands on each kind of figure."""

from collections.abc import Callable, Mapping, Sequence
from statistics import median
from textwrap import fill
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from raspl.studies.checks import AtLeast, AtMost, Below
from raspl.studies.evidence import Evidence, Sample, Where
from raspl.studies.report.marks import (
    COLOURS,
    DASHES,
    DOTS,
    FAINT,
    GREY,
    GUESS,
    INK,
    SMALL,
    band,
    finish,
    line,
    nothing,
    points,
    seeds_explained,
    shares,
    threshold,
    whisker,
    whole_numbers,
)
from raspl.studies.study import Arm
from raspl.tasks.generalisation import GENERALISES
from raspl.words import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

VISIBLE = 0.02
"""A guess that is worth less is not drawn."""
WIDTH, HEIGHT = 7.2, 4.6
"""Inches; a figure of few bars is lower."""
NARROW = 4.2
"""Inches: a figure that can be read on a phone."""
FRAME, ROW = 2.3, 0.42
"""Inches around the bars, and of a bar."""
LEGEND = 0.9
"""Inches more where the legend has one column."""
UNDER = 0.5
"""Inches from the bars down to their legend."""
FURTHER = "beyond training (longest in training → tested)"
LABELS: Mapping[Where, str] = MappingProxyType({"inside": "in distribution", "outside": "beyond"})


def asked(evidence: Evidence) -> float:
    """What the claim asks of a task that generalises, where it is one number for all."""
    checks = evidence.study.checks(evidence.scale)
    shares = {check.share for check in checks if isinstance(check, AtLeast)}
    return shares.pop() if len(shares) == 1 else GENERALISES


def over_length(figure: "Drawing", evidence: Evidence) -> None:
    """Exact match over test length, one curve per arm and training length."""
    axes = figure.subplots()
    arms = evidence.study.arms
    shown: list[Sample] = []
    series = [(arm, trained) for arm in arms for trained in arm.trained(evidence.scale)]
    for number, (arm, trained) in enumerate(series):
        runs = evidence.runs(arm, trained)
        lengths = sorted({length for run in runs for length in run.scores(arm.on, arm.metric)})
        if not lengths:
            continue
        samples = [evidence.sample(arm, trained, length) for length in lengths]
        name = f"trained to {trained}" if len(arms) == 1 else f"{arm.label}, trained to {trained}"
        line(axes, lengths, [sample.median for sample in samples], number, name)
        band(axes, lengths, samples, number)
        beyond = [sample for sample in samples if sample.tested_at > trained]
        for sample in beyond:
            points(axes, sample.tested_at, sample, number)
        shown += beyond
        axes.axvline(trained, color=COLOURS[number], linestyle=DASHES[number], linewidth=0.7)
    shares(axes)
    threshold(axes, asked(evidence))
    axes.set_xlabel("test length (thin vertical lines: longest training length)")
    finish(axes, shown)


def over_training_length(figure: "Drawing", evidence: Evidence) -> None:
    """Exact match at one test length over training length."""
    axes = figure.subplots()
    shown: list[Sample] = []
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
        shown += samples
        # Arms side by side, so that equal points of two arms are both seen.
        reach = samples[-1].trained_to - samples[0].trained_to
        aside = (number - (many - 1) / 2) * 0.012 * reach
        x = [sample.trained_to + aside for sample in samples]
        label = arm.label if len(targets) == 1 else f"{arm.label}, at {target}"
        line(axes, x, [sample.median for sample in samples], number, label)
        for place, sample in zip(x, samples, strict=True):
            points(axes, place, sample, number)
            whisker(axes, place, sample, number)
    shares(axes)
    threshold(axes, asked(evidence))
    at = " or ".join(str(length) for length in sorted(targets))
    axes.set_ylabel(f"share right at test length {at}")
    axes.set_xlabel("longest training length")
    axes.set_xticks(sorted({sample.trained_to for sample in shown}))
    finish(axes, shown)


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
        axes.legend(fontsize=SMALL, frameon=False)
    else:
        nothing(axes)


def bars(figure: "Drawing", evidence: Evidence) -> None:
    """One bar per arm: the median, with every seed and the interval on it."""
    from matplotlib.transforms import ScaledTranslation

    arms = evidence.study.arms
    is_narrow = figure.get_figwidth() <= NARROW
    figure.set_figheight(FRAME + ROW * len(arms) + LEGEND * is_narrow)
    axes = figure.subplots()
    shown: list[Sample] = []
    guesses = 0
    for row, arm in enumerate(arms):
        lengths = evidence.lengths(arm)
        sample = evidence.sample(arm, lengths.own, lengths.target)
        if sample.values:
            shown.append(sample)
            bar(axes, row, sample, is_doubted(arm, evidence))
        guess = evidence.guess(arm, lengths.own, lengths.target)
        if guess >= VISIBLE:
            guesses += 1
            axes.plot([guess] * 2, [row - 0.42, row + 0.42], color=GUESS, linewidth=2.2)
        where = f"{lengths.own} → {lengths.target}" if lengths.own != lengths.target else "unseen"
        where += "" if arm.on == "default" else f", {arm.on}"
        found = percent(sample.median) if sample.values else "no run yet"
        where += ":\n" if is_narrow else ": "
        axes.text(1.06, row, f"{where}{found}", va="center", fontsize=8.5)
    labels = [fill(arm.label, 17) if is_narrow else arm.label for arm in arms]
    axes.set_yticks(range(len(arms)), labels, fontsize=8.5)
    axes.set_ylim(len(arms) - 0.5, -0.6)
    axes.set_xlim(0, 1)
    threshold(axes, asked(evidence), upright=True)
    axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    unseen = all(evidence.lengths(arm).own == evidence.lengths(arm).target for arm in arms)
    about = f"exact match {'on the unseen half' if unseen else FURTHER}"
    axes.set_xlabel(fill(about, 36) if is_narrow else about, fontsize=8.5)
    if is_narrow:
        axes.set_xticks([0, 0.5, 1])
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    under = axes.transAxes + ScaledTranslation(0, -UNDER, figure.dpi_scale_trans)
    axes.legend(
        handles=bars_explained(evidence, shown, bool(guesses)), fontsize=SMALL, frameon=False,
        ncols=1 if is_narrow else 3, loc="upper center", bbox_transform=under,
        bbox_to_anchor=(0.3, -0.01) if is_narrow else (0.35, 0),
    )  # fmt: skip


def bar(axes: Any, row: int, sample: Sample, doubted: bool) -> None:
    axes.barh(row, sample.median, height=0.62, **bar_look(doubted))
    found = sample.interval
    axes.plot([found.low, found.high], [row, row], color=INK, linewidth=1.2, zorder=2)
    for place, value in enumerate(sample.values):
        spread = min(0.16, 0.5 / len(sample.values)) * (place - (len(sample.values) - 1) / 2)
        axes.plot(
            value, row + spread, "o", color=INK, markersize=4.5, clip_on=False, zorder=3,
            markerfacecolor=INK if sample.converged[place] else "white",
        )  # fmt: skip


def bar_look(doubted: bool) -> dict[str, Any]:
    return {
        "facecolor": "white" if doubted else "#9ecae9",
        "edgecolor": COLOURS[0],
        "hatch": "///" if doubted else None,
        "linewidth": 0.8,
    }


def bars_explained(evidence: Evidence, shown: Sequence[Sample], guesses: bool) -> list[Any]:
    """A legend in words."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    doubted = {is_doubted(arm, evidence) for arm in evidence.study.arms}
    expected = expectations(evidence)
    handles: list[Any] = [
        Patch(label=expected[flag], **bar_look(flag)) for flag in (False, True) if flag in doubted
    ]
    if any(sample.interval.low < sample.interval.high for sample in shown):
        handles.append(Line2D([], [], color=INK, linewidth=1.2, label="interval over seeds"))
    handles += seeds_explained(shown)
    if guesses:
        handles.append(Line2D([], [], color=GUESS, linewidth=2.2, label="what a guess gets"))
    label = f"{percent(asked(evidence))}: counts as generalising"
    return [*handles, Line2D([], [], color=GREY, linestyle=DOTS, linewidth=1.2, label=label)]


def expectations(evidence: Evidence) -> dict[bool, str]:
    """What is expected of a bar, by whether it is doubted."""
    if any(isinstance(check, Below) for check in evidence.study.checks(evidence.scale)):
        return {False: "expected to be better", True: "expected to be worse"}
    return {
        False: "program in the paper: should generalise",
        True: "none in the paper: should fail",
    }


def is_doubted(arm: Arm, evidence: Evidence) -> bool:
    """Does the claim say that it is worse than another, or that it fails?"""
    checks = evidence.study.checks(evidence.scale)
    worse = [check.worse for check in checks if isinstance(check, Below)]
    return arm in (worse or [check.arm for check in checks if isinstance(check, AtMost)])


def counterfactual(figure: "Drawing", evidence: Evidence) -> None:
    """Four tests in a grid, in and out of distribution, over training length."""
    grid = figure.subplots(2, 2, sharex=True)
    (arm,) = evidence.study.arms
    shown: list[Sample] = []
    for axes, (test, name) in zip(grid.flat, arm.counterfactual_tests.items(), strict=False):
        for number, where in enumerate(LABELS):
            samples = [
                evidence.passed(arm, trained, test, where)
                for trained in arm.trained(evidence.scale)
            ]
            samples = [sample for sample in samples if sample.values]
            shown += samples
            if samples:
                x = [sample.trained_to for sample in samples]
                line(axes, x, [sample.median for sample in samples], number, LABELS[where])
                for sample in samples:
                    points(axes, sample.trained_to, sample, number)
        shares(axes, "share")
        axes.set_title(name, fontsize=9)
        axes.set_xticks(arm.trained(evidence.scale))
    for axes in grid[1]:
        axes.set_xlabel("longest training length")
    finish(grid[0, 0], shown)


def shortcut(figure: "Drawing", evidence: Evidence) -> None:
    """Token by token where the shortcut is wrong: who does the model agree with?"""
    arms = evidence.study.arms
    figure.set_figheight(3.6)
    grid = figure.subplots(1, len(arms), sharey=True, squeeze=False)[0]
    for axes, arm in zip(grid, arms, strict=True):
        (trained,) = arm.trained(evidence.scale)
        tested = trained + max(arm.further)
        runs = evidence.runs(arm, trained)
        found = [one for run in runs for one in run.result.compared if one.length == tested]
        every = zip(*(one.by_position for one in found), strict=True)
        places = [place for place, pairs in enumerate(every) if None not in pairs]
        for number, name in enumerate(("as the shortcut", "right")):
            curves = [
                [pair[number] for place in places if (pair := one.by_position[place]) is not None]
                for one in found
            ]
            x = [place + 1 for place in places]
            for curve in curves:
                axes.plot(x, curve, color=COLOURS[number], linewidth=0.7, alpha=0.6)
            if curves:
                middle = [median(values) for values in zip(*curves, strict=True)]
                line(axes, x, middle, number, name)
        shares(axes, "share of the model's tokens")
        axes.set_title(f"{arm.label}, tested at {tested}", fontsize=9)
        axes.set_xlabel("token of the answer")
        whole_numbers(axes)
        if found:
            axes.legend(fontsize=SMALL, frameon=False)
        else:
            nothing(axes)


PANELS: Mapping[str, Callable[["Drawing", Evidence], None]] = MappingProxyType(
    {
        "bars": bars,
        "over-length": over_length,
        "over-training-length": over_training_length,
        "training": training,
        "counterfactual": counterfactual,
        "shortcut": shortcut,
    }
)
