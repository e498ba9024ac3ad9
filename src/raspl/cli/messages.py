"""The one place that turns errors into sentences, and sentences into standard error."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from raspl.cli.usage import UsageError, is_call_for_help, sentence
from raspl.errors import RasplError, Stopped

INTERRUPTED = 130
"""Exit status of work that was stopped, as shells give for Ctrl-C."""
MISTAKE = 2
EXTRAS = {
    "torch": "learn", "matplotlib": "learn", "safetensors": "learn", "filelock": "learn",
    "transformers": "hf", "transformer_lens": "lens", "ray": "ray", "polars": "table",
    "pygls": "lsp", "lsprotocol": "lsp", "optuna": "sweep", "starlette": "web", "uvicorn": "web",
}  # fmt: skip
"""Which extra of raspl brings a package."""


def require(extra: str) -> None:
    """Say at once what a command needs and this installation lacks."""
    packages = [name for name, brings in EXTRAS.items() if brings == extra]
    lacking = [name for name in packages if not is_installed(name)]
    if lacking:
        raise RasplError(f"This needs {' and '.join(lacking)}: {how_to_install(extra)}.")


def is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # it is marked as absent
        return False


def how_to_install(extra: str) -> str:
    """The command that brings an extra, to a clone or to an installation."""
    clone = Path(__file__).parents[3]
    if (clone / "pyproject.toml").is_file():
        return f"pip install -e '{clone}[{extra}]'"
    return f"pip install 'raspl[{extra}]'"


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
    except BrokenPipeError:
        # Whoever read the output has seen enough, as in `raspl list | head`.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (the process ends with it)
        raise typer.Exit from None
    except (RasplError, OSError) as error:
        explain(error)
        raise typer.Exit(MISTAKE) from None
    except Stopped as stopped:
        tell(str(stopped))
        raise typer.Exit(INTERRUPTED) from None
    except KeyboardInterrupt:
        tell("raspl: stopped")
        raise typer.Exit(INTERRUPTED) from None
    except UsageError as error:
        if is_call_for_help(error):
            raise
        tell(f"raspl: {sentence(error)}")
        raise typer.Exit(MISTAKE) from None
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRAS:
            raise
        tell(f"raspl: This needs {missing.name}: {how_to_install(EXTRAS[missing.name])}.")
        raise typer.Exit(MISTAKE) from None


class Commands(TyperGroup):
    """All commands, with that one handler around each."""

    def invoke(self, ctx: Any) -> Any:
        with sentences():
            return super().invoke(ctx)
