"""Commands of tasks and learning: tasks, sample, train, export. No logic, only words."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

    from raspl.training.configuration import Configuration
    from raspl.training.loop import Progress

INTERRUPTED = 130
"""Exit status of a run that was stopped and saved, as shells give for Ctrl-C."""

TaskName = Annotated[str, typer.Argument(help="A shipped task, or a Python file that defines one.")]
Scale = Annotated[str, typer.Option(help="paper, laptop or smoke.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set any field or task parameter."),
]


def register(app: typer.Typer) -> None:
    app.command("tasks")(tasks)
    app.command("sample")(sample)
    app.command("train")(train)
    app.command("export")(export)


def tasks() -> None:
    """List the tasks that ship, with an example each."""
    from rich.console import Console
    from rich.table import Table

    from raspl.tasks import SHIPPED, find

    table = Table("task", "what is asked", "an example", box=None, pad_edge=False)
    for name in SHIPPED:
        task = find(name)
        table.add_row(name, task.about, line(task, 5 if task.shortest == 1 else task.shortest))
    Console().print(table)


def line(task: Any, length: int) -> str:
    import numpy as np

    from raspl.tasks import Purpose, stream

    examples = task.examples(stream(0, Purpose.SHOW), np.array([length]), task.test_on)
    return " ".join(task.names(examples.tokens[0]))


def sample(
    task: TaskName,
    length: Annotated[int | None, typer.Option(help="Only this length.")] = None,
    number: Annotated[int, typer.Option("--number", "-n", help="How many.", min=1)] = 10,
    on: Annotated[str, typer.Option(help="The task's distribution to draw from.")] = "train",
    seed: Annotated[int, typer.Option(help="Another one draws other examples.", min=0)] = 0,
    scale: Scale = "laptop",
    settings: Settings = None,
) -> None:
    """Print examples of a task."""
    with kind_errors():
        from raspl.tasks import Purpose, stream
        from raspl.training.batches import lengths
        from raspl.training.configuration import as_scale
        from raspl.training.presets import configure

        config = configure(task, as_scale(scale), read(settings))
        built = config.build_task()
        rng = stream(seed, Purpose.SHOW)
        wanted = lengths(rng, built, config, number)
        if length is not None:
            wanted[:] = length
        for row in built.examples(rng, wanted, on).tokens:
            typer.echo(" ".join(built.names(row)))


def train(
    task: TaskName,
    max_length: Annotated[int | None, typer.Option(help="The longest training example.")] = None,
    test: Annotated[str | None, typer.Option(help="Lengths to test on, as in 20,30.")] = None,
    scale: Scale = "laptop",
    seed: Annotated[int | None, typer.Option(help="Decides weights and examples.")] = None,
    steps: Annotated[int | None, typer.Option(help="Training steps.")] = None,
    train_on: Annotated[str | None, typer.Option(help="The task's distribution to learn.")] = None,
    test_on: Annotated[str | None, typer.Option(help="The distribution to test on.")] = None,
    settings: Settings = None,
    root: Annotated[Path, typer.Option(help="Where runs are kept.")] = Path("runs"),
    device: Annotated[str, typer.Option(help="cpu, cuda or mps.")] = "cpu",
    threads: Annotated[int, typer.Option(help="CPU threads.", min=1)] = 1,
    checkpoint_seconds: Annotated[float, typer.Option(help="Between checkpoints.")] = 30.0,
) -> None:
    """Train one model and test how far it generalises. The same command continues a stopped run."""
    named = {
        "max_length": max_length,
        "test_lengths": None if test is None else numbers(test),
        "seed": seed,
        "steps": steps,
        "train_on": train_on,
        "test_on": test_on,
    }
    changes = {key: value for key, value in named.items() if value is not None}
    with kind_errors():
        import torch

        from raspl.runs.plots import bars, draw, in_words
        from raspl.training.configuration import as_scale
        from raspl.training.loop import Sitting
        from raspl.training.loop import train as do
        from raspl.training.presets import configure

        torch.set_num_threads(threads)
        config = configure(task, as_scale(scale), {**read(settings), **changes})
        built = config.build_task()
        varies = built.longest != built.shortest
        if varies and max(config.test_lengths) <= config.max_length:
            tell(
                f"No test length is beyond the training length {config.max_length}, so this does "
                "not show how far it generalises; --test sets them."
            )
        with display(config) as watch:
            result = do(config, root, Sitting(device, checkpoint_seconds, watch, tell))
        folder = root / config.name
        draw(config, result, folder / "exact_match.png")
        typer.echo(f"Exact match over length (* beyond the training length {config.max_length})")
        typer.echo(bars(config, result))
        typer.echo(in_words(config, result))
        typer.echo(f"Run: {folder}")


def export(
    run: Annotated[Path, typer.Argument(help="A run's folder.")],
    to: Annotated[str, typer.Option(help="hf, for Hugging Face's GPT2LMHeadModel.")] = "hf",
    out: Annotated[Path | None, typer.Option(help="Default: RUN/hf.")] = None,
) -> None:
    """Write a trained model for another library."""
    with kind_errors():
        from raspl.runs.folder import Run
        from raspl.runs.hugging_face import to_hugging_face
        from raspl.training.configuration import TrainingError

        if to != "hf":
            raise TrainingError(f"Can't export to {to!r}; there is hf.")
        folder = run / "hf" if out is None else out
        to_hugging_face(Run.at(run), folder)
        typer.echo(f"Written: {folder}")


@contextmanager
def kind_errors() -> Iterator[None]:
    """The user's errors are one sentence and exit status 2."""
    from raspl.tasks import TaskError

    try:
        from raspl.training.configuration import Stopped, TrainingError
    except ModuleNotFoundError as missing:
        fail(f"This needs {missing.name}: pip install 'raspl[learn]'.")
    try:
        yield
    except (TrainingError, TaskError) as error:
        fail(str(error))
    except Stopped as stopped:
        tell(str(stopped))
        raise typer.Exit(INTERRUPTED) from None
    except ModuleNotFoundError as missing:
        fail(f"This needs {missing.name}: pip install 'raspl[learn]'.")


