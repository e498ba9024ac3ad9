"""compile: a program as the weights of a Transformer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from raspl.cli.language import NUMERIC, ProgramName
from raspl.errors import RasplError

if TYPE_CHECKING:
    from raspl.compiler.description import Description
    from raspl.program import Program


LONGEST = 128
"""Of --verify, if nothing is said: enough to see every head at work, and quick."""


def register(app: typer.Typer) -> None:
    """Add the commands of the compiler."""
    app.command("compile", context_settings=NUMERIC)(compile_program)


def compile_program(
    program: ProgramName,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the network here.")
    ] = None,
    alphabet: Annotated[
        str | None,
        typer.Option(help="The tokens it will meet, as in --alphabet=-2:100,200 (ends included)."),
    ] = None,
    dtype: Annotated[Literal["float32", "float64"], typer.Option(help="Float format.")] = "float32",
    verify: Annotated[
        int, typer.Option(min=0, metavar="N", help="Compare with the program on N random inputs.")
    ] = 0,
    longest: Annotated[
        int | None,
        typer.Option(min=1, help="The longest input of --verify; 128 if the network allows."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the random inputs.")] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the network on --input.")
    ] = None,
    input: Annotated[
        str | None, typer.Option(metavar="TOKENS", help="For --picture; / begins the next one.")
    ] = None,
    bits: Annotated[int | None, typer.Option(help="8 or 16, over the program's.")] = None,
) -> None:
    """Compile a program to a Transformer: one set of weights, exact for every length stated."""
    from raspl.cli import programs

    if bits not in (None, 8, 16):
        raise RasplError(f"--bits {bits}: the width is 8 or 16")
    if (picture is None) != (input is None):
        raise RasplError("--picture FILE and --input TOKENS go together")
    found = programs.find(program, bits)
    import rich

    from raspl.compiler import compile, shipped

    tokens = shipped.alphabet_of(found) if alphabet is None else _read_alphabet(alphabet, found)
    network = compile(found, tokens, dtype)
    if longest is not None:
        _check_longest(longest, network.description, dtype)
    from raspl.compiler import export, report

    rich.print(report.report(network))
    typer.echo(f"weights sha256 {export.weights_hash(network)}")
    if output is not None:
        typer.echo("wrote " + ", ".join(map(str, export.save(network, output))))
    if picture is not None and input is not None:
        from raspl.compiler.picture import draw

        draw(network, found.graph, programs.read_sequences([input], found.graph), picture)
        typer.echo(f"wrote {picture}")
    if verify:
        from raspl.compiler.verify import sample
        from raspl.compiler.verify import verify as compare

        result = compare(network, found.graph, sample(network, verify, seed, longest or LONGEST))
        typer.echo(f"verified in {dtype}: {result}")
        for mismatch in result.mismatches[:3]:
            typer.echo(f"at position {mismatch.position}: {mismatch}", err=True)
        if result.mismatches:
            raise typer.Exit(1)


def _check_longest(longest: int, known: Description, dtype: str) -> None:
    """Beyond its bound a network says nothing, so there is nothing to compare."""
    bound = known.longest(dtype)
    if longest > bound:
        wider = ", or --dtype float64" if longest <= known.longest("float64") else ""
        raise RasplError(
            f"--longest {longest}: {known.program} is exact up to {bound:,} tokens in {dtype} "
            f"({known.reason(bound)}); give at most {bound}{wider}"
        )


def _read_alphabet(text: str, found: Program) -> list[int]:
    """`-2:5,9` is -2 … 5 and 9; the program's constants may be named."""
    from raspl.cli.programs import read_token

    tokens: set[int] = set()
    for part in text.split(","):
        first, colon, last = part.strip().partition(":")
        ends = [read_token(end, found.graph) for end in ([first, last] if colon else [first])]
        tokens.update(range(ends[0], ends[-1] + 1))
    if not tokens:
        raise RasplError(f"--alphabet {text}: no token is in it")
    return sorted(tokens)
