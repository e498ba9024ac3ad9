"""tasks, sample: what a Transformer is asked to learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from raspl.cli.options import Language, Scale, Settings, read_settings, the_task

if TYPE_CHECKING:
    from raspl.tasks import Examples, Task

TaskName = Annotated[
    str | None, typer.Argument(help="A shipped task, or a Python file that defines one.")
]
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
    return "\n".join(lines(task, examples, 0))


def sample(
    task: TaskName = None,
    language: Language = None,
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

    config = configure(the_task(task, language), as_scale(scale), read_settings(settings))
    built = config.build_task()
    rng = stream(seed, Purpose.SHOW)
    wanted = lengths(rng, built, config, number)
    if length is not None:
        wanted[:] = length
    examples = built.examples(rng, wanted, on).left_aligned()
    built.check_solver(int(wanted.max()))
    for row in range(len(examples)):
        for line in lines(built, examples, row):
            typer.echo(line)


def lines(task: Task, examples: Examples, row: int) -> list[str]:
    """An example; under the tokens of a labelled one, the label that is wanted after each."""
    names = task.names(examples.tokens[row])
    if examples.labels is None:
        return [" ".join(names)]
    labels = ["".join(task.names([label])) or "·" for label in examples.labels[row]]
    pairs = list(zip(names, labels, strict=False))
    widths = [max(map(len, pair)) for pair in pairs]
    return [
        " ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in zip(*pairs, strict=True)
    ]
