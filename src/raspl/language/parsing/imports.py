"""Names of raspl that a file uses and does not import.

RASP-L knows them anyway, so that a short text needs no imports. Python does not: a file that is
also a module, since it imports from raspl or carries @program, would fail there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from raspl.language.parsing.scope import BUILTIN, TYPE_NAMES, FileScope
from raspl.language.rules import Violation
from raspl.words import both


def not_imported(
    functions: Iterable[ast.FunctionDef], scope: FileScope
) -> tuple[Violation, ast.Name] | None:
    """What a text leaves out of its imports, and where the first of it is used."""
    if "*" in scope.meanings:
        return None
    missing: dict[str, ast.Name] = {}
    for function in functions:
        for name in _outer_names(function):
            if name.id not in scope.meanings and _is_only_of_raspl(name.id):
                missing.setdefault(name.id, name)
    if not missing:
        return None
    listed = both([f"`{name}`" for name in missing])
    are = "is" if len(missing) == 1 else "are"
    message = f"{listed} {are} not imported, so this file fails when Python runs it"
    instead = f"add `from raspl import {', '.join(sorted(missing))}`"
    return Violation("W005", message, instead), next(iter(missing.values()))


def _outer_names(function: ast.FunctionDef) -> Iterator[ast.Name]:
    """The names that a function reads and does not bind itself, in the order of the text."""
    nodes = list(ast.walk(function))
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
    for name in sorted(names, key=lambda name: (name.lineno, name.col_offset)):
        if name.id not in own:
            yield name


def _is_only_of_raspl(name: str) -> bool:
    """Whether raspl has this name, and Python has not."""
    if hasattr(builtins, name):
        return False
    return name == "program" or name in TYPE_NAMES or BUILTIN.find(name) is not None
