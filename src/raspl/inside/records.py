"""What an alignment found, as data that is kept."""

from __future__ import annotations

from typing import Literal

from raspl.validated import Record

Verdict = Literal["runs this program", "runs a part", "does not", "can't be tested"]
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
    beyond: tuple[Score, ...]
    """The same subspace at each of the alignment's longer lengths."""
    whole: float
    """A control: `answers` at training lengths if the whole stream is swapped."""
    random: float | None = None
    """A control: the same for as many random directions. None where it was not measured."""
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
        """The earliest site whose interval reaches the best score; where the variable is found at
        some site, only those at which it is."""
        if not self.cells:
            return None
        top = max(cell.trained.answers for cell in self.cells)
        near = [cell for cell in self.cells if cell.trained.high >= top]
        return next(cell for cell in near if cell.trained.answers >= FOUND or top < FOUND)

    @property
    def is_found(self) -> bool:
        return self.best is not None and self.best.trained.answers >= FOUND

    def score_at(self, place: int) -> Score | None:
        """Where it is best, at one of the longer lengths; None if there is nothing to swap."""
        score = self.best.beyond[place] if self.best is not None else None
        return score if score is not None and score.pairs else None


class Longer(Record):
    """Inputs beyond training, and how the network does on them by itself."""

    where: str
    """In words, as in "length 50"."""
    agreement: float
    """The share of outputs in which network and program agree."""
    exact: float
    """The share of whole answers that are right."""


class Alignment(Record):
    """Where the variables of a program live in a network."""

    run: str
    task: str
    program: str
    sites: tuple[str, ...]
    width: int
    trained_to: int
    agreement: float
    """The share of outputs at training lengths in which network and program agree."""
    longer: tuple[Longer, ...]
    rows: tuple[Row, ...]
    seconds: float = 0.0

    def __str__(self) -> str:
        """What `raspl align` prints."""
        from raspl.inside.wording import lines

        return "\n".join(lines(self))

    @property
    def tested(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.cells)

    def tested_at(self, place: int) -> tuple[Row, ...]:
        """At one length a variable may be a matter of position alone, with nothing to swap."""
        return tuple(row for row in self.tested if row.score_at(place))

    @property
    def score(self) -> float:
        """The mean accuracy over tested variables, each where it is best, at training lengths."""
        return _mean([row.best.trained.answers for row in self.tested if row.best])

    def worst_at(self, place: int) -> float:
        """Of the variables that were found at training lengths, the one that holds least at one of
        the longer lengths. 0 if none was found."""
        scores = [row.score_at(place) for row in self.tested if row.is_found]
        return min((score.answers for score in scores if score), default=0.0)

    @property
    def verdict(self) -> Verdict:
        return judge([row.is_found for row in self.tested], self.agreement)

    def verdict_at(self, place: int) -> Verdict:
        """At one of the longer lengths, for the same subspaces."""
        held = [row.variable in self.held_at(place) for row in self.tested_at(place)]
        return judge(held, self.longer[place].agreement)

    def held_at(self, place: int) -> tuple[str, ...]:
        """Variables that were found at training lengths and still hold at a longer one."""
        scores = ((row, row.score_at(place)) for row in self.tested if row.is_found)
        return tuple(row.variable for row, score in scores if score and score.answers >= FOUND)


def judge(found: list[bool], agreement: float) -> Verdict:
    """All variables that can be tested and the outputs; some of the variables; none."""
    if not found:
        return "can't be tested"
    if all(found) and agreement >= AGREES:
        return "runs this program"
    return "runs a part" if any(found) else "does not"


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0
