"""Scorecards as text: for the terminal and for results/SCALE/scorecard.md."""

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING

from raspl.runs.costs import Estimator
from raspl.studies.checks import FITTED
from raspl.studies.claims import Claim
from raspl.studies.conjecture import Line, stands
from raspl.studies.findings import against, paragraph
from raspl.studies.intervals import FEWEST, LEVEL
from raspl.studies.minutes import Minutes
from raspl.studies.report.notes import Notes
from raspl.studies.scales import MOST_SEEDS
from raspl.studies.verdicts import Finding, Verdict
from raspl.tasks.generalisation import CONVERGED, FAILS, GENERALISES
from raspl.words import duration, percent

if TYPE_CHECKING:
    from rich.table import Table

STYLES: Mapping[Verdict, str] = {
    Verdict.REPRODUCED: "bold green",
    Verdict.PARTLY: "bold yellow",
    Verdict.NOT_REPRODUCED: "bold red",
    Verdict.UNDECIDED: "cyan",
    Verdict.NOT_CONVERGED: "yellow",
    Verdict.NOT_RUN: "dim",
}
THRESHOLDS = (
    f"A task generalises if its median exact match is at least {percent(GENERALISES)}, and does "
    f"not if it is at most {100 * FAILS:.0f} percentage points above guessing. A run has converged "
    f"if it reaches {percent(CONVERGED)} in distribution, that is, on examples of all lengths "
    "drawn as in training; below that it counts as “not converged”, never as a failure to "
    "generalise. Medians are over the converged runs if most runs converged. The interval beside a "
    f"median goes from one seed's value to another's; it covers at least {percent(LEVEL)} if there "
    "are five seeds or more, and says how much if there are fewer. A condition is “undecided” if "
    f"its threshold lies inside the interval, or if fewer than {FEWEST} runs count. Training speed "
    f"is the step at which exact match at the longest training length first reached "
    f"{percent(FITTED)}. All other numbers are from the end of the schedule."
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
    heads = ["study", "verdict", "met", "seeds", "need", "runs"]
    for head in [*heads, "to run"]:
        grid.add_column(head, no_wrap=True)
    for claim in claims:
        evidence = claim.evidence
        wanted = claim.study.runs(evidence.scale, seeds)
        missing = [config for name, config in wanted.items() if name not in mine]
        shown = claim.study.runs(evidence.scale, max(seeds, evidence.seeds)).keys()
        grid.add_row(
            claim.study.id,
            styled(claim.verdict),
            claim.tally.replace(" of ", "/"),
            seeds_there(claim) if evidence.found else "–",
            seeds_to_decide(claim),
            f"{len(shown & evidence.records.keys())}/{len(shown)}",
            duration(estimator.total(missing)) if missing else "–",
        )
    return grid


def styled(verdict: Verdict) -> str:
    return f"[{STYLES[verdict]}]{verdict}[/]"


def seeds_to_decide(claim: Claim) -> str:
    """An estimate, where the seeds there are leave something open."""
    if claim.verdict is Verdict.NOT_RUN or not claim.of(Verdict.UNDECIDED):
        return "–"
    number = claim.seeds_needed(MOST_SEEDS)
    return str(number) if number else f"> {MOST_SEEDS}"


def seeds_there(claim: Claim) -> str:
    """Of the point with the fewest, and of that with the most."""
    least, most = claim.evidence.seeds_per_point
    return str(most) if least == most else f"{least}–{most}"


def open_parts(claims: Sequence[Claim], own: Mapping[str, Claim]) -> list[str]:
    """A line for each claim that is not simply reproduced: which part is not.

    And one for each that the user's own runs say something else of.
    """
    lines = []
    for claim in claims:
        if claim.words:
            lines.append(f"{claim.study.id}: {claim.words}")
        yours = own.get(claim.study.id)
        if yours and yours.verdict not in (claim.verdict, Verdict.NOT_RUN):
            lines.append(f"{claim.study.id}, by your own runs: {yours.verdict}")
    return lines


def details(claim: Claim) -> "Table":
    """One study: every condition with its numbers and the paper's."""
    from rich.table import Table

    grid = Table(
        "verdict", "condition", "measured", "paper", box=None, pad_edge=False,
        title=f"{claim.study.id}: {claim.verdict}", title_justify="left",
    )  # fmt: skip
    for finding in claim.findings:
        grid.add_row(styled(finding.verdict), finding.sentence, finding.numbers, finding.paper)
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


def scorecard(
    claims: Sequence[Claim], lines: Sequence[Line], notes: Notes, costs: Sequence[Minutes]
) -> str:
    """Markdown, for people who read the repository."""
    begun = [claim for claim in claims if claim.begun]
    papers = [claim for claim in begun if claim.study.is_of_the_paper]
    questions = [claim for claim in begun if claim not in papers]
    idle = ", ".join(f"`{claim.study.id}`" for claim in claims if not claim.begun)
    found = [
        f"**{claim.study.title}.** {paragraph(claim)} {notes.of.get(claim.study.id, '')}".strip()
        for claim in against(claims)
    ]
    parts = [
        f"# Scorecard, {claims[0].evidence.scale} scale",
        f"{THRESHOLDS} Made by `raspl study publish`.",
        listing("the paper's claim", papers, lines),
        *(
            ["## What the paper leaves open", listing("question", questions, lines)]
            * bool(questions)
        ),
        f"Not run at this scale: {idle}." if idle else "",
        *(["## Findings against the paper", *found] if found else []),
        notes.general,
        price_list(costs),
        *(section(claim, notes.of.get(claim.study.id, "")) for claim in begun),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def listing(what: str, claims: Sequence[Claim], lines: Sequence[Line]) -> str:
    """A table with a line for each claim."""
    rows = (
        f"| [`{claim.study.id}`](figures/{claim.study.id}.png) | {claim.study.claim} | "
        f"**{claim.verdict}**{f'; {claim.words}' if claim.words else ''} | {claim.paper} | "
        f"{claim.ours} | {stands(claim, lines) or '–'} | {seeds_there(claim)} | "
        f"{duration(claim.evidence.seconds)} |"
        for claim in claims
    )
    head = (
        f"| study | {what} | verdict | paper | ours | does the conjecture agree? | seeds "
        "| time on one core |\n|---|---|---|---|---|---|---|---|"
    )
    return "\n".join([head, *rows])


def section(claim: Claim, note: str) -> str:
    rows = "\n".join(row(finding) for finding in claim.findings)
    head = "| verdict | condition | measured | paper |\n|---|---|---|---|"
    text = f"## {claim.study.id}: {claim.verdict}\n\n{head}\n{rows}"
    return f"{text}\n\n{note}" if note else text


def price_list(costs: Sequence[Minutes]) -> str:
    """What a run costs, ours as measured and the paper's recipe as estimated."""
    known = [one for one in costs if one.measured is not None]
    if not known:
        return ""
    rows = "\n".join(
        f"| {one.arm.label} | {one.ours} | {one.papers} | {one.times} |" for one in known
    )
    head = "| task | ours, one core | the paper's recipe, estimated | times longer |"
    return f"## What a run costs\n\n{head}\n|---|---|---|---|\n{rows}"


def row(finding: Finding) -> str:
    return f"| {finding.verdict} | {finding.sentence} | {finding.numbers} | {finding.paper} |"
