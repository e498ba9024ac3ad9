"""What came out: published numbers, and runs of our own.

FOLDER/SUITE.jsonl   a line for each run of our own, sorted by task and seed
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from raspl.benchmark.ledger import Entry
from raspl.benchmark.recipe import configuration
from raspl.benchmark.suites import Item
from raspl.files import write_text
from raspl.prediction.forecast.model import DISTANCES
from raspl.runs.records import RunRecord
from raspl.runs.store import finished
from raspl.tasks.generalisation import CONVERGED, GENERALISES
from raspl.validated import Record

SEEDS = (0, 1)


class Trained(Record):
    """A run of a task, and the prediction that was there before it."""

    task: str
    seed: int
    predicted: str
    """The hash of what was predicted."""
    trained_to: int
    in_distribution: float
    exact: Mapping[int, float]
    """Exact match by test length."""
    exact_without_end: Mapping[int, float]
    cpu_seconds: float

    @property
    def converged(self) -> bool:
        return self.in_distribution >= CONVERGED


@dataclass(frozen=True)
class Outcome:
    """At one distance, the share of runs that generalise."""

    task: str
    distance: float
    share: float

    @property
    def column(self) -> float:
        """The distance of a forecast that it is nearest to."""
        return min(DISTANCES, key=lambda one: max(one / self.distance, self.distance / one))


def published(item: Item) -> Iterator[Outcome]:
    for one in item.published:
        yield Outcome(
            item.task, one.highest / item.trained_to, float(one.exact_match >= GENERALISES)
        )


def own(runs: Iterable[Trained]) -> Iterator[Outcome]:
    """Of all runs of a task, whether they converged or not: a user's would be such a one."""
    by_place: dict[tuple[str, float], list[bool]] = {}
    for run in runs:
        for length, exact in run.exact.items():
            place = run.task, length / run.trained_to
            by_place.setdefault(place, []).append(exact >= GENERALISES)
    for (task, distance), successes in by_place.items():
        yield Outcome(task, distance, sum(successes) / len(successes))


class Outcomes:
    """The runs of one suite."""

    def __init__(self, folder: Path, suite: str) -> None:
        self.path = folder / f"{suite}.jsonl"

    def runs(self) -> list[Trained]:
        if not self.path.exists():
            return []
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return [Trained.model_validate_json(line, strict=False) for line in lines]

    def add(self, runs: Iterable[Trained]) -> None:
        """With those that are there; written whole or not at all."""
        known = {(run.task, run.seed): run for run in (*runs, *self.runs())}
        ordered = [known[key] for key in sorted(known)]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_text(self.path, "".join(run.model_dump_json() + "\n" for run in ordered))


def harvest(entries: Iterable[Entry], root: Path) -> Iterator[Trained]:
    """The finished runs of some tasks."""
    for entry in entries:
        for seed in SEEDS:
            record = finished(root, configuration(entry.task, seed))
            if record is not None:
                yield _trained(entry, seed, record)


def _trained(entry: Entry, seed: int, record: RunRecord) -> Trained:
    tested = record.result.tested
    return Trained(
        task=entry.task,
        seed=seed,
        predicted=entry.hash,
        trained_to=record.config.max_length,
        in_distribution=round(record.trained, 5),
        exact={one.length: round(one.exact, 5) for one in tested},
        exact_without_end={one.length: round(one.exact_without_end, 5) for one in tested},
        cpu_seconds=round(record.cost, 1),
    )
