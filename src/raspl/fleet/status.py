"""What a fleet tells its watcher, and how it is shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from raspl.training.configuration import Configuration
from raspl.words import duration

if TYPE_CHECKING:
    from rich.table import Table

State: TypeAlias = Literal["waiting", "running", "done", "failed", "stopped"]
STYLES: Mapping[State, str] = {
    "running": "bold", "failed": "red", "waiting": "dim", "done": "green", "stopped": "dim",
}  # fmt: skip
ROWS = 24
"""Runs on screen at once; those that run come first."""


@dataclass(frozen=True)
class Status:
    """One run, as seen from the driver."""

    config: Configuration
    state: State
    step: int = 0
    seconds_left: float | None = None
    note: str = ""
    scores: str = ""
    """Exact match at each length, at the last evaluation."""
    cpu_seconds: float = 0.0
    """What a running worker has used so far."""


Watch: TypeAlias = Callable[[Sequence[Status], float | None], None]
"""Is told all runs, and the seconds left for all of them."""
Stop: TypeAlias = Callable[[Configuration], bool]
"""Whether a run is no longer wanted: it is saved where it stands, or not begun."""


@dataclass(frozen=True)
class Outcome:
    """How a fleet's work ended."""

    failed: Mapping[str, str]
    """Why, by the name of the run."""


class Fleet(Protocol):
    """Where runs run."""

    def run(self, configs: Iterable[Configuration], watch: Watch) -> Outcome:
        """Do all runs that are not done. The same call continues what was stopped."""


def time_left(runs: Sequence[Status], places: float) -> float:
    """Of all runs, so many at once; never less than of the longest."""
    rest = [run.seconds_left or 0.0 for run in runs]
    return max(sum(rest) / places, max(rest, default=0.0))


@contextmanager
def display() -> Iterator[Watch]:
    """A live table on a terminal; elsewhere a line whenever a run ends."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_terminal:
        yield printer(lambda text: console.print(text, highlight=False, soft_wrap=True))
        return
    with Live(console=console, refresh_per_second=2) as live:
        yield lambda runs, left: live.update(table(runs, left))


def printer(say: Callable[[str], None]) -> Watch:
    seen: dict[str, State] = {}

    def watch(runs: Sequence[Status], left: float | None) -> None:
        for run in runs:
            before = seen.get(run.config.name, "waiting")
            seen[run.config.name] = run.state
            if run.state != before and run.state in ("done", "failed", "stopped"):
                done = sum(one.state == "done" for one in runs)
                said = "; ".join(part for part in (run.scores, run.note) if part)
                note = f": {said}" if said else ""
                rest = "" if left is None else f", {duration(left)} left"
                say(f"{run.state} {title(run.config)}{note} ({done} of {len(runs)}{rest})")

    return watch


def title(config: Configuration) -> str:
    """A run in a few words."""
    data = "" if config.train_on == "train" else f" {config.train_on}"
    positions = "" if config.positions == "learned" else f" {config.positions}"
    return f"{config.task}{data}{positions} to {config.max_length}, seed {config.seed}"


def table(runs: Sequence[Status], left: float | None) -> "Table":
    from rich.markup import escape
    from rich.table import Table

    done = sum(run.state == "done" for run in runs)
    rest = "" if left is None else f", about {duration(left)} left"
    grid = Table(
        "run", "state", "step", "left", "exact match", box=None, pad_edge=False,
        title_justify="left", title=f"{done} of {len(runs)} runs done{rest}",
    )  # fmt: skip
    order = {"running": 0, "failed": 1, "waiting": 2, "done": 3, "stopped": 4}
    ranked = sorted(runs, key=lambda run: order[run.state])
    for run in ranked[:ROWS]:
        step = f"{run.step:,} of {run.config.steps:,}" if run.step else ""
        time = "" if run.seconds_left is None else duration(run.seconds_left)
        style = STYLES[run.state]
        grid.add_row(
            title(run.config), f"[{style}]{run.state}[/] {escape(run.note)}", step, time, run.scores
        )
    if len(ranked) > ROWS:
        grid.add_row(f"[dim]and {len(ranked) - ROWS} more[/]")
    return grid
