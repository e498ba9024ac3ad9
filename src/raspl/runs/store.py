"""Where finished runs are: a user's own folders, and the small part of them that ships.

runs/NAME/…                     a run as `raspl train` leaves it, weights included
runs/predictions/…              what was predicted before training began
results/SCALE/runs/NAME.json    a finished run without weights, one line
results/SCALE/predictions/…     the same predictions
results/SCALE/figures/…         figures, and scorecard.md beside them
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from raspl.files import write_text
from raspl.runs.costs import twin
from raspl.runs.folder import RunFolder
from raspl.runs.records import RunRecord
from raspl.tasks import Scale
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.loop import SessionCost
from raspl.training.result import Logged

IN_A_CLONE = Path("results")
"""Where results are in a clone of raspl."""
LOGGED = 400
"""Lines of a training curve that ship: all of the evaluations, and as many losses as this."""


@dataclass(frozen=True)
class Store:
    """Where to look for runs, and for what belongs to them."""

    root: Path | None
    """The user's own runs; None to look at what ships only."""
    results: Path | None
    """What ships; None to look at the user's own runs only."""
    own_first: bool = False
    """Whether a run of the user's stands in the place of one that ships; else it is used only where
    none does."""

    def folders(self, scale: Scale) -> tuple[Path, ...]:
        """Where predictions may be."""
        shipped = None if self.results is None else self.results / scale
        return tuple(folder for folder in (self.root, shipped) if folder is not None)

    def find(self, config: Configuration) -> RunRecord | None:
        """A finished run, of the user's or of those that ship."""
        ways = (self.shipped, self.own)
        for look in reversed(ways) if self.own_first else ways:
            if (found := look(config)) is not None:
                return found
        return None

    def own(self, config: Configuration) -> RunRecord | None:
        return None if self.root is None else finished(self.root, config)

    def shipped(self, config: Configuration) -> RunRecord | None:
        return None if self.results is None else shipped(self.results, config)

    def collect(self, configs: Iterable[Configuration]) -> dict[str, RunRecord]:
        """Finished runs by name."""
        found = ((config.name, self.find(config)) for config in configs)
        return {name: record for name, record in found if record is not None}


def finished(root: Path, config: Configuration) -> RunRecord | None:
    """A run of the user's that is done, or None."""
    folder = RunFolder.under(root, config)
    result = folder.finished()
    if result is None:
        return None
    costs = folder.costs()
    return RunRecord(
        config=config,
        result=result,
        curve=tuple(thinned(folder.curve())),
        seconds=round(spent(costs, config.steps, "seconds"), 3),
        sessions=len(costs),
        threads=max((one.threads for one in costs), default=1),
        device=costs[-1].device if costs else "cpu",
        cpu_seconds=round(spent(costs, config.steps, "cpu_seconds"), 3),
    )


def spent(costs: Sequence[SessionCost], steps: int, of: Literal["seconds", "cpu_seconds"]) -> float:
    """Seconds of all sessions. A killed one left no line: its steps cost what the others did."""
    kept = [one for one in costs if getattr(one, of)]
    covered = sum(one.last_step - one.first_step for one in kept)
    seconds = sum(getattr(one, of) for one in kept)
    return seconds * steps / covered if 0 < covered < steps else float(seconds)


def thinned(curve: list[Logged]) -> list[Logged]:
    every = max(len(curve) // LOGGED, 1)
    return [line for place, line in enumerate(curve) if place % every == 0 or line.scores]


def begun(root: Path, task: str, scale: Scale) -> bool:
    """Has any run of the task at this scale started?"""
    for path in root.glob(f"{Path(task).stem}-*"):
        with suppress(TrainingError):
            config = RunFolder.at(path).config
            if (config.task, config.scale) == (task, scale):
                return True
    return False


def shipped_results() -> Path:
    """The results of the clone that one stands in, else those that came with the installation.

    A wheel has them in the package (setup.py); an installation from a clone finds the clone's.
    """
    package = Path(__file__).parents[1]
    places = (IN_A_CLONE, package / "results", package.parents[1] / "results")
    return next((place for place in places if place.is_dir()), IN_A_CLONE)


def path_of(results: Path, config: Configuration) -> Path:
    return results / config.scale / "runs" / f"{config.name}.json"


def shipped(results: Path, config: Configuration) -> RunRecord | None:
    """A run that ships, or None."""
    try:
        return read_shipped(path_of(results, config))
    except FileNotFoundError:
        return None


def read_shipped(path: Path) -> RunRecord:
    """A run that ships, from its file."""
    try:
        return RunRecord.model_validate_json(path.read_bytes())
    except (ValidationError, TrainingError):
        raise TrainingError(
            f"{path} is damaged or of another version; "
            "restore it with `git checkout`, or delete it."
        ) from None


def ship(results: Path, record: RunRecord) -> Path:
    path = path_of(results, record.config)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(record.as_json(), separators=(",", ":")) + "\n")
    return path


def drop_stale(
    results: Path, scale: Scale, wanted: Iterable[Configuration], first_seed: int
) -> list[Path]:
    """Delete shipped runs that no study asks for any more, whatever the number of seeds."""
    twins = {twin(config) for config in wanted}
    stale = []
    for path in sorted((results / scale / "runs").glob("*.json")):
        try:
            config = RunRecord.model_validate_json(path.read_bytes()).config
            asked_for = twin(config) in twins and config.seed >= first_seed
        except (ValidationError, TrainingError):  # of an older version
            asked_for = False
        if not asked_for:
            path.unlink()
            stale.append(path)
    return stale
