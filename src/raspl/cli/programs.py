"""How the command line finds programs and reads and shows tokens."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from raspl import programs
from raspl.cli.options import read_settings
from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic, IllegalProgram
from raspl.language.ir.graph import Graph
from raspl.language.ir.tokens import token_nodes
from raspl.loading import TokenNames, check_file, load, load_one
from raspl.program import Program, library_programs
from raspl.words import either, guesses, no_such_file

if TYPE_CHECKING:
    from raspl.analysis.disciplines import Discipline
    from raspl.tasks import Task

SHIPPED = (*programs.NAMES, *programs.ILLEGAL)
EXAMPLE_LENGTH = 3
"""Of the prompt that is shown when tokens are missing."""


def find(name: str, bits: int | None = None, tokens: str | TokenNames | None = None) -> Program:
    """A shipped program, a library function, FILE:name, or FILE if it holds one program."""
    found = find_all(name, bits, tokens)
    if len(found) == 1:
        return found[0]
    if not found:
        raise RasplError(f"{name} holds no program: a program is a function of sequences")
    listed = ", ".join(program.name for program in found)
    raise RasplError(f"{name} holds several programs ({listed}): write {name}:{found[0].name}")


def find_all(
    name: str, bits: int | None = None, tokens: str | TokenNames | None = None
) -> list[Program]:
    """What `find` finds, or every program of a file."""
    if name in library_programs():
        return [library_programs()[name]]
    file, wanted, names = _place(name, tokens)
    if not Path(file).exists():
        raise _unknown(name)
    if wanted:
        return [load_one(file, wanted, bits, names)]
    return list(load(file, bits, names).values())


def source(name: str) -> str:
    """The text of a shipped program's file, legal or not, or of one program."""
    if name in SHIPPED and not Path(name).exists():
        return programs.path(name).read_text("utf-8").rstrip()
    return "\n\n\n".join(program.source for program in find_all(name))


def _place(name: str, tokens: str | TokenNames | None) -> tuple[str, str, TokenNames | None]:
    """The file that a name stands for, the program in it, and the names of its tokens."""
    file, wanted = _split(name)
    names = tokens.replace(",", " ").split() if isinstance(tokens, str) else tokens
    if name in SHIPPED and not Path(name).exists():
        return str(programs.path(name)), name, names or programs.tokens(name)
    return file, wanted, names


def _unknown(name: str) -> RasplError:
    """Nothing bears this name; what may have been meant."""
    from raspl.tasks import SHIPPED as TASKS

    file, _ = _split(name)
    if file.endswith(".py"):
        return RasplError(no_such_file(file))
    close = guesses(name, [*SHIPPED, *library_programs()])
    guess = f"did you mean {either(close)}? Name" if close else "name"
    what = f"{name}: neither a file nor a shipped program"
    if name in TASKS:
        what = f"{name} is a task without a program: `raspl search {name}` looks for one"
    return RasplError(
        f"{what}; {guess} a file as FILE or FILE:program, or one of: {', '.join(programs.NAMES)}"
    )


def _split(name: str) -> tuple[str, str]:
    """FILE and name of FILE:name; a file may have a colon in its own name."""
    file, _, wanted = name.rpartition(":")
    return (file, wanted) if file and not Path(name).exists() else (name, "")


def check(
    name: str, bits: int | None = None, rules: Discipline = "letter", tokens: str | None = None
) -> tuple[list[str], list[Diagnostic]]:
    """The legal programs of FILE, FILE:name or a shipped program, and what is wrong or odd."""
    from raspl.analysis.disciplines import breaches

    legal, diagnostics = _checked(name, bits, tokens)
    refused = {one: breaches(found.graph, rules) for one, found in legal.items() if _closed(found)}
    more = [breach.diagnostic for found in refused.values() for breach in found]
    return [one for one in legal if not refused.get(one)], [*diagnostics, *more]


def _closed(program: Program) -> bool:
    """A program whose literals are open has no graph yet."""
    return not program.open_literals


def _checked(
    name: str, bits: int | None, tokens: str | None
) -> tuple[dict[str, Program], list[Diagnostic]]:
    file, wanted, names = _place(name, tokens)
    if not Path(file).exists():
        raise _unknown(name)
    if wanted and wanted != name:
        try:
            found = load_one(file, wanted, bits, names)
            return {found.name: found}, []
        except IllegalProgram as error:
            return {}, error.diagnostics
    return check_file(file, bits, names)


@dataclass(frozen=True)
class Words:
    """How the tokens of a program are typed and shown.

    By their names if the program has them; else as integers, or by the names of its constants.
    """

    graph: Graph

    def read(self, text: str) -> int:
        """A token as the user types it."""
        found = self._token(text)
        if found is None:
            raise RasplError(f"{text!r} is not a token: {self._known()}")
        return found

    def knows(self, text: str) -> bool:
        """Whether this is a token, as the user types it."""
        return self._token(text) is not None

    def _token(self, text: str) -> int | None:
        names = self.graph.vocabulary
        if names is None and text.lstrip("-").isdecimal():
            return int(text)
        found = None if names is None else names.read(text)
        return self.graph.constants.get(text) if found is None else found

    def _known(self) -> str:
        if self.graph.vocabulary is not None:
            return f"those of {self.graph.name} are {self.graph.vocabulary.listed()}"
        names = ", ".join(self.graph.constants) or "it has none"
        return f"write an integer or a constant of {self.graph.name} ({names})"

    def show(self, value: int) -> str:
        """A token for people; what has no name is a number after a #."""
        names = self.graph.vocabulary
        return str(value) if names is None else names.show(value)

    def outputs(self, values: list[int]) -> list[str]:
        """What the program returns: tokens, numbers, or indices, of which -1 is none."""
        if self.graph.output.type.is_index:
            return ["·" if value < 0 else str(value) for value in values]
        is_token = self.graph.output in token_nodes(self.graph)
        return [self.show(value) if is_token else str(value) for value in values]

    def sequences(self, texts: list[str]) -> list[list[int]]:
        """The inputs of a program, which commas or spaces may separate; a / begins the next one."""
        found: list[list[int]] = [[]]
        for text in " ".join(texts).replace(",", " ").split():
            if text == "/":
                found.append([])
            else:
                found[-1].append(self.read(text))
        return found


def task_of(name: str) -> Task | None:
    """The shipped task whose program bears this name, unless a file of the user's does."""
    from raspl.tasks import SHIPPED as TASKS

    is_ours = name in programs.NAMES and name in TASKS and not Path(name).exists()
    return TASKS[name].build() if is_ours else None


def example_prompt(task: Task) -> str:
    """A prompt of a task, to show how its tokens are written."""
    import numpy as np

    from raspl.tasks import Purpose, stream

    length = max(task.shortest, EXAMPLE_LENGTH)
    drawn = task.examples(stream(0, Purpose.SHOW), np.array([length]))
    names = task.names(drawn.tokens[0][~drawn.answers[0]])
    return " ".join(f"'{name}'" if name == ">" else name for name in names)


def with_literals(program: Program, settings: list[str] | None) -> Program:
    """The program with its literal parameters set as NAME=VALUE."""
    literals = read_settings(settings)
    for name, value in literals.items():
        if not isinstance(value, int | None):
            raise RasplError(f"--set {name}={value}: write NAME=INTEGER, or NAME=None")
    return program.bind(**literals) if literals else program
