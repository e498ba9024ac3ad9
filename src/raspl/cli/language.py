"""check, run, trace, measure: what one does with a program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from raspl.cli.options import NUMERIC, Bits, Settings, TokenNames, check_bits, refuse_options
from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic
from raspl.program import Program
from raspl.words import counted

if TYPE_CHECKING:
    from raspl.cli.programs import Words

ProgramName = Annotated[
    str,
    typer.Argument(
        metavar="PROGRAM",
        help="A shipped program, a library function, FILE:name, or FILE if it holds one program.",
    ),
]
Tokens = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TOKENS…",
        help="The program's tokens, by name if it names them; / starts another sequence.",
    ),
]
Generate = Annotated[bool, typer.Option("--generate", help="Let the program generate.")]
Until = Annotated[
    str | None,
    typer.Option(help="The token that ends generation; by default the program's EoS or END."),
]
Limit = Annotated[
    int | None, typer.Option(help="Generate at most this many tokens; 1000 by default.", min=1)
]
DEFAULT_LIMIT = 1000


def register(app: typer.Typer) -> None:
    """Add the commands of the language."""
    app.command()(check)
    app.command(context_settings=NUMERIC)(run)
    app.command(context_settings=NUMERIC)(trace)
    app.command()(measure)
    app.command("list")(list_programs)
    app.command()(show)


def check(
    file: Annotated[
        list[str], typer.Argument(metavar="FILE…", help="Files, or names of shipped programs.")
    ],
    format: Annotated[Literal["text", "json"], typer.Option(help="json is for editors.")] = "text",
    rules: Annotated[
        Literal["letter", "strict", "compilable"],
        typer.Option(help="Which reading of the rules (docs/types.md)."),
    ] = "letter",
    tokens: TokenNames = None,
    bits: Bits = None,
) -> None:
    """Show every violation of RASP-L in a file. Exit code 1 if there are any."""
    from raspl.cli import messages, programs

    check_bits(bits)
    results: list[tuple[list[str], list[Diagnostic]]] = []
    refused: list[RasplError | OSError] = []
    for name in file:
        try:
            results.append(programs.check(name, bits, rules, tokens))
        except (RasplError, OSError) as error:
            refused.append(error)
    diagnostics = [d for _, found in results for d in found]
    if format == "json":
        typer.echo(json.dumps([d.as_json() for d in diagnostics], indent=1))
    else:
        for diagnostic in diagnostics:
            headline, *details = diagnostic.parts()
            typer.secho(headline, fg="yellow" if diagnostic.rule.is_warning else "red", bold=True)
            typer.echo("\n".join(details) + "\n")
        if results:
            _summary([name for legal, _ in results for name in legal], diagnostics)
    for one in refused:
        messages.explain(one)
    if refused:
        raise typer.Exit(2)
    if any(not d.rule.is_warning for d in diagnostics):
        raise typer.Exit(1)


def _summary(legal: list[str], diagnostics: list[Diagnostic]) -> None:
    violations = sum(not d.rule.is_warning for d in diagnostics)
    if legal:
        typer.secho(f"legal: {', '.join(legal)}", fg="green")
    if violations:
        typer.echo(counted(violations, "violation"))
    elif not legal:
        typer.echo("no programs found: a program is a function, with or without @program")


def run(
    context: typer.Context,
    program: ProgramName,
    tokens: Tokens = None,
    generate: Generate = False,
    until: Until = None,
    limit: Limit = None,
    settings: Settings = None,
    names: TokenNames = None,
    bits: Bits = None,
) -> None:
    """Run a program on tokens: one pass, or generation with --generate or --until."""
    found, words, sequences = _given(context, program, tokens, settings, names, bits)
    if not (generate or until or limit):
        typer.echo(" ".join(words.outputs(found(*sequences).tolist())))
        return
    end, most = _end(found, words, until), limit or DEFAULT_LIMIT
    sequence = found.generate(sequences[0], end, most).tolist()
    typer.echo(" ".join(map(words.show, sequence)))
    if end is not None and sequence[-1] != end and (until or not limit):
        typer.echo(f"stopped after {most} tokens without {until or words.show(end)}", err=True)
        raise typer.Exit(1)


def trace(
    context: typer.Context,
    program: ProgramName,
    tokens: Tokens = None,
    generate: Generate = False,
    until: Until = None,
    limit: Limit = None,
    selectors: Annotated[bool, typer.Option(help="Draw the selector of every head.")] = False,
    html: Annotated[Path | None, typer.Option(help="Write an HTML page instead.")] = None,
    settings: Settings = None,
    names: TokenNames = None,
    bits: Bits = None,
) -> None:
    """Show every named intermediate of a program under its tokens."""
    found, words, sequences = _given(context, program, tokens, settings, names, bits)
    if generate or until or limit:
        end = _end(found, words, until)
        shown = found.trace_generation(sequences[0], end, limit or DEFAULT_LIMIT)
    else:
        shown = found.trace(*sequences)
    if html is None:
        import rich

        rich.print(shown.rich(selectors=selectors))
    else:
        from raspl.files import write_text
        from raspl.trace.page import page

        write_text(html, page(shown))
        typer.echo(f"wrote {html}")
    if shown.failure:
        raise typer.Exit(1)


def measure(
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PROGRAM…",
            help="Shipped programs (all by default), library functions, FILE or FILE:name.",
        ),
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Show which readings of the rules each one meets.")
    ] = False,
    tokens: TokenNames = None,
) -> None:
    """Compare programs by lines, operations, heads, depth, width and bits."""
    from dataclasses import asdict

    import rich
    from rich.table import Table

    from raspl import programs as shipped
    from raspl.analysis.disciplines import DISCIPLINES
    from raspl.cli import programs

    table = Table("program", *("lines", "operations", "heads", "depth", "width", "bits"))
    for column in table.columns[1:]:
        column.justify = "right"
    for reading in DISCIPLINES[1:] if rules else ():  # all are legal by the letter
        table.add_column(reading)
    for name in program or shipped.NAMES:
        for found in programs.find_all(name, tokens=tokens):
            sized = programs.with_literals(found, [f"{n}=1" for n in found.open_literals])
            row = [*map(str, asdict(sized.measure()).values())]
            met = ["yes" if one in sized.disciplines else "no" for one in DISCIPLINES[1:]]
            table.add_row(found.name, *row, *(met if rules else ()))
    rich.print(table)


def list_programs() -> None:
    """List the shipped programs and what each one does."""
    import ast
    from textwrap import indent

    from raspl import programs

    for name in (*programs.NAMES, *programs.ILLEGAL):
        docstring = ast.get_docstring(ast.parse(programs.path(name).read_text("utf-8"))) or ""
        illegal = "" if name in programs.NAMES else "  (illegal: `raspl check` says why)"
        typer.secho(f"{name}{illegal}", bold=True)
        typer.echo(indent(docstring, "    ") + "\n")


def _end(program: Program, words: Words, until: str | None) -> int | None:
    """The token at which a generation stops."""
    return program.end_token if until is None else words.read(until)


def show(program: ProgramName) -> None:
    """Print the source of a program."""
    from raspl.cli import programs

    typer.echo(programs.source(program))


def _given(
    context: typer.Context,
    name: str,
    tokens: list[str] | None,
    settings: list[str] | None,
    names: str | None,
    bits: int | None,
) -> tuple[Program, Words, list[list[int]]]:
    """The program that a command names, how its tokens are written, and the sequences."""
    from raspl.cli import programs

    check_bits(bits)
    found = programs.with_literals(programs.find(name, bits, names), settings)
    words = programs.Words(found.graph)
    refuse_options([each for each in tokens or [] if not words.knows(each)], context)
    sequences = words.sequences(tokens or [])
    if not sequences[0]:
        task = programs.task_of(name)
        such = "1 2 3" if task is None else programs.example_prompt(task)
        raise RasplError(f"no tokens were given: write them after {name}, such as {such}")
    return found, words, sequences
