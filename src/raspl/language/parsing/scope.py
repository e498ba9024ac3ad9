"""What the names in a program stand for.

A definition is resolved in the scope that it was written in: a parsed file (never executed), or
the globals of a Python function that carries @program. Behind both stand the core and the library.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Protocol

from raspl.errors import RasplError
from raspl.language.ir.primitives import CORE
from raspl.language.ir.scalar import NAMED, Fn
from raspl.language.source import Source, read, short_path
from raspl.language.vocabulary import STATED_AS, Vocabulary


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal: an integer, None, or the name of a token or of a reduction."""

    value: int | str | None


@dataclass(frozen=True, slots=True)
class Core:
    """A function of the core, known by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar function with a name, such as `equals`."""

    name: str
    fn: Fn


@dataclass(frozen=True, slots=True)
class Package:
    """The package raspl itself, so that `raspl.kqv` is `kqv`."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """A name that exists but means nothing in RASP-L; `what` says what it is."""

    what: str
    is_reported: bool = False
    """Whether it was refused where it comes from, so that its uses are not."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A name that was looked for in raspl, or in a file, where nothing of RASP-L bears it."""

    name: str
    where: str = "raspl"


@dataclass(frozen=True, eq=False)
class Definition:
    """A function as it was written: a template that is inlined at each call."""

    name: str
    node: ast.FunctionDef
    source: Source
    scope: Scope
    library: bool = False


@dataclass(frozen=True, eq=False)
class Beside:
    """A file beside this one, imported as a whole: `helpers.f` is its `f`."""

    file: str
    scope: FileScope


Meaning = Beside | Constant | Core | Scalar | Package | Foreign | Missing | Definition


class Scope(Protocol):
    """A place where names are looked up."""

    def find(self, name: str) -> Meaning | None:
        """What a name stands for, or None if it is unknown here."""

    def names(self) -> Iterable[str]:
        """Every name that could have been meant."""

    def token_names(self) -> dict[str, int]:
        """Constants that name tokens even where the program does not mention them."""

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What gives the strings of this place their numbers."""


SCALARS: dict[str, Scalar] = {name: Scalar(name, fn) for name, fn in NAMED.items()}
TYPE_NAMES = ("Int", "Bool", "Index", "Count")


class BuiltinScope:
    """The core, the comparison names and the library."""

    def find(self, name: str) -> Meaning | None:
        if name in CORE:
            return Core(name)
        return SCALARS.get(name) or library().get(name)

    def names(self) -> Iterable[str]:
        return (*CORE, *SCALARS, *library())

    def token_names(self) -> dict[str, int]:
        return {}

    @property
    def vocabulary(self) -> Vocabulary | None:
        return None


BUILTIN = BuiltinScope()


@dataclass(eq=False)
class FileScope:
    """The constants and functions of one parsed text, and the names of its tokens."""

    vocabulary: Vocabulary | None = None
    meanings: dict[str, Meaning] = field(default_factory=dict)

    def find(self, name: str) -> Meaning | None:
        return self.meanings.get(name) or BUILTIN.find(name)

    def own(self, name: str) -> Meaning | None:
        """What the text itself calls so, if it is of RASP-L."""
        meaning = self.meanings.get(name)
        return None if isinstance(meaning, Foreign | Missing) else meaning

    def defined(self) -> list[str]:
        """The names of RASP-L that are the text's own, and not imported from raspl."""
        return [name for name in self.meanings if self.own(name) not in (None, BUILTIN.find(name))]

    def names(self) -> Iterable[str]:
        return (*(name for name in self.meanings if self.own(name)), *BUILTIN.names())

    def token_names(self) -> dict[str, int]:
        return self._token_names

    @cached_property
    def _token_names(self) -> dict[str, int]:
        """Asked for by every program of the text, after all of it was read."""
        return {
            name: meaning.value
            for name, meaning in self.meanings.items()
            if isinstance(meaning, Constant) and isinstance(meaning.value, int) and name.isupper()
        }


@dataclass(frozen=True, eq=False)
class PythonScope:
    """The globals, and the enclosing variables, of a Python function."""

    variables: Mapping[str, Any]

    def find(self, name: str) -> Meaning | None:
        if name in self.variables:
            return _python_meaning(name, self.variables[name])
        return SCALARS.get(name) if hasattr(builtins, name) else None

    def names(self) -> Iterable[str]:
        return (name for name in self.variables if not name.startswith("__"))

    def token_names(self) -> dict[str, int]:
        return {}

    @property
    def vocabulary(self) -> Vocabulary | None:
        """What the module calls TOKENS, unless it is something else."""
        stated = self.variables.get(STATED_AS)
        try:
            return Vocabulary.of(stated) if isinstance(stated, str | list | tuple | dict) else None
        except RasplError:
            return None


def member(base: Meaning | None, name: str) -> Meaning | None:
    """What a name stands for in the package raspl or in a file beside; None of anything else."""
    match base:
        case Package():
            return BUILTIN.find(name) or Missing(name)
        case Beside():
            return base.scope.own(name) or Missing(name, base.file)
    return None


def _python_meaning(name: str, value: Any) -> Meaning:
    public = getattr(value, "__raspl__", None)
    if isinstance(public, Core | Scalar):
        return public
    if isinstance(value, bool | int | str | None):
        return Constant(int(value) if isinstance(value, bool) else value)
    definition = getattr(value, "definition", None)
    if isinstance(definition, Definition):
        return definition
    if isinstance(value, FunctionType):
        try:
            return definition_of(value)
        except OSError:
            return Foreign("a function whose source can't be read")
    if isinstance(value, ModuleType):
        return Package() if value.__name__ == __name__.partition(".")[0] else Foreign("a module")
    return Foreign(f"a Python value of type {type(value).__name__}")


@cache
def definition_of(function: Callable[..., object]) -> Definition:
    """The definition of a Python function, read from its source. Raises OSError without one."""
    function = inspect.unwrap(function)
    assert isinstance(function, FunctionType)
    lines, first_line = inspect.getsourcelines(function)
    text = "".join(lines)
    dedented = textwrap.dedent(text)
    indent = len(lines[0]) - len(dedented.split("\n", 1)[0]) - lines[0].endswith("\n")
    tree = ast.parse(dedented)
    file = inspect.getsourcefile(function) or "<text>"
    source = Source(dedented, short_path(file), max(first_line, 1), max(indent, 0))
    if not tree.body or not isinstance(node := tree.body[0], ast.FunctionDef):
        raise OSError("the source of the function is not a def statement")
    closure = inspect.getclosurevars(function).nonlocals
    # A view, not a copy: what the module defines later is known to programs built later.
    scope = PythonScope(ChainMap(dict(closure), function.__globals__))
    return Definition(function.__name__, node, source, scope)


@cache
def library() -> dict[str, Definition]:
    """The standard library: RASP-L source, parsed like any other file."""
    source = read(Path(__file__).parents[1] / "library.py")
    scope = FileScope()
    for node in ast.parse(source.text).body:
        if isinstance(node, ast.FunctionDef):
            scope.meanings[node.name] = Definition(node.name, node, source, scope, library=True)
    return {
        name: meaning for name, meaning in scope.meanings.items() if isinstance(meaning, Definition)
    }
