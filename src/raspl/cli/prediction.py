"""Commands of the theory: search, predict. No logic, only words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from raspl.synthesis.engine import Progress, Result, Settings
    from raspl.synthesis.examples import Source

TaskName = Annotated[
    str,
    typer.Argument(
        help="A shipped task, a Python file that defines one, or one of: majority, shift, "
        "running-maximum, first-again, after-marker."
    ),
]
MaxLength = Annotated[
    int | None, typer.Option(help="Training lengths go up to this.", min=1, show_default="5")
]
OneLength = Annotated[bool, typer.Option("--one-length", help="Train on --max-length only.")]
Budget = Annotated[str, typer.Option(help="Time, as 60s or 5m.")]
Keep = Annotated[int, typer.Option("--keep", "-k", help="How many programs to keep.", min=1)]
Seed = Annotated[int, typer.Option(help="Which examples are drawn.", min=0)]
CountSelects = Annotated[
    bool,
    typer.Option(
        "--count-selects/--no-count-selects",
        help="Let selectors compare a count with itself at other positions.",
    ),
]
SettingsOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter of the task."),
]


def register(app: typer.Typer) -> None:
    app.command("search")(search)
    app.command("predict")(predict)


def search(
    task: TaskName,
    max_length: MaxLength = None,
    one_length: OneLength = False,
    budget: Budget = "60s",
    keep: Keep = 3,
    seed: Seed = 0,
    first: Annotated[
        bool, typer.Option("--first", help="End with what is found first, proved cheapest or not.")
    ] = False,
    count_selects: CountSelects = True,
    settings: SettingsOption = None,
) -> None:
    """Find the cheapest programs that explain a task's training examples."""
    with _kind_errors():
        source, chosen = _prepare(task, max_length, one_length, settings)
        chosen = replace(
            chosen,
            budget=as_seconds(budget),
            keep=keep,
            seed=seed,
            stop_at_first=first,
            count_selects=count_selects,
        )
        result = _watched(source, chosen)
    _show(source, result)


def predict(
    task: TaskName,
    max_length: MaxLength = None,
    one_length: OneLength = False,
    budget: Budget = "60s",
    seed: Seed = 0,
    folder: Annotated[Path, typer.Option(help="Where the prediction is written.")] = Path(
        "predictions"
    ),
    count_selects: CountSelects = True,
    settings: SettingsOption = None,
) -> None:
    """Say before training whether a Transformer will generalise to longer inputs, and why."""
    from raspl.prediction import predict as rules
    from raspl.prediction.wording import told

    with _kind_errors():
        source, chosen = _prepare(task, max_length, one_length, settings)
        chosen = replace(chosen, budget=as_seconds(budget), seed=seed, count_selects=count_selects)
        prediction = rules.predict(source, chosen, _watched)
        path = rules.write(prediction, folder)
    for line in told(prediction):
        typer.echo(line)
    typer.echo(f"Written to {path}.")


def _prepare(
    task: str, max_length: int | None, one_length: bool, values: list[str] | None
) -> tuple[Source, Settings]:
    from raspl.prediction.sources import find_source
    from raspl.synthesis.engine import Settings

    source = find_source(task, dict(map(_setting, values or ())))
    shortest, longest = source.lengths
    usual = max(Settings.max_length, shortest)
    most = max_length or min(usual, longest or usual)
    return source, Settings(max_length=most, min_length=most if one_length else None)


def _setting(text: str) -> tuple[str, int | str]:
    name, _, value = text.partition("=")
    return name, int(value) if value.lstrip("-").isdigit() else value


def as_seconds(text: str) -> float:
    from raspl.errors import RasplError

    number, factor = (text[:-1], 60.0) if text.endswith("m") else (text.removesuffix("s"), 1.0)
    try:
        seconds = float(number) * factor
    except ValueError:
        seconds = nan
    if not isfinite(seconds):
        raise RasplError(f"{text!r} is not a time; write --budget as in 60s or 5m.")
    if seconds <= 0:
        raise RasplError(
            f"A --budget of {text} leaves no time to search; write more, as in 60s or 5m."
        )
    return seconds


def _watched(source: Source, settings: Settings) -> Result:
    from rich.console import Console

    from raspl.synthesis.engine import search as run

    console = Console(stderr=True)
    if not console.is_terminal:
        return run(source, settings)
    with console.status("searching") as status:
        return run(source, settings, _line(status.update))


def _line(update: Callable[[str], None]) -> Callable[[Progress], None]:
    def show(progress: Progress) -> None:
        update(
            f"cost {progress.cost} · {progress.candidates:,} candidates · "
            f"{progress.distinct:,} distinct · {progress.rate:,.0f} a second · "
            f"{progress.found} found · {progress.seconds:.0f} s"
        )

    return show


def _show(source: Source, result: Result) -> None:
    from raspl.prediction.survival import longer_lengths, survive
    from raspl.synthesis.source_text import source as text_of
    from raspl.words import span

    low = result.settings.min_length or source.lengths[0]
    high = result.settings.max_length
    trained = f"length{'' if low == high else 's'} {span(low, high)}"
    lengths = longer_lengths(source, high)
    for number, find in enumerate(result.finds, 1):
        survival = survive(find.graph, source, lengths)
        is_cheapest = result.is_proved and find.cost == result.finds[0].cost
        proof = " (proved cheapest)" if is_cheapest else ""
        typer.echo(f"# {number}. cost {find.cost}{proof}; right on all examples of {trained};")
        beyond = ", ".join(f"{value:.0%} at {n}" for n, value in survival.exact.items())
        typer.echo(f"#    exact match beyond: {beyond or 'there are no examples to try it on'}")
        if survival.failure is not None:
            failure = survival.failure
            given = "an error" if failure.given is None else source.show([failure.given])
            typer.echo(
                f"#    wrong on `{source.show(failure.tokens)}`: "
                f"{source.show([failure.wanted])} is wanted, {given} comes"
            )
        typer.echo(text_of(find.term, find.graph.bits, f"found_{number}"))
    if not result.finds:
        typer.echo("# nothing found")
    rate = result.candidates / max(result.seconds, 1e-9)
    typer.echo(f"# {result.statement()}")
    typer.echo(f"# Components: {result.components}.")
    typer.echo(
        f"# {result.candidates:,} candidates, {result.distinct:,} distinct behaviours kept, "
        f"{rate:,.0f} a second, {result.seconds:.1f} s, "
        f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
        + ("; interrupted" if result.interrupted else "")
    )


@contextmanager
def _kind_errors() -> Iterator[None]:
    """A mistake in a task is the user's, and is said in one sentence."""
    from raspl.errors import RasplError
    from raspl.tasks.task import TaskError

    try:
        yield
    except TaskError as error:
        raise RasplError(str(error)) from None
