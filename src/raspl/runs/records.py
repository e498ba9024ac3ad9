"""What is kept of a finished run: configuration, scores, curve and cost, without weights."""

from typing import Literal, TypeAlias

from raspl.training.configuration import Configuration
from raspl.training.result import Logged, Result, Score
from raspl.validated import Record

Metric: TypeAlias = Literal["exact", "final"]
"""Exact match, or accuracy of the final answer behind a scratchpad."""


class RunRecord(Record):
    config: Configuration
    result: Result
    curve: tuple[Logged, ...]
    """What was logged while it trained."""
    seconds: float
    """Time spent on it by the clock on the wall, all sessions together."""
    sessions: int
    threads: int
    device: str
    cpu_seconds: float = 0.0
    """Processor time of all sessions and threads; 0 where it was not kept."""

    @property
    def cost(self) -> float:
        """Seconds of one core, or of the device: on a CPU processor time where it was kept, as a
        busy machine's clock shows what others did."""
        return (self.cpu_seconds if self.device == "cpu" else 0.0) or self.seconds

    @property
    def trained(self) -> float:
        """Exact match in distribution, over all lengths that training drew, at the end."""
        return self.result.as_trained.exact

    @property
    def longest(self) -> float:
        """Exact match in distribution at the longest training length."""
        return self.result.in_distribution[-1].exact

    @property
    def converged(self) -> bool:
        return self.result.converged

    def scores(self, on: str, metric: Metric) -> dict[int, float]:
        """Share right by test length."""
        if metric == "final":
            return {one.length: one.accuracy for one in self.result.final_answers}
        return self.exact(on)

    def exact(self, on: str, without_end: bool = False) -> dict[int, float]:
        """Exact match by test length, on a distribution or on the run's own."""
        scores = self.tested(on).items()
        return {at: one.exact_without_end if without_end else one.exact for at, one in scores}

    def tested(self, on: str) -> dict[int, Score]:
        """By test length, on a distribution or on the run's own."""
        listed = self.result.tested
        if on not in ("default", listed[0].on):
            listed = tuple(one for one in self.result.also if one.on == on)
        return {one.length: one for one in listed}

    def fitting(self) -> list[tuple[int, float]]:
        """In-distribution exact match at the longest training length, by step."""
        return [(line.step, line.scores[0].exact) for line in self.curve if line.scores]

    def steps_to(self, share: float) -> float:
        """Steps until that exact match was first reached; infinite if it never was."""
        return next((step for step, exact in self.fitting() if exact >= share), float("inf"))
