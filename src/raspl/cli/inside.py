"""The commands align, explain and inspect."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from raspl.cli.options import seconds
from raspl.errors import Stopped

if TYPE_CHECKING:
    from raspl.language.ir.graph import Graph
    from raspl.runs.run import Run

RunPath = Annotated[Path, typer.Argument(help="The folder of a trained run.")]
ProgramName = Annotated[
    str | None,
    typer.Argument(help="A shipped program, or FILE or FILE:name.", show_default="the task's"),
]
SECONDS_BETWEEN_LINES = 10.0
Picture = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="The picture's file.", show_default="in the run's folder"),
]
Workers = Annotated[
    int | None,
    typer.Option(help="Variables looked for at a time.", min=1, show_default="one per core"),
]
Page = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="The page's file.", show_default="named after the run"),
]


def register(app: typer.Typer) -> None:
    app.command("align")(align)
    app.command("explain")(explain)
    app.command("inspect")(inspect)


def align(
    run: RunPath,
    program: ProgramName = None,
    out: Picture = None,
    workers: Workers = None,
) -> None:
    """Find where the variables of a program live in a trained network, if they do.

    The same command continues what was stopped. The picture stands beside the run's files.
    """
    from raspl.inside.aligning import align_run
    from raspl.inside.drawing import draw
    from raspl.inside.of_runs import cache_folder, question
    from raspl.inside.wording import lines

    trained = _run(run)
    graph = _graph(trained, program)
    with progress_line() as watch, continues():
        found = align_run(trained, graph, watch, workers=workers or cores())
    for line in lines(found):
        typer.echo(line)
    picture = out or cache_folder(trained, question(trained, graph)) / "alignment.png"
    draw(found, picture)
    typer.echo(f"\nWritten: {picture}")


def explain(
    run: RunPath,
    budget: Annotated[str, typer.Option(help="Time limit, as in 60s or 5m.")] = "5m",
) -> None:
    """Find the shortest program that says what a trained network says, right or wrong."""
    from raspl.cli.prediction import progress_line as search_progress
    from raspl.inside.explanation import explain_run
    from raspl.inside.wording import explained

    with search_progress() as watch:
        found = explain_run(_run(run), seconds(budget), watch)
    for line in explained(found):
        typer.echo(line)


def inspect(
    run: RunPath,
    program: ProgramName = None,
    tokens: Annotated[
        str | None,
        typer.Option(
            "--input", help="Tokens by name, with spaces between.", show_default="an example"
        ),
    ] = None,
    out: Page = None,
) -> None:
    """Write a page: what every head attends to, the logit lens, the alignment table.

    Without a program, heads are compared with no selectors, and there is no alignment.
    """
    from raspl.inside import page

    trained = _run(run)
    is_bare = program is None and trained.task.program is None
    graph = None if is_bare else _graph(trained, program)
    numbers = page.example(trained) if tokens is None else trained.task.ids(tokens.split())
    parts = [trained.folder.name, *([graph.name] if program and graph else [])]
    path = out or Path("-".join(parts) + ".html")
    page.write(trained, graph, numbers, path)
    typer.echo(f"Written: {path}")


def cores() -> int:
    return os.cpu_count() or 1


@contextmanager
def continues() -> Iterator[None]:
    """What Ctrl-C stops goes on where it was."""
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped("Stopped; the same command continues.") from None


def _run(folder: Path) -> Run:
    from raspl.runs.run import Run

    return Run.at(folder)


def _graph(run: Run, program: str | None) -> Graph:
    """The program that is named, or else that of the run's task."""
    from raspl.cli.programs import find
    from raspl.inside.of_runs import check_tokens, own_program

    if program is None:
        return own_program(run)
    check_tokens(run, program)
    return find(program, tokens=run.task.alphabet).graph


@contextmanager
def progress_line() -> Iterator[Callable[[int, int, str], None]]:
    """Where an alignment stands: in one line that is redrawn, or a line now and then in a log."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield now_and_then(lambda line: console.print(line, highlight=False))
        return
    with console.status("aligning") as status:
        yield lambda done, total, what: status.update(f"{done} of {total} · {what}")


def now_and_then(say: Callable[[str], None]) -> Callable[[int, int, str], None]:
    """A line each time so many seconds have passed: for a log, which keeps every line."""
    said = time.monotonic()

    def watch(done: int, total: int, what: str) -> None:
        nonlocal said
        if time.monotonic() - said >= SECONDS_BETWEEN_LINES:
            said = time.monotonic()
            say(f"{done} of {total} · {what}")

    return watch
