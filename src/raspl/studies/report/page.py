"""One self-contained page that tells the story.

First the conjecture and the headline, then what was predicted and what came out, then every claim,
to be opened.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mode
from typing import Any

import numpy as np

from raspl.files import write_text
from raspl.programs import load_single
from raspl.studies import inside as insides
from raspl.studies.claims import Claim
from raspl.studies.conjecture import Line, stands
from raspl.studies.departures import PAPER, of_arm
from raspl.studies.evidence import seeds_counted
from raspl.studies.findings import against, paragraph
from raspl.studies.inside import Inside
from raspl.studies.minutes import Minutes
from raspl.studies.report import figures, forecasts
from raspl.studies.report.notes import Notes
from raspl.studies.report.panels import NARROW, WIDTH
from raspl.studies.report.readme import HEADLINE, headline_words
from raspl.studies.report.tables import THRESHOLDS, seeds_to_decide
from raspl.studies.study import Arm
from raspl.studies.verdicts import Verdict
from raspl.tasks import Purpose, Scale, Task, stream
from raspl.templates import render
from raspl.training.configuration import Configuration
from raspl.words import duration, percent

LOOKS = {
    Verdict.REPRODUCED: ("good", "✓"),
    Verdict.PARTLY: ("half", "◐"),
    Verdict.NOT_REPRODUCED: ("bad", "✗"),
    Verdict.UNDECIDED: ("open", "?"),
    Verdict.NOT_CONVERGED: ("open", "…"),
    Verdict.NOT_RUN: ("none", "–"),
}
"""Of a verdict: its class in the page's style, and a sign, so that colour is not all there is."""
OPTIMISERS = {"adamw": "AdamW", "muon": "Muon and AdamW"}
SHOWN = 3
"""Examples of a task's format."""
EXAMPLE_LENGTH = 4


@dataclass(frozen=True)
class Part:
    """The results of one scale; scales are never mixed in a figure or a claim."""

    scale: Scale
    claims: Sequence[Claim]
    lines: Sequence[Line]
    notes: Notes = field(default_factory=Notes)
    own: Mapping[str, Claim] = field(default_factory=dict)
    """The same studies on the user's runs alone, where others ship."""
    minutes: Sequence[Minutes] = ()
    """What a run of each line of the headline costs."""
    inside: Inside | None = None
    """What alignments of the trained networks show, if there are any."""


@dataclass(frozen=True)
class Lead:
    """What was just run, to stand before everything else."""

    claim: Claim
    lines: Sequence[Line]


def write(
    parts: Sequence[Part], path: Path, lead: Lead | None = None, results: Path | None = None
) -> None:
    """`results` is where the forecasts are that the page tells of."""
    write_text(path, page(parts, lead, results))


def page(parts: Sequence[Part], lead: Lead | None = None, results: Path | None = None) -> str:
    first, *others = parts
    return render(
        __package__,
        "report.html",
        scale=first.scale,
        thresholds=THRESHOLDS,
        looks=LOOKS,
        lead=lead and shown_lead(lead),
        first=shown_part(first, "" if lead is None else "shipped-"),
        forecasts=shown_forecasts(results),
        others=[shown_part(part, f"{part.scale}-") for part in others],
    )


def shown_lead(lead: Lead) -> dict[str, Any]:
    return {
        "title": lead.claim.study.title,
        # Its heading says what it is, and one seed decides no claim.
        "pictures": pictures(lead.claim, "lead-", titled=False),
        "lines": [shown_line(line) for line in lead.lines],
        "searched": searched(lead.lines),
        "scale": lead.claim.evidence.scale,
    }


def shown_part(part: Part, mark: str) -> dict[str, Any]:
    """All of a scale; `mark` keeps ids apart where scales share a page."""
    run = [claim for claim in part.claims if claim.verdict is not Verdict.NOT_RUN]
    papers = [claim for claim in run if claim.study.is_of_the_paper]
    counts = {one: sum(claim.verdict is one for claim in papers) for one in Verdict}
    headline = next((claim for claim in run if claim.study.id == HEADLINE), None)

    def shown(claim: Claim) -> dict[str, Any]:
        note, own = part.notes.of.get(claim.study.id, ""), part.own.get(claim.study.id)
        return shown_claim(claim, part.lines, note, own, mark)

    return {
        "scale": part.scale,
        "seeds": seeds_in_words(run),
        "headline": headline and pictures(headline, f"{mark}story-"),
        "headline_words": headline and headline_words(headline),
        "tally": [(one, count) for one, count in counts.items() if count],
        "searched": searched(part.lines),
        "lines": [shown_line(line) for line in part.lines if line.sample.values],
        "notes": paragraphs(part.notes.general),
        "inside": part.inside and shown_inside(part.inside, mark),
        "findings": [
            {"title": claim.study.title, "text": paragraph(claim)} for claim in against(part.claims)
        ],
        "claims": [shown(claim) for claim in papers],
        "questions": [shown(claim) for claim in run if claim not in papers],
        "minutes": [one for one in part.minutes if one.measured is not None],
        "not_run": [
            f"{claim.study.id} ({claim.words})" if claim.words else claim.study.id
            for claim in part.claims
            if claim.verdict is Verdict.NOT_RUN
        ],
    }


