"""Commands as a user types them, run in this process: starting Python for each takes a second."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from raspl.cli import app


class Done(NamedTuple):
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


def raspl(*arguments: str, cwd: Path | None = None) -> Done:
    """Run a command in a folder. An error that no sentence explains is raised here."""
    with chdir(cwd or "."):
        answer = CliRunner().invoke(app, arguments, prog_name="raspl")
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return Done(answer.exit_code, answer.stdout, answer.stderr)
