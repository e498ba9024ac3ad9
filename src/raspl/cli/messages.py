"""The one place that turns errors into sentences, and sentences into standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from typer.core import TyperGroup

from raspl.errors import RasplError, Stopped

INTERRUPTED = 130
"""Exit status of work that was stopped, as shells give for Ctrl-C."""
MISTAKE = 2
EXTRAS = {
    "torch": "learn", "matplotlib": "learn", "safetensors": "learn", "filelock": "learn",
    "transformers": "hf", "transformer_lens": "lens", "ray": "ray", "polars": "table",
    "pygls": "lsp", "lsprotocol": "lsp",
}  # fmt: skip
"""Which extra of raspl brings a package."""


def tell(sentence: str) -> None:
    """Say something on standard error."""
    typer.echo(sentence, err=True)


def explain(error: RasplError | OSError) -> None:
    """Say what was wrong."""
    words = str(error)
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename or 'a file'}: {error.strerror.lower()}"
    tell(f"raspl: {words}")


@contextmanager
def sentences() -> Iterator[None]:
    """A user's mistake is one sentence and exit status 2, never a traceback."""
    try:
        yield
    except (RasplError, OSError) as error:
        explain(error)
        raise typer.Exit(MISTAKE) from None
    except Stopped as stopped:
        tell(str(stopped))
        raise typer.Exit(INTERRUPTED) from None
    except KeyboardInterrupt:
        tell("raspl: stopped")
        raise typer.Exit(INTERRUPTED) from None
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRAS:
            raise
        tell(f"raspl: This needs {missing.name}: pip install 'raspl[{EXTRAS[missing.name]}]'.")
        raise typer.Exit(MISTAKE) from None


class Commands(TyperGroup):
    """All commands, with that one handler around each."""

    def invoke(self, ctx: Any) -> Any:
        with sentences():
            return super().invoke(ctx)
