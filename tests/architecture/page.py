"""What docs/architecture.md says, as data: its tables, its code and the places it names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tests.markdown import ROOT, Block, blocks

NAME = "docs/architecture.md"
TEXT = (ROOT / NAME).read_text("utf-8")
SOURCE = ROOT / "src/raspl"
_CODE = re.compile(r"`([^`]+)`")
_PLACE = re.compile(r"`([\w/]+\.(?:pyi?|html))(?:::([\w.]+))?`")


@dataclass(frozen=True)
class Plan:
    """Who may import whom. A unit is a room (a folder of src/raspl) or a root module."""

    imports: dict[str, frozenset[str]]
    """What each unit may import: a room, rooms; a root module, rooms and root modules."""
    open_to: dict[str, frozenset[str]]
    """The rooms that may import each root module."""
    for_types: dict[str, frozenset[str]]
    """What a root module may import for type checkers, besides."""

    @property
    def rooms(self) -> frozenset[str]:
        return frozenset(self.imports.keys() - self.open_to.keys())

    def allows(self, importer: str, imported: str, for_types: bool = False) -> bool:
        """Whether one unit may import another; or may where only type checkers look."""
        if for_types and imported in self.for_types.get(importer, ()):
            return True
        if importer in self.rooms and imported in self.open_to:
            return importer in self.open_to[imported]
        return imported in self.imports[importer]

    def graph(self) -> dict[str, set[str]]:
        """All that is allowed."""
        units = self.imports
        return {a: {b for b in units if a != b and self.allows(a, b)} for a in units}


def table(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its head."""
    _, _, below = TEXT.partition(f"\n## {heading}\n")
    section = below.split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[2:]]


def read_plan() -> Plan:
    """The two tables of the page."""
    imports: dict[str, frozenset[str]] = {}
    for name, _, cell in table("Rooms"):
        imports[_unit(name)] = _units(cell, {"everything above": imports})
    rooms = list(imports)
    roots = {_unit(row[0]): row[2:] for row in table("Root modules")}
    everything = [*rooms, *roots]
    for_types: dict[str, frozenset[str]] = {}
    for name, (cell, _) in roots.items():
        always, marked, more = cell.partition("; for types only ")
        imports[name] = _units(always, {"everything": everything})
        if marked:
            for_types[name] = _units(more, {})
    open_to = {name: _units(cell, {"every room": rooms}) for name, (_, cell) in roots.items()}
    # The command line stands above the root modules too.
    opened = {name: frozenset({*to, "cli"}) for name, to in open_to.items()}
    return Plan(imports, opened, for_types)


def _unit(cell: str) -> str:
    (name,) = _CODE.findall(cell)
    return str(name).removesuffix("/").removesuffix(".py")


def _units(cell: str, words: dict[str, Iterable[str]]) -> frozenset[str]:
    """A cell that lists units, or says it in words."""
    if cell in ("nothing", "no room"):
        return frozenset()
    if cell in words:
        return frozenset(words[cell])
    assert _CODE.sub("", cell).replace(",", "").strip() == "", f"{NAME}: what is {cell!r}?"
    return frozenset(_CODE.findall(cell))


def places() -> set[tuple[str, str]]:
    """The files that the page names, each with a name in it or with none."""
    return set(_PLACE.findall(TEXT))


def snippets(kind: str) -> list[Block]:
    """The blocks of Python of a kind: a new file, an entry of a table, a declaration."""
    return [block for block in blocks(NAME) if block.info[:2] == ("python", kind)]
