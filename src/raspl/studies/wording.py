"""What was measured, in words: medians with their intervals, every seed, what the runs fitted."""

from math import inf

from raspl.studies.evidence import Sample
from raspl.studies.intervals import Interval
from raspl.words import percent


def described(sample: Sample) -> str:
    if not sample.values:
        return "no run yet"
    seeds = ", ".join(percent(value) for value in sample.values)
    text = f"median {percent(sample.median)}{around(sample.interval)} "
    text += f"(seeds: {seeds}; {in_distribution(sample)})"
    if sample.without_end and sample.without_end != sample.values:
        text += f"; without the end token {', '.join(map(percent, sample.without_end))}"
    if sample.of_few is not None:
        text += f"; of {sample.of_few} test examples, as there are no more"
    return text + (f"; {sample.missing} runs missing" if sample.missing else "")


def around(found: Interval) -> str:
    """An interval with its coverage; nothing where one run has none."""
    if not found.coverage:
        return ""
    return f", {found.coverage:.0%} interval {ranged(found)}".replace("%", "\N{NO-BREAK SPACE}%", 1)


def ranged(found: Interval) -> str:
    low, high = percent(found.low), percent(found.high)
    return low if low == high else f"{low[:-2]} to {high}"


def shortly(sample: Sample) -> str:
    """The median, and the interval where it says more."""
    if not sample.values:
        return "–"
    found = sample.interval
    middle = percent(found.middle)
    return middle if found.low == found.high else f"{middle} ({ranged(found)})"


def in_distribution(sample: Sample) -> str:
    """Exact match on what was trained on, and at its greatest length alone."""
    fitted, longest = (
        ", ".join(map(percent, values)) for values in (sample.fitted, sample.longest)
    )
    alone = "" if longest == fitted else f"; at length {sample.trained_to}: {longest}"
    return f"in distribution: {fitted}{alone}"


def steps_described(sample: Sample) -> str:
    if not sample.values:
        return "no run yet"
    words = ["never" if time == inf else f"{time:,.0f} steps" for time in sample.values]
    middle = sample.median
    return f"median {'never' if middle == inf else f'{middle:,.0f} steps'} ({', '.join(words)})"


def steps_shortly(sample: Sample) -> str:
    if not sample.values:
        return "–"
    return "never" if sample.median == inf else f"{sample.median:,.0f} steps"
