"""The command line: commands only, no logic. Each room has a file of its own here."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from raspl.cli import (
    bench,
    compiler,
    demo,
    inside,
    language,
    lsp,
    play,
    prediction,
    studies,
    sweeps,
    tasks,
    training,
    zoo,
)
from raspl.cli.messages import Commands

app = typer.Typer(
    name="raspl",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Write an algorithm the way a Transformer would run it, "
    "and find out whether a Transformer will learn it.",
)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"raspl {version('raspl')}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


language.register(app)
tasks.register(app)
training.register(app)
compiler.register(app)
zoo.register(app)
prediction.register(app)
studies.register(app)
sweeps.register(app)
bench.register(app)
inside.register(app)
demo.register(app)
lsp.register(app)
play.register(app)


def main() -> None:
    """Run the command line."""
    app()
