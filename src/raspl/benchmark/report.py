"""The benchmark for people: tables in a terminal, figures, and a page beside the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from raspl.benchmark.blind import blind_rows, read_frozen
from raspl.benchmark.cases import Home
from raspl.benchmark.conjecture import Rate, Share, failure_lines, rates, rates_by_kind
from raspl.benchmark.figures import drawn_kinds, drawn_rates, reliability, save
from raspl.benchmark.judging import Case
from raspl.benchmark.scores_file import write_scores
from raspl.benchmark.scoring import COMPARED, OURS, Board, Row, best_rival
from raspl.files import write_text
from raspl.prediction.forecast.scores import SCORES, Interval

if TYPE_CHECKING:
    from rich.table import Table

PAGE = "scorecard.md"
HEADER = ("distance", "predictor", "tasks", "generalise", *SCORES)


def summary(board: Board) -> Table:
    """Our forecasts beside the best rival; the page has all of them, with intervals."""
    from rich.table import Table

    table = Table("suite", "at", "tasks", "right", "AUC", "Brier", "off by", "best rival", box=None)
    for ours in (row for row in board.rows if row.predictor == OURS):
        best = best_rival(board.rows, ours)
        numbers = (_number(ours.scores[name].value) for name in SCORES)
        rival = "–" if best is None else f"{best.predictor}, Brier {best.scores['Brier'].value:.3f}"
        table.add_row(ours.suite, f"{ours.distance:g} ×", str(ours.tasks), *numbers, rival)
    table.caption = "“Off by”: calibration error. The best rival has the smallest Brier score."
    return table


def _facts(row: Row) -> tuple[str, ...]:
    return f"{row.distance:g} ×", row.predictor, str(row.tasks), f"{row.happened:.0%}"


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.3f}"  # not a number: there is nothing to rank


def _interval(interval: Interval) -> str:
    if interval.value != interval.value:
        return "–"
    low, high = _number(interval.low), _number(interval.high)
    return f"{_number(interval.value)} ({low} to {high})"


def write_page(board: Board, cases: Sequence[Case], home: Home) -> Path:
    """`scorecard.md` with its figures, and the scores for other pages."""
    write_scores(board.rows, home.folder)
    home.figures.mkdir(parents=True, exist_ok=True)
    save(reliability(board), home.figures / "reliability")
    parts = [
        "# How good the forecasts are\n",
        "Made by `raspl bench score` from the predictions and outcomes in this folder. Every "
        "probability is cross-validated: the model that gives it was fitted on other tasks. "
        "“Family left out” is fitted on no task of the same family at all. Intervals cover 95 % of "
        "resamples of the tasks; where a task has several outcomes, all of them count. C-RASP and "
        "R-trivial are classes of languages that others decided from the automaton. "
        "[The benchmark's tasks](../../docs/benchmark.md), [how to read a "
        "forecast](../../docs/forecast.md).\n",
        "![Forecast and outcome, in ten groups](figures/reliability.png)\n",
        *_score_tables(board.rows),
        *_blind(cases, home),
    ]
    found = rates(cases)
    if found:
        save(drawn_rates(found), home.figures / "cost")
        parts += [*_conjecture(found), *failure_lines(cases), ""]
        by_kind = rates_by_kind(cases)
        save(drawn_kinds(by_kind), home.figures / "kinds")
        parts += _kinds(by_kind)
    path = home.folder / PAGE
    write_text(path, "\n".join(parts))
    return path


def _blind(cases: Sequence[Case], home: Home) -> Iterator[str]:
    frozen = read_frozen(home.folder)
    rows = [] if frozen is None else blind_rows(cases, frozen)
    if frozen is None:
        return
    yield "## Blind\n"
    yield (
        "The choice of features and the coefficients were frozen at "
        f"{frozen.model.provenance['fitted']}, when {len(frozen.tasks)} tasks had outcomes. These "
        "are the scores of that model on tasks whose outcomes came later. Rivals are fitted to "
        "the same tasks as it was.\n"
    )
    if not rows:
        yield "There are none yet.\n"
    yield from _score_tables(rows, heading="###")


def _score_tables(rows: Sequence[Row], heading: str = "##") -> Iterator[str]:
    header = (*HEADER, *(f"forecast's {name} less this one's" for name in COMPARED))
    for suite in dict.fromkeys(row.suite for row in rows):
        yield f"{heading} {suite.capitalize()}\n"
        yield f"| {' | '.join(header)} |"
        yield f"|{'---|' * len(header)}"
        for row in (row for row in rows if row.suite == suite):
            scores = (_interval(row.scores[name]) for name in SCORES)
            less = (_interval(d) if d else "" for d in map(row.ours_less_this.get, COMPARED))
            cells = (*_facts(row), *scores, *less)
            yield f"| {' | '.join(cells)} |"
        yield ""


def _conjecture(found: Sequence[Rate]) -> Iterator[str]:
    yield "## Do tasks with a short program generalise?\n"
    yield (
        "Random tasks that were drawn from the language itself, by the cost of the shortest "
        "program that the search finds: the share of runs that generalise, with 95 % intervals "
        "(Wilson).\n"
    )
    yield "![The share that generalises, by cost](figures/cost.png)\n"
    yield "| cheapest program | distance | runs | generalise | converged runs | generalise |"
    yield "|---|---|---|---|---|---|"
    for rate in found:
        yield f"| {' | '.join(rate.cells)} |"
    yield ""


def _kinds(by_kind: Mapping[str, Mapping[float, Share]]) -> Iterator[str]:
    yield "## What a program looks at, and how far it carries\n"
    yield (
        "All random tasks, by the strict programs that the search finds: the share of runs that "
        "generalise, with 95 % intervals (Wilson).\n"
    )
    yield "![The share that generalises, by distance and kind of program](figures/kinds.png)\n"
    distances = next(iter(by_kind.values()))
    yield f"| the search finds | runs | {' | '.join(f'{d:g} ×' for d in distances)} |"
    yield f"|---|---|{'---|' * len(distances)}"
    for kind, shares in by_kind.items():
        runs = max(share.of for share in shares.values())
        yield f"| {kind} | {runs} | {' | '.join(map(str, shares.values()))} |"
    yield ""
