"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

import re
from math import isfinite, nan
from pathlib import Path
from typing import Annotated, Any

import typer

from raspl.cli.usage import no_option
from raspl.errors import RasplError
from raspl.words import value_of

RUNS = Path("runs")

Scale = Annotated[str, typer.Option(help="smoke, laptop, desk or paper.")]
Root = Annotated[Path, typer.Option(help="Where runs are kept.")]
Results = Annotated[
    Path | None,
    typer.Option(
        help="Where shipped results are; by default results/, or those installed with raspl."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter by name; may be repeated."),
]
TokenNames = Annotated[
    str | None,
    typer.Option(
        "--tokens",
        metavar="NAMES",
        help="Names of the tokens, numbered from 0, as in --tokens 'SoS > EoS a b'; "
        'a file may state them itself, as TOKENS = ["SoS", …].',
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        metavar="REGEX", help="Instead of a task: predict the states of a regular language."
    ),
]
Bits = Annotated[int | None, typer.Option(help="Integer width, 8 or 16, instead of the program's.")]
# Tokens such as -1 must not be taken for options; `refuse_options` finds those that are.
NUMERIC = {"ignore_unknown_options": True}


def refuse_options(texts: list[str], context: typer.Context) -> None:
    """Among tokens, what looks like an option is one that the command does not have."""
    for text in texts:
        if re.match(r"--?[a-zA-Z]", text):
            given = text.partition("=")[0]
            raise RasplError(no_option(context, given))


def read_settings(texts: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE, each value a number, a list of numbers, None, or else a word."""
    return dict(_setting(text) for text in texts or ())


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise RasplError(f"--set takes NAME=VALUE, not {text!r}.")
    name = name.strip().replace("-", "_")
    if name == "test_lengths":
        return name, whole_numbers(value)
    if value == "None":
        return name, None
    return name, value_of(value)


def the_task(task: str | None, language: str | None) -> str:
    """The name of the task that a command is about."""
    if (task is None) == (language is None):
        raise RasplError("Name one task, or give one --language, as in --language '(ab|bba)*'.")
    return f"language:{language}" if task is None else task


def whole_numbers(text: str) -> tuple[int, ...]:
    """Lengths, as in 20,30."""
    try:
        found = tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        found = ()
    if not found:
        raise RasplError(f"Lengths are numbers separated by commas, as in 20,30; not {text!r}.")
    return found


def seconds(text: str) -> float:
    """A time, as in 60s or 5m."""
    number, factor = (text[:-1], 60.0) if text.endswith("m") else (text.removesuffix("s"), 1.0)
    try:
        found = float(number) * factor
    except ValueError:
        found = nan
    if not isfinite(found):
        raise RasplError(f"{text!r} is not a time; write --budget as in 60s or 5m.")
    if found <= 0:
        raise RasplError(
            f"A --budget of {text} leaves no time to search; write more, as in 60s or 5m."
        )
    return found


def check_bits(bits: int | None) -> None:
    if bits not in (None, 8, 16):
        raise RasplError(f"--bits {bits}: the width is 8 or 16")
