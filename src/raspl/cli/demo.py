"""`raspl demo`: the main job, shown by the commands that a user would type."""

from __future__ import annotations

import shlex

import typer

from raspl import programs

ADDITION = "START -100 0 -101 0 -102 8 -103 8 PLUS -100 0 -101 8 -102 4 -103 2 EQUALS"
COMMANDS = (
    ("What is legal?", ["check", *programs.NAMES]),
    ("What is not, and why?", ["check", "parity_plain"]),
    ("Count from 2 to 5.", shlex.split("run count START 2 5 --until END")),
    ("Add 88 and 842, digit by digit.", shlex.split(f"run add_reverse {ADDITION} --until END")),
    ("How does counting work?", shlex.split("trace count START 2 5 --until END")),
    ("What does the head of sort look at?", shlex.split("trace sort 4 9 3 7 START --selectors")),
    ("How large are the programs?", ["measure"]),
)


def register(app: typer.Typer) -> None:
    """Add the demonstration."""

    @app.command()
    def demo() -> None:
        """Check, run, trace and measure the programs that ship with raspl."""
        for question, arguments in COMMANDS:
            typer.secho(f"\n# {question}", bold=True)
            typer.secho(f"$ raspl {' '.join(arguments)}", fg="cyan")
            app(arguments, standalone_mode=False)
        typer.secho("\nNext: write a program of your own; README.md shows how.", bold=True)
