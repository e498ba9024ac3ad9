"""Alignments and explanations in words, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raspl.compiler.names import OUTPUT
from raspl.inside.explanation import Candidate, Explanation
from raspl.inside.records import AGREES, FOUND, Alignment, Cell, Row, Score


def reason(found: Alignment) -> str:
    """Why the verdict at training lengths is what it is, in one sentence."""
    have = [row.variable for row in found.tested if row.is_found]
    where = f"up to length {found.trained_to}"
    return _reason(found.tested, have, found.agreement, where)


def reason_at(found: Alignment, place: int) -> str:
    """The same at one of the longer lengths."""
    longer = found.longer[place]
    rows, held = found.tested_at(place), found.held_at(place)
    said = _reason(rows, held, longer.agreement, f"at {longer.where}")
    return f"{said}, and {longer.exact:.0%} of whole answers right"


def _reason(rows: Sequence[Row], have: Sequence[str], agreement: float, where: str) -> str:
    lack = [row.variable for row in rows if row.variable not in have]
    said = f"{where} it gives {agreement:.0%} of the program's outputs"
    if not rows:
        return f"no variable can be tested; {said}"
    follow = "variable follows" if len(rows) == 1 else "variables follow"
    count = f"{len(have)} of {len(rows)} {follow} the program when swapped"
    if [row.variable for row in rows] == [OUTPUT]:
        count += " (its one variable is the answer itself, so this says little)"
    missing = "" if not lack else f"; not found: {', '.join(lack)}"
    short = "" if agreement >= AGREES else f", and {AGREES:.0%} are needed"
    return f"{count}{missing}; {said}{short}"


def lines(found: Alignment) -> Iterator[str]:
    """The verdicts, and below them one line a variable."""
    yield f"{found.run} and the program {found.program}"
    yield f"  trained lengths: {found.verdict}: {reason(found)}."
    for place, longer in enumerate(found.longer):
        yield f"  {longer.where}: {found.verdict_at(place)}: {reason_at(found, place)}."
    yield (
        f"  A variable is found where its interchange accuracy is at least {FOUND:.0%}; [low-high] "
        "is the 95 % interval."
    )
    for row in found.rows:
        yield from _row(found, row)


def _row(found: Alignment, row: Row) -> Iterator[str]:
    yield ""
    yield f"{row.variable}  ({row.type})" + (f": {row.untested}" if row.untested else "")
    for cell in row.cells:
        mark = "→" if cell is row.best else " "
        yield f"  {mark} {found.sites[cell.site]:<12} {_cell(cell, found.width)}"


def _cell(cell: Cell, width: int) -> str:
    beyond = ", ".join(f"{one.answers:.0%}" if one.pairs else "–" for one in cell.beyond)
    chance = "" if cell.random is None else f"   random {cell.random:.0%}"
    return (
        f"{_accuracy(cell.trained)}   beyond {beyond}   "
        f"{cell.dimensions} of {width} dimensions{chance}   whole stream {cell.whole:.0%}"
    )


def _accuracy(score: Score) -> str:
    return f"{score.answers:6.1%} [{score.low:.0%}-{score.high:.0%}]"


def explained(found: Explanation) -> Iterator[str]:
    """Legal source: all but the programs stands in comments."""
    yield f"# {found.run}, trained to length {found.trained_to}; beyond it is {found.beyond},"
    yield f"# where {found.right:.1%} of the network's outputs are right."
    for one in found.finds:
        yield from _candidate(one)
    if not found.is_explained:
        yield "# No program was found that gives 90 % of the network's outputs beyond training."
    if found.exhausted > 0:
        yield f"# No program of cost {found.exhausted} or less gives all of the network's outputs"
        yield "# on examples of training lengths and of longer ones."
    for one in found.known:
        yield "#"
        yield f"# For comparison, the program {one.name} ({one.origin}): {_shares(one)}"


def _candidate(one: Candidate) -> Iterator[str]:
    yield "#"
    yield f"# Cost {one.cost}, found from {one.origin}: {_shares(one)}"
    yield from one.text.rstrip().splitlines()


def _shares(one: Candidate) -> str:
    return (
        f"it gives {one.trained:.1%} of the network's outputs at training lengths and "
        f"{one.beyond:.1%} beyond ({one.first:.0%} of first tokens, {one.inner:.0%} of those "
        f"after them, {one.end:.0%} of ends)."
    )
