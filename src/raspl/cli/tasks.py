"""tasks, sample: what a Transformer is asked to learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from raspl.cli.options import Scale, Settings, read_settings

if TYPE_CHECKING:
    from raspl.tasks import Task

TaskName = Annotated[str, typer.Argument(help="A shipped task, or a Python file that defines one.")]
EXAMPLE_LENGTH = 5


def register(app: typer.Typer) -> None:
    app.command("tasks")(list_tasks)
    app.command("sample")(sample)


def list_tasks() -> None:
    """List the shipped tasks, each with an example."""
    from rich.console import Console
    from rich.table import Table

    from raspl.tasks import SHIPPED

    table = Table("task", "what is asked", "an example", box=None, pad_edge=False)
    for shipped in SHIPPED.values():
        task = shipped.build()
        table.add_row(shipped.name, task.about, one_example(task))
    Console().print(table)


def one_example(task: Task) -> str:
    import numpy as np

    from raspl.tasks import Purpose, stream

    length = task.shortest if task.has_one_length else EXAMPLE_LENGTH
    examples = task.examples(stream(0, Purpose.SHOW), np.array([length]), task.test_on)
    return " ".join(task.names(examples.tokens[0]))


def sample(
    task: TaskName,
    length: Annotated[int | None, typer.Option(help="Only this length.")] = None,
    number: Annotated[int, typer.Option("--number", "-n", help="How many examples.", min=1)] = 10,
    on: Annotated[str, typer.Option(help="The distribution to draw from.")] = "train",
    seed: Annotated[int, typer.Option(help="Seed of the examples.", min=0)] = 0,
    scale: Scale = "laptop",
    settings: Settings = None,
) -> None:
    """Print examples of a task."""
    from raspl.tasks import Purpose, stream
    from raspl.tasks.shipped import as_scale
    from raspl.training.batches import lengths
    from raspl.training.presets import configure

    config = configure(task, as_scale(scale), read_settings(settings))
    built = config.build_task()
    rng = stream(seed, Purpose.SHOW)
    wanted = lengths(rng, built, config, number)
    if length is not None:
        wanted[:] = length
    for row in built.examples(rng, wanted, on).tokens:
        typer.echo(" ".join(built.names(row)))
