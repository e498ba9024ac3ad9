"""All that is known of a suite: its tasks, what was predicted of them and what came out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from raspl.benchmark import random_suite
from raspl.benchmark.judging import Case
from raspl.benchmark.ledger import Entry, Ledger
from raspl.benchmark.outcomes import Outcomes, of_studies, own, published
from raspl.benchmark.rivals import in_crasp, is_r_trivial
from raspl.benchmark.suites import Item, SuiteName, suite
from raspl.errors import RasplError
from raspl.runs.store import shipped_results

NAMES: tuple[SuiteName, ...] = ("languages", "literature", "paper", "random")
LANGUAGE = "language:"


@dataclass(frozen=True)
class Home:
    """The folder of the benchmark's results."""

    folder: Path

    @staticmethod
    def shipped() -> Home:
        return Home(shipped_results() / "forecast")

    @property
    def figures(self) -> Path:
        return self.folder / "figures"

    def ledger(self, name: SuiteName) -> Ledger:
        return Ledger(self.folder / "predictions", name)

    def outcomes(self, name: SuiteName) -> Outcomes:
        return Outcomes(self.folder / "outcomes", name)

    def entries(self, name: SuiteName) -> list[Entry]:
        """The tasks that count."""
        entries = self.ledger(name).entries()
        return list(random_suite.chosen(entries) if name == "random" else entries)

    def to_train(self, name: SuiteName) -> list[Entry]:
        """The tasks whose outcomes nobody has published; the studies train the paper's."""
        if name == "paper":
            return []
        has_outcome = {item.task for item in suite(name) if item.published}
        return [entry for entry in self.entries(name) if entry.task not in has_outcome]

    def cases(self, names: Iterable[SuiteName] = NAMES) -> list[Case]:
        """Every task that was predicted and has an outcome."""
        return [case for name in names for case in self._cases(name)]

    def _cases(self, name: SuiteName) -> Iterator[Case]:
        items = {item.task: item for item in suite(name)}
        runs = self.outcomes(name).runs()
        for entry in self.entries(name):
            item = items.get(entry.task)
            mine = [run for run in runs if run.task == entry.task]
            if name == "paper":
                mine = list(of_studies(entry, self.folder.parent))
            for run in mine:
                if run.predicted != entry.hash:
                    raise RasplError(
                        f"{self.ledger(name).path}: what was predicted of {entry.task} has been "
                        "changed since it was trained; take the file back from git."
                    )
            outcomes = (
                *(published(item) if item is not None else ()),
                *(outcome for run in mine for outcome in own(run)),
            )
            if outcomes:
                yield Case(name, entry, outcomes, {} if item is None else labels(item))


def labels(item: Item) -> dict[str, float]:
    """What others decided of a task."""
    found = {}
    if item.task.startswith(LANGUAGE):
        found["R-trivial"] = float(is_r_trivial(item.task.removeprefix(LANGUAGE)))
        found["C-RASP"] = float(in_crasp(item.verdicts["class"]))
    elif "C-RASP" in item.verdicts:
        found["C-RASP"] = float(item.verdicts["C-RASP"] == "yes")
    return found
