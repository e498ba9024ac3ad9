"""zoo build, zoo list: programs as folders of networks that explain themselves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from raspl.cli.options import Bits, check_bits

if TYPE_CHECKING:
    from raspl.compiler.zoo import Entry

EXAMPLES = 3
"""Examples of a task that a folder shows."""
LENGTH = 4


def register(app: typer.Typer) -> None:
    """Add the commands of the zoo."""
    zoo = typer.Typer(no_args_is_help=True, help="Compiled programs as folders, ready for a hub.")
    zoo.command("build")(build_zoo)
    zoo.command("list")(list_zoo)
    app.add_typer(zoo, name="zoo")


def build_zoo(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME]…", help="Programs, by name or FILE; else all that ship."),
    ] = None,
    output: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Where to.")] = Path(
        "zoo"
    ),
    alphabet: Annotated[
        str | None,
        typer.Option(help="Tokens of the programs in files, as in --alphabet=-2:100,200."),
    ] = None,
    dtype: Annotated[Literal["float32", "float64"], typer.Option(help="Float format.")] = "float32",
    bits: Bits = None,
) -> None:
    """Make a folder of each program: weights, card, examples, and a check of itself."""
    from raspl import programs
    from raspl.compiler.zoo import build, write_index

    check_bits(bits)
    entries = [
        entry for name in names or programs.NAMES for entry in _entries(name, alphabet, bits)
    ]
    for number, entry in enumerate(entries, 1):
        folder = build(entry, output, dtype)
        typer.echo(f"{number}/{len(entries)} wrote {folder}")
    write_index(output)
    typer.echo(f"wrote {output / 'README.md'}")


def list_zoo(
    folder: Annotated[
        Path | None, typer.Argument(help="A zoo; else what could be built is listed.")
    ] = None,
) -> None:
    """List what a zoo holds, or the programs that ship."""
    from rich.console import Console
    from rich.table import Table

    from raspl import programs
    from raspl.compiler.report import length_text
    from raspl.compiler.zoo import listing

    if folder is None:
        table = Table("program", "heads", "depth", "what it does", box=None, pad_edge=False)
        for name in programs.NAMES:
            measures = programs.load(name).measure()
            table.add_row(name, str(measures.heads), str(measures.depth), _about(name))
    else:
        columns = ("program", "tokens", "layers", "heads", "width", "parameters", "exact to")
        table = Table(*columns, box=None, pad_edge=False)
        for entry in listing(folder):
            sizes = [f"{entry[key]:,}" for key in ("tokens", "layers", "heads", "width")]
            counts = [f"{entry['parameters']:,}", length_text(entry["longest"])]
            table.add_row(entry["name"], *sizes, *counts)
        for column in table.columns[1:]:
            column.justify = "right"
    Console().print(table)


def _about(name: str) -> str:
    """What a shipped program is for: what its task asks."""
    from raspl import programs
    from raspl.tasks import SHIPPED

    task = SHIPPED[name.removesuffix(programs.PAPER)].build()
    return task.about + (", in the paper's format" if name.endswith(programs.PAPER) else "")


def _entries(name: str, alphabet: str | None, bits: int | None) -> list[Entry]:
    """A shipped program, or every program of a file."""
    from raspl.cli import programs
    from raspl.cli.compiler import read_alphabet
    from raspl.compiler.zoo import Entry

    is_shipped = name in programs.SHIPPED and not Path(name).exists()
    task = programs.task_of(name)
    entries = []
    for program in programs.find_all(name, bits):
        about = program.__doc__ or ""
        if is_shipped:
            about = f"{_about(name).capitalize()}. {about}".strip()
        entries.append(
            Entry(
                program,
                "\n".join(program.definition.source.lines).rstrip() + "\n",
                read_alphabet(name, program, None if is_shipped else alphabet),
                about,
                task.alphabet if task is not None else (),
                _drawn(name),
            )
        )
    return entries


def _drawn(name: str) -> list[list[list[int]]]:
    """Examples of the task of a shipped program."""
    import numpy as np

    from raspl.cli.programs import task_of
    from raspl.tasks import Purpose, stream

    task = task_of(name)
    if task is None:
        return []
    length = task.shortest if task.has_one_length else max(task.shortest, LENGTH)
    drawn = task.examples(stream(0, Purpose.SHOW), np.full(EXAMPLES, length)).left_aligned()
    rows = zip(drawn.tokens, drawn.sizes, strict=True)
    return [[row[:size].tolist()] for row, size in rows]
