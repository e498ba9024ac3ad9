"""lsp: a language server for editors."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Add the command of the language server."""
    app.command("lsp")(serve)


def serve() -> None:
    """Answer an editor over standard input and output (docs/editors.md)."""
    from raspl.lsp.server import make_server

    make_server().start_io()