def shown_inside(inside: Inside, mark: str) -> dict[str, Any]:
    """The study `inside`: sentences, a figure, a row for each variable and for each network."""
    return {
        "sentences": inside.sentences(),
        "picture": embedded(insides.svg(inside), f"{mark}inside-"),
        "rows": [
            {
                "run": one.run,
                "trained_to": one.trained_to,
                "verdict": one.verdict,
                "lost": ", ".join(row.variable for row in one.tested if not row.is_found) or "–",
                "longer": [
                    {
                        "where": longer.where,
                        "exact": percent(longer.exact),
                        "holds": percent(one.worst_at(place)),
                    }
                    for place, longer in enumerate(one.longer)
                ],
            }
            for one in inside.found
        ],
        "variables": insides.variables_held(inside),
        "explained": [
            {
                "run": one.run,
                "beyond": one.beyond,
                "exact": percent(one.exact),
                "cost": "–" if one.best is None else one.best.cost or "not found by the search",
                "trained": "–" if one.best is None else percent(one.best.trained),
                "far": "–" if one.best is None else percent(one.best.beyond),
                "text": "" if one.best is None else one.best.text,
                "known": one.best is not None and one.best.is_known,
                "exhausted": one.exhausted,
            }
            for one in inside.explained
        ],
    }


def shown_forecasts(results: Path | None) -> dict[str, Any] | None:
    made = forecasts.shown(results)
    if made is None:
        return None
    marked = enumerate(made["pictures"])
    return {**made, "pictures": [embedded(text, f"forecast-{number}-") for number, text in marked]}


def seeds_in_words(claims: Sequence[Claim]) -> str:
    numbers = [number for claim in claims for number in claim.evidence.seeds_per_point]
    return f"{seeds_counted(min(numbers, default=0), max(numbers, default=0))} per point"


def searched(lines: Sequence[Line]) -> str:
    """What predictions were made from: they look at short examples, whatever runs train on."""
    made = {line.task: line.prediction.trained_to for line in lines if line.prediction is not None}
    if not made:
        return ""
    usual = mode(made.values())
    aside = "; ".join(f"{task}: {length}" for task, length in made.items() if length != usual)
    return f", from a search over examples up to length {usual}" + f" ({aside})" * bool(aside)


def shown_line(line: Line) -> dict[str, Any]:
    """What was predicted of a task, beside what training showed."""
    return {
        "task": line.task,
        "has_program": "yes" if line.has_program else "no",
        "reasons": "" if line.prediction is None else "\n".join(line.prediction.reasons()),
        "predicted": line.predicted,
        "lengths": f"{line.sample.trained_to} → {line.sample.tested_at}",
        "exact_match": ", ".join(percent(value) for value in line.sample.values) or "–",
        "outcome": line.outcome,
        "agrees": {True: "yes", False: "no", None: "–"}[line.agrees],
    }


def paragraphs(text: str) -> list[str]:
    return [one.strip() for one in text.split("\n\n") if one.strip()]


def shown_claim(
    claim: Claim, lines: Sequence[Line], note: str, own: Claim | None, mark: str
) -> dict[str, Any]:
    """A study with its findings, its figure and its tasks."""
    study, evidence = claim.study, claim.evidence
    arms: dict[str, Arm] = {}
    for arm in study.arms:
        arms.setdefault(arm.task, arm)
    return {
        "id": f"{mark}{study.id}",
        "study": study.id,
        "title": study.title,
        "claim": study.claim,
        "where": study.where,
        "verdict": claim.verdict,
        "words": claim.words,
        "paper": claim.paper,
        "ours": claim.ours,
        "conjecture": stands(claim, lines) or "–",
        "to_decide": seeds_to_decide(claim),
        "findings": claim.findings,
        "runs": f"{len(evidence.found)} of {len(evidence.wanted())}",
        "time": duration(evidence.seconds),
        "scale": evidence.scale,
        "seeds": evidence.seeds,
        "notes": paragraphs(note),
        "own": own,
        "picture": picture(claim, mark),
        "tasks": [shown_task(arm, evidence.scale) for arm in arms.values()],
    }


def picture(claim: Claim, mark: str, width: float = WIDTH, titled: bool = True) -> Any:
    text = figures.svg(claim, transparent=True, width=width, titled=titled)
    return embedded(text, f"{mark}{claim.study.id}-")


def pictures(claim: Claim, mark: str, titled: bool = True) -> dict[str, Any]:
    """A figure that is seen before anything is opened, also as a phone shows it."""
    return {
        "wide": picture(claim, mark, titled=titled),
        "narrow": picture(claim, f"{mark}narrow-", NARROW, titled),
    }


def embedded(text: str, mark: str) -> Any:
    """An SVG without its prologue, its ids made unique on the page."""
    from markupsafe import Markup

    text = text[text.index("<svg") :]
    text = re.sub(r'\bid="', f'id="{mark}', text)
    text = re.sub(r'href="#', f'href="#{mark}', text)
    return Markup(re.sub(r"url\(#", f"url(#{mark}", text))  # Matplotlib has escaped its texts


def shown_task(arm: Arm, scale: Scale) -> dict[str, Any]:
    """A task as one arm trains it."""
    config = arm.configuration(scale, arm.trained(scale)[-1], seed=0)
    task = config.build_task()
    shown: dict[str, Any] = {
        "name": config.task,
        "about": task.about,
        "model": f"{config.layers} layers, {config.heads} heads, width {config.width}; "
        f"{config.steps:,} steps of {config.batch} contexts of {config.context} tokens "
        f"({config.layout}, loss on {config.loss}), {OPTIMISERS[config.optimiser]} at learning "
        f"rate {config.learning_rate:g}, trained on the distribution “{config.train_on}”.",
        "departures": of_arm(arm, scale) if arm.is_of_the_paper and scale != PAPER else (),
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
