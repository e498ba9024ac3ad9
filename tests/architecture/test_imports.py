"""Every import keeps to the tables of docs/architecture.md."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.architecture.page import SOURCE, Plan, read_plan

PLAN = read_plan()
FACE = "__init__"
"""The package itself: `import raspl`, `from raspl import kqv`."""
MAIN = "__main__"
BELOW = PLAN.imports.keys() - {FACE, "api", "cli"}
_MODULE = re.compile(r"raspl\.([a-z_]+)")


def is_rasp(path: Path) -> bool:
    """RASP-L source, which is parsed and never imported."""
    return path == SOURCE / "language/library.py" or "programs" in path.parent.parts


def unit_of(path: Path) -> str:
    """The room or root module that a file belongs to."""
    return path.relative_to(SOURCE).with_suffix("").parts[0]


MODULES = sorted(path for path in SOURCE.rglob("*.py") if not is_rasp(path))
CHECKED = [path for path in MODULES if path.stem != MAIN]
UNITS = {unit_of(path) for path in MODULES}


class Import(NamedTuple):
    """Where a unit is imported."""

    line: int
    unit: str
    for_types: bool
    """Whether only type checkers see it."""


def imported(tree: ast.Module, units: set[str]) -> Iterator[Import]:
    """Imports anywhere in a file, and modules named in a text, as for `python -m`."""
    hidden = {
        node
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [each.name for each in names]
            case ast.ImportFrom(level=0, module="raspl", names=names):
                modules = [f"raspl.{each.name}" for each in names]
            case ast.ImportFrom(level=0, module=str(module)):
                modules = [module]
            case ast.ImportFrom(level=level) if level:
                raise AssertionError(f"line {node.lineno}: imports are absolute here")
            case ast.Constant(value=str(text)) if _MODULE.match(text) and "\n" not in text:
                modules = [text]
            case _:
                continue
        for module in modules:
            root, _, rest = module.partition(".")
            if root == "raspl":
                first = rest.partition(".")[0].partition(":")[0]
                unit = first if first in units else FACE
                yield Import(node.lineno, unit, node in hidden)


def violations(path: Path, plan: Plan, units: set[str]) -> list[str]:
    importer = unit_of(path)
    return [
        f"{path.relative_to(SOURCE)}:{each.line}: {importer} may not import {each.unit}"
        for each in imported(ast.parse(path.read_text("utf-8")), units)
        if each.unit != importer and not plan.allows(importer, each.unit, each.for_types)
    ]


def test_the_page_has_every_room_and_root_module() -> None:
    assert PLAN.imports.keys() == UNITS - {MAIN}


def test_the_page_names_only_what_is_there() -> None:
    for listed in (*PLAN.imports.values(), *PLAN.open_to.values()):
        assert listed <= PLAN.imports.keys()


@pytest.mark.parametrize("path", CHECKED, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_what_its_room_may(path: Path) -> None:
    assert violations(path, PLAN, UNITS) == []


def test_what_is_allowed_has_no_cycle() -> None:
    allowed = PLAN.graph()
    for top in (FACE, "api"):  # import everything, and nothing below them imports them
        assert not any(top in units for unit, units in allowed.items() if unit in BELOW)
    order = list(TopologicalSorter({unit: allowed[unit] & BELOW for unit in BELOW}).static_order())
    assert order.index("language") < order.index("tasks") < order.index("studies")


@pytest.mark.parametrize(
    "text",
    [
        "from raspl.studies.catalogue import ALL",
        "import raspl.studies",
        "from raspl import studies",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from raspl.studies import claims",
        "def late():\n    from raspl.studies import claims",
        "command = ['-m', 'raspl.studies.running']",
        "from raspl import kqv",
        "import raspl",
        "from raspl.program import Program",
    ],
)
def test_a_forbidden_import_is_noticed(text: str) -> None:
    """What `fleet` may not do, in every way of doing it."""
    (found,) = imported(ast.parse(text), UNITS)
    assert not PLAN.allows("fleet", found.unit, found.for_types)
    assert PLAN.allows("fleet", "runs")


def test_what_is_allowed_for_types_is_forbidden_elsewhere() -> None:
    assert PLAN.allows("program", FACE, for_types=True)
    assert not PLAN.allows("program", FACE)
    (found,) = imported(ast.parse("from raspl import Program"), UNITS)
    assert not found.for_types
