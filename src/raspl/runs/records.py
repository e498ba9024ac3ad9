"""What is kept of a finished run: configuration, scores, curves and cost, without weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from raspl.studies.study import Arm, Metric
from raspl.training.configuration import CONVERGED, Configuration


@dataclass(frozen=True)
class Record:
    config: Configuration
    result: Mapping[str, Any]
    curve: Sequence[Mapping[str, Any]]
    """What was logged while it trained."""
    seconds: float
    """Time spent on it, all sittings together."""
    sittings: int
    threads: int
    device: str

    @property
    def trained(self) -> float:
        """Exact match in distribution, over all lengths that training drew, at the end."""
        return float(self.result["as_trained"]["exact"])

    @property
    def longest(self) -> float:
        """Exact match in distribution at the longest training length."""
        return float(self.result["in_distribution"][-1]["exact"])

    @property
    def converged(self) -> bool:
        return self.trained >= CONVERGED

    def scores(self, on: str, metric: Metric) -> dict[int, float]:
        """Share right by test length."""
        if metric == "final":
            listed = self.result.get("final_answers", ())
            return {one["length"]: float(one["accuracy"]) for one in listed}
        return self.exact(on, "exact")

    def exact(self, on: str, which: Literal["exact", "exact_without_end"]) -> dict[int, float]:
        listed = self.result["tested"]
        if on not in ("default", listed[0]["on"]):
            listed = [one for one in self.result.get("also", ()) if one["on"] == on]
        return {one["length"]: float(one[which]) for one in listed}

    def read(self, arm: Arm, length: int) -> float | None:
        return self.scores(arm.on, arm.metric).get(length)

    def read_without_end(self, arm: Arm, length: int) -> float | None:
        if arm.metric == "final":
            return None
        return self.exact(arm.on, "exact_without_end").get(length)

    def fitting(self) -> list[tuple[int, float]]:
        """In-distribution exact match at the longest training length, by step."""
        return [
            (int(one["step"]), float(one["scores"][0]["exact"]))
            for one in self.curve
            if "scores" in one
        ]

    def steps_to(self, share: float) -> float:
        """Steps until that exact match was first reached; infinite if it never was."""
        return next((step for step, exact in self.fitting() if exact >= share), float("inf"))

    def as_json(self) -> dict[str, Any]:
        return {
            "config": self.config.as_json(),
            "result": dict(self.result),
            "curve": list(self.curve),
            "seconds": self.seconds,
            "sittings": self.sittings,
            "threads": self.threads,
            "device": self.device,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Record":
        return cls(**{**record, "config": Configuration.from_json(record["config"])})
