"""What can be said of a claim and of each of its conditions."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias


class Verdict(StrEnum):
    REPRODUCED = "reproduced"
    PARTLY = "partly"
    """Of a claim: some of its conditions are met, and converged runs violate others."""
    NOT_REPRODUCED = "not reproduced"
    UNDECIDED = "undecided"
    """The seeds there are leave both open."""
    NOT_CONVERGED = "not converged"
    NOT_RUN = "not run"


DECIDED = (Verdict.REPRODUCED, Verdict.PARTLY, Verdict.NOT_REPRODUCED)

Outcome: TypeAlias = Literal["generalises", "does not"]


@dataclass(frozen=True)
class Finding:
    """One condition, judged."""

    verdict: Verdict
    part: str
    """What it is about, in a few words."""
    sentence: str
    """The condition with its threshold."""
    numbers: str
    """What was measured: median, interval, every seed, in-distribution exact match."""
    ours: str
    """The same in short."""
    paper: str = ""
    """The paper's number for the same."""
    task: str = ""
    """The task that is or is not expected to generalise, if the condition is about that."""
    expected: Outcome | None = None
    """What the paper found of it."""
    outcome: str = ""
    """What our runs show of it, in two words, if they decide the condition."""
    middle: float | None = None
    """The median that the condition is about, if it is about one."""
    at_the_papers_lengths: bool = False
    """Whether the runs were trained and tested as long as the paper's."""
