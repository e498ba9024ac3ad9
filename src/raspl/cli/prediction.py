"""The commands search and predict."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from raspl.cli.messages import tell
from raspl.cli.options import RUNS, Language, Root, Settings, read_settings, seconds, the_task

if TYPE_CHECKING:
    from raspl.prediction.searches import Searches
    from raspl.synthesis import Progress

TaskName = Annotated[
    str | None,
    typer.Argument(
        help="A shipped task, a Python file that defines one, one of the benchmark (huang:NAME, "
        "chomsky:NAME, random:KIND:SEED:INDEX), or one of: shift, running_maximum, first_again, "
        "after_marker."
    ),
]
MaxLength = Annotated[
    int | None, typer.Option(help="Longest training length.", min=1, show_default="12")
]
OneLength = Annotated[
    bool, typer.Option("--one-length", help="Train on examples of --max-length only.")
]
Budget = Annotated[
    str,
    typer.Option(
        help="Most time for a search, as in 60s or 5m. If time runs out before the work is done, "
        "the result says so: it may differ in another run."
    ),
]
Keep = Annotated[int, typer.Option("--keep", "-k", help="How many programs to show.", min=1)]
Seed = Annotated[
    int, typer.Option(help="Seed of the examples. The same seed gives the same result.", min=0)
]
Rules = Annotated[
    Literal["letter", "strict", "compilable"],
    typer.Option(help="How strictly to read the rules of the language (docs/types.md)."),
]
NoPositions = Annotated[
    bool,
    typer.Option(
        "--no-positions",
        help="Search only programs without indices, look-ups and running counts.",
    ),
]
Fresh = Annotated[
    bool,
    typer.Option(
        "--fresh",
        help="Search again, whatever was searched before. Finished searches are kept in "
        "ROOT/searches, and both search and predict use them.",
    ),
]

PAUSE = 15.0
"""Seconds between two lines on a search that nobody watches in a terminal."""


def register(app: typer.Typer) -> None:
    app.command("search")(search)
    app.command("predict")(predict)


def search(
    task: TaskName = None,
    language: Language = None,
    max_length: MaxLength = None,
    one_length: OneLength = False,
    budget: Budget = "60s",
    keep: Keep = 3,
    seed: Seed = 0,
    first: Annotated[
        bool, typer.Option("--first", help="Stop at the first program, proved cheapest or not.")
    ] = False,
    rules: Rules = "letter",
    no_positions: NoPositions = False,
    fresh: Fresh = False,
    root: Root = RUNS,
    settings: Settings = None,
) -> None:
    """Find the cheapest programs that explain a task's training examples."""
    from raspl import prediction, synthesis
    from raspl.prediction.finds import search_lines
    from raspl.prediction.searches import Searches

    source = prediction.find_source(the_task(task, language), read_settings(settings))
    chosen = prediction.settings_of(
        source,
        max_length,
        one_length=one_length,
        budget=seconds(budget),
        # As many as a prediction asks for, so that it is the same search.
        keep=max(keep, synthesis.Settings.keep),
        seed=seed,
        stop_at_first=first,
        rules=rules,
        positions=not no_positions,
    )
    searches = Searches(root, tell, fresh)
    with progress_line() as watch:
        result = searches.search(source, chosen, watch)
    tell_reused(searches)
    for line in search_lines(source, result.shortened(keep)):
        typer.echo(line)


def predict(
    task: TaskName = None,
    language: Language = None,
    max_length: MaxLength = None,
    one_length: OneLength = False,
    budget: Budget = "60s",
    seed: Seed = 0,
    explain: Annotated[
        bool, typer.Option("--explain", help="Also show what each feature added to the forecast.")
    ] = False,
    form: Annotated[
        Literal["text", "json"],
        typer.Option("--format", help="Print text for people, or JSON for programs."),
    ] = "text",
    folder: Annotated[
        Path, typer.Option(help="The folder that the prediction is written to.")
    ] = Path("predictions"),
    rules: Rules = "letter",
    no_positions: NoPositions = False,
    workers: Annotated[
        int,
        typer.Option(
            help="With 2, searches that may follow begin on a second core; the result is the same.",
            min=1,
            max=2,
            show_default="2 where there are two cores",
        ),
    ] = min(2, os.cpu_count() or 1),
    fresh: Fresh = False,
    root: Root = RUNS,
    settings: Settings = None,
) -> None:
    """Forecast, before training, how far a Transformer will generalise to longer inputs.

    A search for programs that explain short examples of the task comes first. The forecast gives
    the probability that a network trained on such examples gets longer ones right, with the
    cheapest program and the cheapest shortcut that were found. docs/forecast.md says how to read
    it.
    """
    from raspl import prediction
    from raspl.prediction.elsewhere import elsewhere
    from raspl.prediction.forecast.explaining import explanation_lines
    from raspl.prediction.searches import Searches
    from raspl.prediction.store import brief

    name, parameters = the_task(task, language), read_settings(settings)
    source = prediction.find_source(name, parameters)
    chosen = prediction.settings_of(
        source,
        max_length,
        one_length=one_length,
        budget=seconds(budget),
        seed=seed,
        rules=rules,
        positions=not no_positions,
    )
    searches = Searches(root, tell, fresh)
    with ExitStack() as stack:
        watch = stack.enter_context(progress_line())
        begin = None
        if workers > 1:
            begin = searches.ahead(source, stack.enter_context(elsewhere(name, parameters)))
        made = prediction.predict(source, chosen, watch, begin, searches.search)
    tell_reused(searches)
    path = prediction.write(made, folder)
    if form == "json":
        typer.echo(brief(made))
        return
    typer.echo(str(made))
    for line in explanation_lines(made) if explain else ():
        typer.echo(line)
    typer.echo(f"Written to {path}.")


def tell_reused(searches: Searches) -> None:
    """Say so if a command did not search itself."""
    if (line := searches.reused()) is not None:
        tell(line)


@contextmanager
def progress_line() -> Iterator[Callable[[Progress], None]]:
    """Where a search stands: in one line that is redrawn; without a terminal, now and then."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Seldom(tell)
        return
    with console.status("searching") as status:
        yield lambda progress: status.update(str(progress))


class Seldom:
    """Says where a search stands, at most every quarter of a minute."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._next = time.monotonic() + PAUSE

    def __call__(self, progress: object) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PAUSE
            self._say(str(progress))
