"""One self-contained page: the scorecard on top, then a section a result."""

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from statistics import mode

import numpy as np

from raspl.files import write_text
from raspl.studies import conjecture
from raspl.studies.checks import Verdict
from raspl.studies.claims import Claim
from raspl.studies.report import figures
from raspl.studies.report.notes import Notes
from raspl.studies.report.tables import THRESHOLDS
from raspl.studies.report.template import PAGE
from raspl.tasks import Purpose, Task, stream
from raspl.tasks.programs import next_token
from raspl.training.configuration import Configuration, Scale
from raspl.words import duration, percent

CLASSES = {
    Verdict.HOLDS: "holds",
    Verdict.FAILS: "fails",
    Verdict.NOT_CONVERGED: "open",
    Verdict.INCOMPLETE: "none",
}
OPTIMISERS = {"adamw": "AdamW", "muon": "Muon and AdamW"}
SHOWN = 3
"""Examples of a task's format."""
EXAMPLE_LENGTH = 4


def write(
    claims: Sequence[Claim], lines: Sequence[conjecture.Line], notes: Notes, path: Path
) -> None:
    write_text(path, page(claims, lines, notes))


def page(claims: Sequence[Claim], lines: Sequence[conjecture.Line], notes: Notes) -> str:
    scale = claims[0].evidence.scale
    parts = {
        "scale": escape(scale),
        "seeds": seeds_in_words(claims),
        "thresholds": escape(THRESHOLDS),
        "tally": tally(claims),
        "scorecard": scorecard(claims),
        "searched": searched(lines),
        "conjecture": predictions(lines),
        "notes": remarks("h2", notes.general),
        "sections": "".join(section(claim, notes.of.get(claim.study.id, "")) for claim in claims),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], PAGE)


def seeds_in_words(claims: Sequence[Claim]) -> str:
    numbers = [claim.evidence.seeds for claim in claims]
    least, most = min(numbers), max(numbers)
    seeds = f"{least} to {most}" if least < most else str(most)
    return f"{seeds} seed{'s' * (most > 1)} a point"


def badge(verdict: Verdict) -> str:
    return f'<span class="badge {CLASSES[verdict]}">{escape(verdict)}</span>'


def tally(claims: Sequence[Claim]) -> str:
    counts = {one: sum(claim.verdict is one for claim in claims) for one in Verdict}
    return " ".join(f"{badge(one)} {count}" for one, count in counts.items() if count)


def scorecard(claims: Sequence[Claim]) -> str:
    rows = "".join(
        f'<tr><td><a href="#{claim.study.id}">{claim.study.id}</a></td>'
        f'<td>{badge(claim.verdict)}</td><td class="short">{claim.tally}</td>'
        f'<td class="long">{escape(claim.study.claim)}</td>'
        f'<td class="short">{len(claim.evidence.found)} of {len(claim.evidence.wanted())}</td>'
        f'<td class="short">{duration(claim.evidence.seconds)}</td></tr>'
        for claim in claims
    )
    return table(
        ("study", "verdict", "conditions", "the paper's claim", "runs", "time on one core"), rows
    )


def table(heads: Sequence[str], rows: str) -> str:
    head = "".join(f"<th>{escape(one)}</th>" for one in heads)
    return f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div>'


def searched(lines: Sequence[conjecture.Line]) -> str:
    """What predictions were made from: they look at short examples, whatever runs train on."""
    made = [line.prediction.searched_to for line in lines if line.prediction is not None]
    if not made:
        return ""
    usual = mode(made)
    others = (
        f"{line.task}: {line.prediction.searched_to}"
        for line in lines
        if line.prediction is not None and line.prediction.searched_to != usual
    )
    aside = "; ".join(others)
    return f", from a search over examples of up to length {usual}" + f" ({aside})" * bool(aside)


