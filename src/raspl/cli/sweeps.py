"""sweep: many configurations of one task."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from raspl.cli.messages import require, tell
from raspl.cli.options import RUNS, Language, Root, Scale, Settings, read_settings, the_task
from raspl.cli.tasks import TaskName
from raspl.errors import RasplError


def register(app: typer.Typer) -> None:
    app.command("sweep")(sweep)


def sweep(
    task: TaskName = None,
    language: Language = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=A,B,C", help="A field to vary, or NAME=LOW:HIGH; repeat it."),
    ] = None,
    budget: Annotated[float, typer.Option(help="Core-minutes of processor time.", min=0)] = 60.0,
    name: Annotated[
        str | None, typer.Option(help="Of the sweep; by default the scale and the task.")
    ] = None,
    scale: Scale = "laptop",
    trials: Annotated[
        int | None, typer.Option(help="Configurations; by default every combination.", min=1)
    ] = None,
    settings: Settings = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes; one per core by default.", min=1)
    ] = None,
    root: Root = RUNS,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the log of all that was tried here.")
    ] = None,
) -> None:
    """Try configurations of a task, stop those that fall behind, log all. Run again to continue.

    What counts is exact match on the training distribution at its longest length, then the loss:
    lengths beyond it are shown and have no say.
    """
    require("learn")
    require("sweep")
    from rich.console import Console
    from rich.table import Table

    from raspl.fleet import local
    from raspl.fleet.status import display
    from raspl.runs.costs import Estimator
    from raspl.sweeps import figure, log
    from raspl.sweeps.space import read
    from raspl.sweeps.sweep import Runner, Sweep
    from raspl.tasks.shipped import as_scale
    from raspl.words import counted

    if not vary:
        raise RasplError("A sweep varies something: add --vary, as in --vary heads=1,2,4.")
    wanted = the_task(task, language)
    order = Sweep(
        name or f"{scale}-{'language' if task is None else Path(task).stem}", wanted,
        as_scale(scale), read_settings(settings), [read(text) for text in vary], trials,
    )  # fmt: skip
    runner = Runner(order, root / "sweeps", budget * 60)
    fleet = local.Local(runner.runs, local.plan(workers, ["cpu"], 5, 30.0), Estimator({}))
    with display() as watch:
        found = runner.run(fleet, watch)
    path = out or runner.home / "log.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    log.write(found, path)
    figure.draw(found, path.with_suffix(".png"))
    table = Table(*log.header(found), title=found.title, title_justify="left")
    for one in found.ranked():
        table.add_row(*log.row(one))
    Console().print(table)
    rest = sum(one.state == "unfinished" for one in found.tried)
    if rest:
        left = counted(rest, "configuration")
        tell(f"The budget is spent; {left} unfinished. Raise --budget to go on.")
    tell(f"Log: {path}; figure: {path.with_suffix('.png')}.")
