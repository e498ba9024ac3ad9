"""One self-contained page: the scorecard on top, then a section a result."""

import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mode
from typing import Any

import numpy as np

from raspl.files import write_text
from raspl.programs import load_single
from raspl.studies.checks import Verdict
from raspl.studies.claims import Claim
from raspl.studies.conjecture import Line
from raspl.studies.report import figures
from raspl.studies.report.notes import Notes
from raspl.studies.report.tables import THRESHOLDS
from raspl.tasks import Purpose, Task, stream
from raspl.templates import render
from raspl.training.configuration import Configuration
from raspl.words import duration, percent

CLASSES = {
    Verdict.HOLDS: "holds",
    Verdict.FAILS: "fails",
    Verdict.NOT_CONVERGED: "open",
    Verdict.INCOMPLETE: "none",
}
"""Of the page's style."""
OPTIMISERS = {"adamw": "AdamW", "muon": "Muon and AdamW"}
SHOWN = 3
"""Examples of a task's format."""
EXAMPLE_LENGTH = 4


def write(claims: Sequence[Claim], lines: Sequence[Line], notes: Notes, path: Path) -> None:
    write_text(path, page(claims, lines, notes))


def page(claims: Sequence[Claim], lines: Sequence[Line], notes: Notes) -> str:
    counts = {one: sum(claim.verdict is one for claim in claims) for one in Verdict}
    return render(
        __package__,
        "report.html",
        scale=claims[0].evidence.scale,
        seeds=seeds_in_words(claims),
        thresholds=THRESHOLDS,
        classes=CLASSES,
        tally=[(one, count) for one, count in counts.items() if count],
        searched=searched(lines),
        lines=[shown_line(line) for line in lines],
        notes=paragraphs(notes.general),
        claims=[shown_claim(claim, notes.of.get(claim.study.id, "")) for claim in claims],
    )


def seeds_in_words(claims: Sequence[Claim]) -> str:
    numbers = [claim.evidence.seeds for claim in claims]
    least, most = min(numbers), max(numbers)
    seeds = f"{least} to {most}" if least < most else str(most)
    return f"{seeds} seed{'s' * (most > 1)} per point"


def searched(lines: Sequence[Line]) -> str:
    """What predictions were made from: they look at short examples, whatever runs train on."""
    made = {line.task: line.prediction.trained_to for line in lines if line.prediction is not None}
    if not made:
        return ""
    usual = mode(made.values())
    aside = "; ".join(f"{task}: {length}" for task, length in made.items() if length != usual)
    return f", from a search over examples up to length {usual}" + f" ({aside})" * bool(aside)


def shown_line(line: Line) -> dict[str, str]:
    """What was predicted of a task, beside what training showed."""
    return {
        "task": line.task,
        "has_program": "yes" if line.has_program else "no",
        "reasons": "" if line.prediction is None else "; ".join(line.prediction.reasons()),
        "predicted": line.predicted,
        "lengths": f"{line.sample.trained_to} → {line.sample.tested_at}",
        "exact_match": ", ".join(percent(value) for value in line.sample.values) or "–",
        "outcome": line.outcome,
        "agrees": {True: "yes", False: "no", None: "–"}[line.agrees],
    }


def paragraphs(text: str) -> list[str]:
    return [one.strip() for one in text.split("\n\n") if one.strip()]


def shown_claim(claim: Claim, note: str) -> dict[str, Any]:
    """A study with its findings, its figure and its tasks."""
    study, evidence = claim.study, claim.evidence
    configs: dict[str, Configuration] = {}
    for config in evidence.wanted().values():
        configs.setdefault(config.task, config)
    return {
        "id": study.id,
        "title": study.title,
        "claim": study.claim,
        "where": study.where,
        "verdict": claim.verdict,
        "tally": claim.tally,
        "findings": claim.findings,
        "runs": f"{len(evidence.found)} of {len(evidence.wanted())}",
        "time": duration(evidence.seconds),
        "seeds": evidence.seeds,
        "notes": paragraphs(note),
        "picture": picture(claim),
        "tasks": [shown_task(config) for config in configs.values()],
    }


def picture(claim: Claim) -> Any:
    """The SVG without its prologue, its ids made unique on the page."""
    from markupsafe import Markup

    text = figures.svg(claim)
    text = text[text.index("<svg") :]
    mark = f"{claim.study.id}-"
    text = re.sub(r'\bid="', f'id="{mark}', text)
    text = re.sub(r'href="#', f'href="#{mark}', text)
    return Markup(re.sub(r"url\(#", f"url(#{mark}", text))  # Matplotlib has escaped its texts


def shown_task(config: Configuration) -> dict[str, str]:
    task = config.build_task()
    shown = {
        "name": config.task,
        "about": task.about,
        "model": f"{config.layers} layers, {config.heads} heads, width {config.width}; "
        f"{config.steps:,} steps of {config.batch} contexts of {config.context} tokens "
        f"({config.layout}, loss on {config.loss}), {OPTIMISERS[config.optimiser]} at learning "
        f"rate {config.learning_rate:g}, trained on the distribution “{config.train_on}”.",
        "examples": examples(task, config),
        "program": "",
    }
    if task.program is not None:
        sizes = asdict(load_single(task.program, task.alphabet).measure())
        shown["size"] = ", ".join(f"{name} {value:g}" for name, value in sizes.items())
        shown["program"] = task.program.read_text()
    return shown


def examples(task: Task, config: Configuration) -> str:
    longest = EXAMPLE_LENGTH if task.longest is None else min(EXAMPLE_LENGTH, task.longest)
    length = max(longest, task.shortest)
    rng = stream(0, Purpose.SHOW)
    drawn = task.examples(rng, np.full(SHOWN, length), config.train_on)
    return "\n".join(" ".join(task.names(row)) for row in drawn.tokens)
