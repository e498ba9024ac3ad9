"""How the command line finds programs and reads and shows tokens."""

from __future__ import annotations

from pathlib import Path

from raspl import programs
from raspl.language.diagnostics import RasplError
from raspl.language.graph import Graph
from raspl.language.program import Program, library_programs, load


def find(name: str, bits: int | None = None) -> Program:
    """A shipped program, a library function, FILE:name, or FILE if it holds one program."""
    if name in programs.NAMES:
        shipped = programs.load(name)
        return shipped if bits is None else Program(shipped.definition, bits)
    if name in library_programs():
        return library_programs()[name]
    file, _, wanted = name.rpartition(":")
    if not file or not Path(file).exists():
        file, wanted = name, ""
    if not Path(file).exists():
        shipped_names = ", ".join(programs.NAMES)
        raise RasplError(
            f"{name}: neither a file nor a shipped program; name a file as FILE:program, "
            f"or one of: {shipped_names}"
        )
    found = load(file, bits)
    if wanted in found:
        return found[wanted]
    if not wanted and len(found) == 1:
        return next(iter(found.values()))
    listed = ", ".join(found) or "none"
    what = f"has no program {wanted!r}" if wanted else "holds several programs"
    raise RasplError(f"{file} {what}; it has: {listed} — write {file}:NAME")


def find_file(name: str) -> Path:
    """A file, or the file of a shipped program, legal or illegal."""
    is_shipped = name in (*programs.NAMES, *programs.ILLEGAL)
    return programs.path(name) if is_shipped and not Path(name).exists() else Path(name)


def read_token(text: str, graph: Graph) -> int:
    """A token as the user types it: an integer, or the name of one of the program's constants."""
    try:
        return int(text)
    except ValueError:
        if text in graph.constants:
            return graph.constants[text]
    names = ", ".join(graph.constants) or "none"
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
