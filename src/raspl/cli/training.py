"""train, export: one run, and its model for another library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from raspl.cli.messages import tell
from raspl.cli.options import (
    RUNS,
    Language,
    Root,
    Scale,
    Settings,
    read_settings,
    the_task,
    whole_numbers,
)
from raspl.cli.tasks import TaskName
from raspl.errors import RasplError


def register(app: typer.Typer) -> None:
    app.command("train")(train)
    app.command("export")(export)


def train(
    task: TaskName = None,
    language: Language = None,
    max_length: Annotated[int | None, typer.Option(help="Longest training length.")] = None,
    test: Annotated[str | None, typer.Option(help="Lengths to test on, as in 20,30.")] = None,
    scale: Scale = "laptop",
    seed: Annotated[int | None, typer.Option(help="Seed of weights and examples.")] = None,
    steps: Annotated[int | None, typer.Option(help="Training steps.")] = None,
    train_on: Annotated[str | None, typer.Option(help="The distribution to train on.")] = None,
    test_on: Annotated[str | None, typer.Option(help="The distribution to test on.")] = None,
    settings: Settings = None,
    root: Root = RUNS,
    device: Annotated[str, typer.Option(help="cpu, cuda or mps.")] = "cpu",
    threads: Annotated[int, typer.Option(help="CPU threads.", min=1)] = 1,
    checkpoint_seconds: Annotated[float, typer.Option(help="Seconds between checkpoints.")] = 30.0,
) -> None:
    """Train one model and test how far it generalises. The same command continues a stopped run."""
    import torch

    from raspl.cli.progress import display
    from raspl.runs.execute import execute
    from raspl.runs.folder import RunFolder
    from raspl.runs.plots import bars, draw, in_words
    from raspl.tasks.shipped import as_scale
    from raspl.training.loop import Session
    from raspl.training.presets import configure

    named = {
        "max_length": max_length,
        "test_lengths": None if test is None else whole_numbers(test),
        "seed": seed,
        "steps": steps,
        "train_on": train_on,
        "test_on": test_on,
    }
    changes = {key: value for key, value in named.items() if value is not None}
    torch.set_num_threads(threads)
    config = configure(
        the_task(task, language), as_scale(scale), {**read_settings(settings), **changes}
    )
    if not config.build_task().has_one_length and max(config.test_lengths) <= config.max_length:
        tell(
            f"No test length is beyond the training length {config.max_length}, so this run can't "
            "show length generalisation; set longer ones with --test."
        )
    with display(config) as watch:
        result = execute(config, root, Session(device, checkpoint_seconds, watch, tell))
    folder = RunFolder.under(root, config)
    draw(config, result, folder.picture)
    typer.echo(f"Exact match over length (* beyond the training length {config.max_length})")
    typer.echo(bars(config, result))
    typer.echo(in_words(config, result))
    typer.echo(f"Run: {folder.path}")


def export(
    run: Annotated[Path, typer.Argument(help="A run's folder.")],
    to: Annotated[str, typer.Option(help="hf, for Hugging Face's GPT2LMHeadModel.")] = "hf",
    out: Annotated[Path | None, typer.Option(help="Default: RUN/hf.")] = None,
) -> None:
    """Write a trained model for another library."""
    from raspl.runs.hugging_face import to_hugging_face
    from raspl.runs.run import Run

    if to != "hf":
        raise RasplError(f"Can't export to {to!r}; there is hf.")
    folder = run / "hf" if out is None else out
    to_hugging_face(Run.at(run), folder)
    typer.echo(f"Written: {folder}")
