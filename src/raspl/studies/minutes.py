"""What a line of the paper's table costs: our runs as measured, the paper's recipe as estimated."""

from dataclasses import dataclass
from statistics import median

from raspl.runs.costs import Estimator
from raspl.studies.evidence import Evidence
from raspl.studies.study import Arm
from raspl.words import duration

MINUTE = 60


@dataclass(frozen=True)
class Minutes:
    """Minutes of one core for a run of an arm at its own training length."""

    arm: Arm
    measured: float | None
    """Median over the runs that are there; None if there are none."""
    paper: float
    """By the paper's recipe: measured where such a run is there, else from its operations."""

    @property
    def factor(self) -> float | None:
        """How many times longer the paper's recipe takes."""
        return self.paper / self.measured if self.measured else None

    @property
    def ours(self) -> str:
        return "–" if self.measured is None else duration(MINUTE * self.measured)

    @property
    def papers(self) -> str:
        return duration(MINUTE * self.paper)

    @property
    def times(self) -> str:
        """In two digits, as it is half an estimate."""
        return "–" if self.factor is None else f"{float(f'{self.factor:.2g}'):,.0f}"


def minutes(evidence: Evidence, paper: Estimator) -> list[Minutes]:
    """A line for each arm of a study; `paper` knows what runs of the paper's scale have cost."""
    lines = []
    for arm in evidence.study.arms:
        costs = [run.cost for run in evidence.runs(arm, evidence.lengths(arm).own)]
        recipe = arm.configuration("paper", arm.lengths("paper").own, seed=0)
        measured = median(costs) / MINUTE if costs else None
        lines.append(Minutes(arm, measured, paper.seconds(recipe) / MINUTE))
    return lines
