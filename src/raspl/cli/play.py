"""play: the playground in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from raspl.cli.messages import require


def register(app: typer.Typer) -> None:
    """Add the command of the playground."""
    app.command()(play)


def play(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free one.")] = 8642,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 is open to other machines.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
    records: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The record board; yours by default.")
    ] = None,
    board: Annotated[bool, typer.Option(help="Keep a record board.")] = True,
    ask: Annotated[
        bool | None,
        typer.Option(help="Search and train for users; by default on this machine only."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that compute.")] = 2,
    name: Annotated[
        list[str] | None, typer.Option(help="A host name that the server answers to; may repeat.")
    ] = None,
) -> None:
    """Open the playground: editor, trace, puzzles, compiled networks, in the browser."""
    require("web")
    from raspl.web.puzzles.board import default_file
    from raspl.web.serving import options_for, serve

    options = options_for(
        host,
        records=(records or default_file()) if board else None,
        ask=ask,
        workers=workers,
        names=tuple(name or ()),
    )
    serve(host, port, options=options, browser=browser, say=typer.echo)
