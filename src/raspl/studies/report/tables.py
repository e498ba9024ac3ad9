"""Scorecards as text: for the terminal and for results/SCALE/scorecard.md."""

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from raspl.runs.costs import Estimator
from raspl.studies.checks import FITTED, Finding, Verdict
from raspl.studies.claims import Claim
from raspl.studies.conjecture import Line
from raspl.studies.report.notes import Notes
from raspl.tasks.generalisation import CONVERGED, FAILS, GENERALISES
from raspl.words import duration, percent

if TYPE_CHECKING:
    from rich.table import Table

STYLES: Mapping[Verdict, str] = {
    Verdict.HOLDS: "bold green",
    Verdict.FAILS: "bold red",
    Verdict.NOT_CONVERGED: "yellow",
    Verdict.INCOMPLETE: "dim",
}
THRESHOLDS = (
    f"A task generalises if its median exact match is at least {percent(GENERALISES)}, and does "
    f"not if it is at most {100 * FAILS:.0f} percentage points above guessing. A run has converged "
    f"if it reaches {percent(CONVERGED)} in distribution, that is, on examples of all lengths "
    "drawn as in training; below that it counts as “not converged”, never as a failure to "
    "generalise. Medians are over the converged runs if most runs converged. Training speed is the "
    f"step at which exact match at the longest training length first reached {percent(FITTED)}. "
    "All other numbers are from the end of the schedule."
)


def overview(
    claims: Sequence[Claim],
    estimator: Estimator,
    seeds: int,
    mine: Container[str],
) -> "Table":
    """Every study: its verdict, the runs there are, and what those that I lack would cost."""
    from rich.table import Table

    grid = Table(box=None, pad_edge=False)
    for head in ("study", "claim", "conditions", "seeds", "runs", "to run"):
        grid.add_column(head, no_wrap=True)
    for claim in claims:
        evidence, style = claim.evidence, STYLES[claim.verdict]
        wanted = claim.study.runs(evidence.scale, seeds)
        missing = [config for name, config in wanted.items() if name not in mine]
        shown = claim.study.runs(evidence.scale, max(seeds, evidence.seeds)).keys()
        grid.add_row(
            claim.study.id,
            f"[{style}]{claim.verdict}[/]",
            claim.tally,
            str(evidence.seeds) if evidence.found else "–",
            f"{len(shown & evidence.records.keys())} of {len(shown)}",
            duration(estimator.total(missing)) if missing else "–",
        )
    return grid


def details(claim: Claim) -> "Table":
    """One study: every condition with its numbers and the paper's."""
    from rich.table import Table

    grid = Table(
        "verdict", "condition", "measured", "paper", box=None, pad_edge=False,
        title=f"{claim.study.id}: {claim.verdict}", title_justify="left",
    )  # fmt: skip
    for finding in claim.findings:
        style = STYLES[finding.verdict]
        grid.add_row(
            f"[{style}]{finding.verdict}[/]", finding.sentence, finding.numbers, finding.paper
        )
    return grid


def outcomes(lines: Sequence[Line]) -> "Table":
    """What was predicted of each task beside what training showed."""
    from rich.table import Table

    grid = Table(
        "task", "predicted", "lengths", "in distribution", "beyond", "outcome", box=None,
        pad_edge=False,
    )  # fmt: skip
    for line in lines:
        sample = line.sample
        grid.add_row(
            line.task,
            line.predicted,
            f"{sample.trained_to} → {sample.tested_at}",
            ", ".join(percent(value) for value in sample.fitted),
            ", ".join(percent(value) for value in sample.values),
            {True: "[green]{}[/]", False: "[red]{}[/]", None: "{}"}[line.agrees].format(
                line.outcome
            ),
        )
    return grid


def scorecard(claims: Sequence[Claim], notes: Notes) -> str:
    """Markdown, for people who read the repository."""
    rows = [
        f"| [`{claim.study.id}`](figures/{claim.study.id}.png) | {claim.verdict} | {claim.tally} | "
        f"{claim.evidence.seeds} | {len(claim.evidence.found)} of {len(claim.evidence.wanted())} | "
        f"{duration(claim.evidence.seconds)} | {claim.study.claim} |"
        for claim in claims
    ]
    parts = [
        f"# Scorecard, {claims[0].evidence.scale} scale",
        f"{THRESHOLDS} Made by `raspl study publish`.",
        "| study | verdict | conditions | seeds | runs | time on one core | the paper's claim |\n"
        "|---|---|---|---|---|---|---|\n" + "\n".join(rows),
        notes.general,
        *(section(claim, notes.of.get(claim.study.id, "")) for claim in claims),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def section(claim: Claim, note: str) -> str:
    rows = "\n".join(row(finding) for finding in claim.findings)
    head = "| verdict | condition | measured | paper |\n|---|---|---|---|"
    text = f"## {claim.study.id}: {claim.verdict}\n\n{head}\n{rows}"
    return f"{text}\n\n{note}" if note else text


def row(finding: Finding) -> str:
    return f"| {finding.verdict} | {finding.sentence} | {finding.numbers} | {finding.paper} |"
