"""How a running run is shown: a live table on a terminal, elsewhere one line per evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from raspl.cli.messages import tell

if TYPE_CHECKING:
    from rich.console import RenderableType

    from raspl.training.configuration import Configuration
    from raspl.training.loop import Progress


@contextmanager
def display(config: Configuration) -> Iterator[Callable[[Progress], None]]:
    """A live table on a terminal; elsewhere one line per evaluation."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_terminal:
        shown: list[Any] = [None]

        def print_evaluations(progress: Progress) -> None:
            if progress.scores is not shown[0]:
                shown[0] = progress.scores
                tell(one_line(progress))

        yield print_evaluations
        return
    with Live(console=console, refresh_per_second=4) as live:
        yield lambda progress: live.update(table(config, progress))


def has_several(progress: Progress) -> bool:
    """Do scores come from more than one distribution, so that each must be named?"""
    return len({one.on for one in progress.scores}) > 1


def one_line(progress: Progress) -> str:
    several = has_several(progress)
    scores = "  ".join(
        f"{one.exact:.1%} at {one.length}{f' ({one.on})' if several else ''}"
        for one in progress.scores
    )
    return (
        f"step {progress.step}/{progress.steps}  loss {progress.loss:.4f}  {scores}  "
        f"{progress.steps_per_second:.1f} steps/s  {progress.seconds_left:.0f} s left"
    )


def table(config: Configuration, progress: Progress) -> RenderableType:
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    rows = {
        "run": config.name,
        "step": f"{progress.step:,} of {progress.steps:,}",
        "loss": f"{progress.loss:.4f}",
        "speed": f"{progress.steps_per_second:.1f} steps/s",
        "left": f"{int(progress.seconds_left // 60)} min {int(progress.seconds_left % 60)} s",
    }
    for name, value in rows.items():
        grid.add_row(name, value)
    several = has_several(progress)
    for one in progress.scores:
        where = "trained" if one.length <= config.max_length else "beyond"
        on = f"{one.on}, " if several else ""
        grid.add_row(f"EM at {one.length}", f"{one.exact:6.1%}  {on}{where}")
    return grid