def fail(sentence: str) -> None:
    tell(f"raspl: {sentence}")
    raise typer.Exit(2) from None


def tell(sentence: str) -> None:
    typer.echo(sentence, err=True)


def numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        fail(f"Lengths are numbers with commas between, as in 20,30; not {text!r}.")
        raise


def read(settings: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE, each value a number if it looks like one."""
    return dict(one_setting(text) for text in settings or ())


def one_setting(text: str) -> tuple[str, Any]:
    from raspl.training.configuration import TrainingError

    name, equals, value = text.partition("=")
    if not equals:
        raise TrainingError(f"--set takes NAME=VALUE, not {text!r}.")
    name = name.strip().replace("-", "_")
    if name == "test_lengths":
        return name, numbers(value)
    for kind in (int, float):
        try:
            return name, kind(value)
        except ValueError:
            continue
    return name, value


@contextmanager
def display(config: "Configuration") -> Iterator[Callable[["Progress"], None]]:
    """A live table on a terminal; elsewhere one line an evaluation."""
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    if not console.is_terminal:
        shown: list[Any] = [None]

        def print_evaluations(progress: "Progress") -> None:
            if progress.scores is not shown[0]:
                shown[0] = progress.scores
                tell(one_line(progress))

        yield print_evaluations
        return
    with Live(console=console, refresh_per_second=4) as live:
        yield lambda progress: live.update(table(config, progress))


def has_several(progress: "Progress") -> bool:
    """Are scores from more distributions than one, so that each must be named?"""
    return len({one.on for one in progress.scores}) > 1


def one_line(progress: "Progress") -> str:
    several = has_several(progress)
    scores = "  ".join(
        f"{one.exact:.1%} at {one.length}{f' ({one.on})' if several else ''}"
        for one in progress.scores
    )
    return (
        f"step {progress.step}/{progress.steps}  loss {progress.loss:.4f}  {scores}  "
        f"{progress.steps_per_second:.1f} steps/s  {progress.seconds_left:.0f} s left"
    )


def table(config: "Configuration", progress: "Progress") -> "RenderableType":
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    rows: Mapping[str, str] = {
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
