"""What an alignment found, as data that is kept."""

from __future__ import annotations

from typing import Literal

from raspl.validated import Record

Verdict = Literal["runs this program", "runs a part", "does not"]
FOUND = 0.9
"""The interchange accuracy from which a variable counts as found."""
AGREES = 0.95
"""The share of the program's outputs that a network must give by itself to run the program."""


class Score(Record):
    """Interchange accuracy: how often the network says what the program says after the swap."""

    answers: float
    """The share of pairs in which it does so at every output that is asked for, changed by the
    swap or not. This is the score that counts: it compares with exact match."""
    low: float
    high: float
    """The 95 % interval of `answers`."""
    changed: float
    """The share of outputs where the swap changes what the program says."""
    asked: float
    """The share of all outputs that are asked for, so also where ignoring the swap is right."""
    pairs: int
    """None at all if the variable never differs, or never matters, at these lengths."""


class Cell(Record):
    """One variable at one site."""

    site: int
    dimensions: int
    """How large the subspace is: the smallest that is as good as the best on held-out pairs."""
    trained: Score
    """At training lengths, on pairs that neither the fit nor the choice of dimensions saw."""
    beyond: Score
    """At longer lengths."""
    whole: float
    """The control: `answers` at training lengths if the whole stream is swapped."""
    steps: int


class Row(Record):
    """One variable at every site."""

    variable: str
    type: str
    depth: int
    untested: str = ""
    """Why there is nothing to test, if so."""
    cells: tuple[Cell, ...] = ()

    @property
    def best(self) -> Cell | None:
        """The earliest site whose interval reaches the best score."""
        if not self.cells:
            return None
        top = max(self.cells, key=lambda cell: cell.trained.answers)
        return next(cell for cell in self.cells if cell.trained.high >= top.trained.answers)

    @property
    def is_found(self) -> bool:
        return self.best is not None and self.best.trained.answers >= FOUND

    @property
    def holds_beyond(self) -> bool:
        return self.is_found and self.best is not None and self.best.beyond.answers >= FOUND


class Alignment(Record):
    """Where the variables of a program live in a network."""

    run: str
    task: str
    program: str
    sites: tuple[str, ...]
    width: int
    trained_to: int
    beyond: str
    """What "beyond" is, in words."""
    agreement: float
    """The share of outputs at training lengths in which network and program agree."""
    agreement_beyond: float
    exact_beyond: float
    """The share of whole answers beyond training that the network gets right."""
    rows: tuple[Row, ...]
    seconds: float = 0.0

    @property
    def tested(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.cells)

    @property
    def tested_beyond(self) -> tuple[Row, ...]:
        """At one length a variable may be a matter of position alone, with nothing to swap."""
        return tuple(row for row in self.tested if row.best and row.best.beyond.pairs)

    @property
    def score(self) -> float:
        """The mean accuracy over tested variables, each where it is best, at training lengths."""
        return _mean([row.best.trained.answers for row in self.tested if row.best])

    @property
    def score_beyond(self) -> float:
        """The same subspaces at longer lengths."""
        return _mean([row.best.beyond.answers for row in self.tested_beyond if row.best])

    @property
    def verdict(self) -> Verdict:
        return judge([row.is_found for row in self.tested], self.agreement)

    @property
    def verdict_beyond(self) -> Verdict:
        return judge([row.holds_beyond for row in self.tested_beyond], self.agreement_beyond)


def judge(found: list[bool], agreement: float) -> Verdict:
    """All variables that can be tested and the outputs; some of the variables; none."""
    if found and all(found) and agreement >= AGREES:
        return "runs this program"
    return "runs a part" if any(found) else "does not"


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