def predictions(lines: Sequence[conjecture.Line]) -> str:
    rows = []
    for line in lines:
        agrees = {True: "yes", False: "no", None: "–"}[line.agrees]
        reasons = "" if line.prediction is None else "; ".join(line.prediction.reasons)
        shown = ", ".join(percent(value) for value in line.sample.values) or "–"
        rows.append(
            f"<tr><td>{escape(line.task)}</td><td>{'yes' if line.program else 'no'}</td>"
            f'<td title="{escape(reasons)}">{escape(line.predicted)}</td>'
            f"<td>{line.sample.trained_to} → {line.sample.tested_at}</td><td>{shown}</td>"
            f"<td>{escape(line.outcome)}</td><td>{agrees}</td></tr>"
        )
    heads = (
        "task", "program ships", "predicted before training", "lengths", "exact match, all seeds",
        "outcome", "agrees",
    )  # fmt: skip
    return table(heads, "".join(rows))


def paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(one.strip())}</p>" for one in text.split("\n\n") if one.strip())


def remarks(heading: str, text: str) -> str:
    """What was written by hand, which is about the results that ship and not about other runs."""
    return f"<{heading}>On the results that ship</{heading}>{paragraphs(text)}" if text else ""


def section(claim: Claim, note: str) -> str:
    study, evidence = claim.study, claim.evidence
    rows = "".join(
        f'<tr><td>{badge(one.verdict)}</td><td class="long">{escape(one.sentence)}</td>'
        f'<td class="long">{escape(one.numbers)}</td><td>{escape(one.paper)}</td></tr>'
        for one in claim.findings
    )
    configs: dict[str, Configuration] = {}
    for config in evidence.wanted().values():
        configs.setdefault(config.task, config)
    tasks = "".join(task_part(config) for config in configs.values())
    return (
        f'<section id="{study.id}"><h2>{escape(study.title)} {badge(claim.verdict)}</h2>'
        f"<p><b>Paper</b> ({escape(study.where)}): {escape(study.claim)}</p>"
        f"{table(('verdict', 'condition', 'measured', 'paper'), rows)}"
        f"{remarks('h3', note)}<figure>{picture(claim)}</figure>"
        f"<p>{command(study.id, evidence.scale, evidence.seeds)}</p>{tasks}</section>"
    )


def command(identifier: str, scale: Scale, seeds: int) -> str:
    return f"<code>raspl study run {identifier} --scale {scale} --seeds {seeds}</code>"


def picture(claim: Claim) -> str:
    """The SVG without its prologue, its ids made unique on the page."""
    text = figures.svg(claim)
    text = text[text.index("<svg") :]
    mark = f"{claim.study.id}-"
    text = re.sub(r'\bid="', f'id="{mark}', text)
    text = re.sub(r'href="#', f'href="#{mark}', text)
    return re.sub(r"url\(#", f"url(#{mark}", text)


def task_part(config: Configuration) -> str:
    task = config.build_task()
    return (
        f"<details><summary><b>{escape(config.task)}</b>: {escape(task.about)}</summary>"
        f"<p>Model: {config.layers} layers, {config.heads} heads, width {config.width}; "
        f"{config.steps:,} steps of {config.batch} contexts of {config.context} tokens "
        f"({config.layout}, loss on {config.loss}), {OPTIMISERS[config.optimiser]} at rate "
        f"{config.rate:g}, trained on the distribution “{escape(config.train_on)}”.</p>"
        f"<pre>{escape(examples(task, config))}</pre>{program_part(task)}</details>"
    )


def examples(task: Task, config: Configuration) -> str:
    longest = EXAMPLE_LENGTH if task.longest is None else min(EXAMPLE_LENGTH, task.longest)
    length = max(longest, task.shortest)
    rng = stream(0, Purpose.SHOW)
    drawn = task.examples(rng, np.full(SHOWN, length), config.train_on)
    return "\n".join(" ".join(task.names(row)) for row in drawn.tokens)


def program_part(task: Task) -> str:
    if task.program is None:
        return "<p>No RASP-L program ships for this format.</p>"
    size = next_token(task.program).measure()
    return (
        f"<p>RASP-L program: lines {size.lines}, operations {size.operations}, heads {size.heads}, "
        f"depth {size.depth}, width {size.width}, bits {size.bits:g}.</p>"
        f"<pre>{escape(task.program.read_text())}</pre>"
    )
