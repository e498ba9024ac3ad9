"""What came out: published numbers, and runs of our own.

FOLDER/SUITE.jsonl   a line for each run of our own, sorted by task and seed
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from raspl.benchmark.ledger import Entry
from raspl.benchmark.recipe import configuration
from raspl.benchmark.suites import PAPER_SCALE, Item
from raspl.files import write_text
from raspl.prediction.forecast.model import DISTANCES
from raspl.runs.records import RunRecord
from raspl.runs.store import finished, read_shipped
from raspl.tasks.generalisation import CONVERGED, GENERALISES
from raspl.training.presets import configure
from raspl.validated import Record

SEEDS = (0, 1)
NEAR = 1.22
"""Distances that differ by a smaller factor count as one."""


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
    """Whether a run generalises, at one distance."""

    distance: float
    generalises: bool
    exact: float
    run: Trained | None = None
    """None if it is published."""

    @property
    def column(self) -> float | None:
        """The distance of a forecast that it is next to, if it is near one."""
        return next((one for one in DISTANCES if 1 / NEAR < one / self.distance < NEAR), None)


def published(item: Item) -> tuple[Outcome, ...]:
    return tuple(
        Outcome(one.highest / item.trained_to, one.exact_match >= GENERALISES, one.exact_match)
        for one in item.published
    )


def own(run: Trained) -> tuple[Outcome, ...]:
    """Of a run, whether it converged or not: a user's might not either.

    Of the lengths that were tested, those next to the distances of a forecast: a run that was
    tested at more of them is no more evidence.
    """
    found = {}
    for distance in DISTANCES:
        length = min(run.exact, key=lambda one: abs(one / run.trained_to - distance))
        exact = run.exact[length]
        outcome = Outcome(length / run.trained_to, exact >= GENERALISES, exact, run)
        if outcome.column == distance:
            found[length] = outcome
    return tuple(found.values())


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


def of_studies(entry: Entry, results: Path) -> Iterator[Trained]:
    """The runs of a task of the paper that ship: as its preset has it, on any seed."""
    usual = configure(entry.task, PAPER_SCALE, {})
    for path in sorted((results / PAPER_SCALE / "runs").glob(f"{entry.task}-*.json")):
        record = read_shipped(path)
        seed = record.config.seed
        if record.config.replace(seed=usual.seed, test_lengths=usual.test_lengths) == usual:
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
