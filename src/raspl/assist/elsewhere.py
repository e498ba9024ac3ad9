"""Names that a text uses and does not define: those of raspl, and of files beside the text."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from pathlib import Path

from raspl.language.ir.primitives import CORE
from raspl.language.parsing.module import parse_module
from raspl.language.parsing.scope import BUILTIN, Beside, Core, Definition, Meaning, Scope
from raspl.language.source import Source


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name is defined in another file, and what stands there."""

    file: Path
    line: int
    name: str
    signature: str
    doc: str


def elsewhere(source: Source, name: str, of: str = "") -> Place | None:
    """Where a name comes from that a text imports; `of` is what stands before its dot.

    A text that can't be parsed has no imports that can be followed; raspl's own names stay known.
    """
    scope: Scope = BUILTIN
    for definition in parse_module(source).definitions.values():
        scope = definition.scope
        break
    meaning = scope.find(of or name)
    if of:
        meaning = meaning.scope.own(name) if isinstance(meaning, Beside) else BUILTIN.find(name)
    return _place(meaning, source)


def _place(meaning: Meaning | None, source: Source) -> Place | None:
    match meaning:
        case Core(name=name):
            maker = CORE[name].maker
            line = inspect.getsourcelines(maker)[1]
            parameters = ", ".join(CORE[name].parameters)
            shown = f"{name}({parameters})"
            return Place(Path(inspect.getfile(maker)), line, name, shown, CORE[name].doc)
        case Definition(source=written) if written.folder is not None and written != source:
            node = meaning.node
            file = written.folder / Path(written.file).name
            shown = f"{node.name}({ast.unparse(node.args)})"
            doc = ast.get_docstring(node) or ""
            return Place(file, node.lineno, node.name, shown, doc)
        case Beside(file=name) if source.folder is not None:
            return Place(source.folder / name, 1, name, name, "")
    return None
