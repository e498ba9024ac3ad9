"""compile: a program as the weights of a Transformer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from raspl.cli.language import ProgramName
from raspl.cli.options import Bits, TokenNames, check_bits
from raspl.errors import RasplError

if TYPE_CHECKING:
    from raspl.compiler.description import Description
    from raspl.compiler.network import Network
    from raspl.program import Program


LONGEST = 128
"""Of --verify, if nothing is said: enough to see every head at work, and quick."""


def register(app: typer.Typer) -> None:
    """Add the commands of the compiler."""
    app.command("compile")(compile_program)


def compile_program(
    program: ProgramName,
    output: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the network here.")
    ] = None,
    alphabet: Annotated[
        str | None,
        typer.Option(help="Its tokens, as in --alphabet=-2:100,200 (ends included)."),
    ] = None,
    dtype: Annotated[Literal["float32", "float64"], typer.Option(help="Float format.")] = "float32",
    verify: Annotated[
        int, typer.Option(min=0, metavar="N", help="Compare with the program on N random inputs.")
    ] = 0,
    longest: Annotated[
        int | None,
        typer.Option(min=1, help="Longest input of --verify; by default 128, or the bound."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random inputs.")] = 0,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the network on --input.")
    ] = None,
    input: Annotated[
        str | None, typer.Option(metavar="TOKENS", help="Input for --picture; / starts another.")
    ] = None,
    tokens: TokenNames = None,
    bits: Bits = None,
) -> None:
    """Compile a program to a Transformer: one set of weights, exact up to a stated length."""
    import rich

    from raspl.cli import programs
    from raspl.compiler import compile, export, report

    check_bits(bits)
    if (picture is None) != (input is None):
        raise RasplError("--picture FILE and --input TOKENS go together")
    if picture is not None:
        from raspl.compiler.picture import check_format

        check_format(picture)
    found = programs.find(program, bits, tokens)
    network = compile(found, read_alphabet(program, found, alphabet), dtype)
    if longest is not None:
        _check_longest(longest, network.description, dtype)
    task = programs.task_of(program)
    if task is not None:
        typer.echo(f"The program of the task {task.name}, over its {len(task.alphabet)} tokens")
    rich.print(report.report(network))
    typer.echo(f"weights sha256 {export.weights_hash(network)}")
    if output is not None:
        typer.echo("wrote " + ", ".join(map(str, export.save(network, output))))
    if picture is not None and input is not None:
        from raspl.compiler.picture import draw

        draw(network, found.graph, programs.Words(found.graph).sequences([input]), picture)
        typer.echo(f"wrote {picture}")
    if verify:
        _verify(network, found, verify, seed, longest or LONGEST)


def _verify(network: Network, found: Program, number: int, seed: int, longest: int) -> None:
    """Compare the network with its program; exit code 1 if they differ."""
    from raspl.compiler.verify import sample, verify

    result = verify(network, found.graph, sample(network, number, seed, longest))
    typer.echo(f"verified in {str(network.dtype).removeprefix('torch.')}: {result}")
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


def read_alphabet(name: str, found: Program, text: str | None) -> list[int] | None:
    """The tokens to compile for: `-2:5,9` is -2 … 5 and 9, constants by name; else a shipped
    program's own, or every integer of the width if those are few enough for a row each."""
    from raspl import programs
    from raspl.cli.programs import Words

    if text is None:
        shipped = None if Path(name).exists() else programs.alphabet(name)
        if shipped is None and found.graph.vocabulary is None and found.bits > 8:
            raise RasplError(
                f"{found.name} has {found.bits}-bit integers, too many for one row each: "
                "name its tokens with --alphabet, as in --alphabet=-2:100"
            )
        return None if shipped is None else list(shipped)
    words = Words(found.graph)
    tokens: set[int] = set()
    for part in text.split(","):
        first, colon, last = part.strip().partition(":")
        ends = [words.read(end) for end in ([first, last] if colon else [first])]
        tokens.update(range(ends[0], ends[-1] + 1))
    if not tokens:
        raise RasplError(f"--alphabet {text}: there are no tokens in it")
    return sorted(tokens)
