"""How the command line finds programs and reads and shows tokens."""

from __future__ import annotations

from pathlib import Path

from raspl import programs
from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic, IllegalProgram
from raspl.language.ir.graph import Graph
from raspl.loading import check_file, load, load_one
from raspl.program import Program, library_programs
from raspl.words import either, guesses

SHIPPED = (*programs.NAMES, *programs.ILLEGAL)


def find(name: str, bits: int | None = None) -> Program:
    """A shipped program, a library function, FILE:name, or FILE if it holds one program."""
    found = find_all(name, bits)
    if len(found) == 1:
        return found[0]
    if not found:
        raise RasplError(f"{name} holds no program: a program is a function of sequences")
    listed = ", ".join(program.name for program in found)
    raise RasplError(f"{name} holds several programs ({listed}): write {name}:{found[0].name}")


def find_all(name: str, bits: int | None = None) -> list[Program]:
    """What `find` finds, or every program of a file."""
    if name in library_programs():
        return [library_programs()[name]]
    file, wanted = _split(name)
    if name in SHIPPED and not Path(name).exists():
        file, wanted = str(programs.path(name)), name
    if not Path(file).exists():
        raise _unknown(name)
    if wanted:
        return [load_one(file, wanted, bits)]
    return list(load(file, bits).values())


def _unknown(name: str) -> RasplError:
    """Nothing bears this name; what may have been meant."""
    from raspl.prediction import sources as small

    close = guesses(name, [*SHIPPED, *library_programs()])
    guess = f"did you mean {either(close)}? Name" if close else "name"
    what = f"{name}: neither a file nor a shipped program"
    if name in small.NAMES:
        what = f"{name} is a task, not a program: `raspl search {name}` looks for one"
    return RasplError(
        f"{what}; {guess} a file as FILE or FILE:program, or one of: {', '.join(programs.NAMES)}"
    )


def _split(name: str) -> tuple[str, str]:
    """FILE and name of FILE:name; a file may have a colon in its own name."""
    file, _, wanted = name.rpartition(":")
    return (file, wanted) if file and not Path(name).exists() else (name, "")


def check(name: str, bits: int | None = None) -> tuple[list[str], list[Diagnostic]]:
    """The legal programs of FILE, FILE:name or a shipped program, and what is wrong or odd."""
    file, wanted = _split(name)
    if wanted and Path(file).exists():
        try:
            return [load_one(file, wanted, bits).name], []
        except IllegalProgram as error:
            return [], error.diagnostics
    if name in SHIPPED and not Path(name).exists():
        file = str(programs.path(name))
    legal, diagnostics = check_file(file, bits)
    return list(legal), diagnostics


def read_token(text: str, graph: Graph) -> int:
    """A token as the user types it: an integer, or the name of one of the program's constants."""
    try:
        return int(text)
    except ValueError:
        if text in graph.constants:
            return graph.constants[text]
    names = ", ".join(graph.constants) or "it has none"
    raise RasplError(
        f"{text!r} is no token: write an integer or a constant of {graph.name} ({names})"
    )


def read_sequences(tokens: list[str], graph: Graph) -> list[list[int]]:
    """The sequences of a program, which commas or spaces may separate; a / begins the next one."""
    sequences: list[list[int]] = [[]]
    for text in " ".join(tokens).replace(",", " ").split():
        if text == "/":
            sequences.append([])
        else:
            sequences[-1].append(read_token(text, graph))
    return sequences


def with_literals(program: Program, settings: list[str]) -> Program:
    """The program with its literal parameters set as NAME=VALUE."""
    literals: dict[str, int | None] = {}
    for setting in settings:
        name, _, value = setting.partition("=")
        try:
            literals[name] = None if value == "None" else int(value)
        except ValueError:
            raise RasplError(f"--set {setting}: write NAME=INTEGER, or NAME=None") from None
    return program.bind(**literals) if literals else program
