"""Files beside a file: what a text imports from them is read as data, as the text itself is.

Only the folder of the first file and the folders below it are looked into. Every file is read once,
none is run, and there are limits on how many and how large they are, so any import gets an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from raspl.errors import RasplError
from raspl.language.limits import MAX_FILES, MAX_TOKENS
from raspl.language.parsing.frames import Report
from raspl.language.parsing.scope import FileScope
from raspl.language.rules import Violation
from raspl.language.source import Source, UnreadableSource, count_tokens, read, short_path


@dataclass
class Siblings:
    """The files that one check reads besides the first."""

    root: Path
    known: dict[Path, FileScope] = field(default_factory=dict)
    chain: list[Path] = field(default_factory=list)
    """The files that are being read, each imported by the one before it."""
    tokens: int = 0

    def find(self, module: str, level: int) -> Path | None:
        """The file of a module, or None if none stands beside the first."""
        if level > 1 or not _is_dotted(module):
            return None
        place = self.root.joinpath(*module.split(".")).with_suffix(".py")
        return place if place.is_file() else None

    def scope(
        self, place: Path, parse: Callable[[Source, Siblings, Report], FileScope]
    ) -> FileScope:
        """What a file defines. Raises Violation where it can't be had, for the line that asks."""
        place = place.resolve()
        if place in self.chain:
            names = " imports ".join(
                each.name for each in [*self.chain[self.chain.index(place) :], place]
            )
            instead = "put what both need into a third file"
            raise Violation("R116", f"the files import each other: {names}", instead)
        if place not in self.known:
            self.known[place] = self._read(place, parse)
        return self.known[place]

    def _read(
        self, place: Path, parse: Callable[[Source, Siblings, Report], FileScope]
    ) -> FileScope:
        if len(self.known) + len(self.chain) >= MAX_FILES:
            message = f"this would be file {MAX_FILES + 1} that is imported"
            raise Violation("R116", message, "put functions into fewer files")
        try:
            source = read(place)
        except (UnreadableSource, RasplError, OSError) as error:
            raise self._unreadable(place, str(error)) from None
        self.tokens += count_tokens(source.text.encode(errors="replace"))
        if self.tokens > MAX_TOKENS:
            raise Violation("R116", "the imported files are too large together", "import less")
        report = Report()
        self.chain.append(place)
        try:
            scope = parse(source, self, report)
        finally:
            self.chain.pop()
        if report.violations:
            first = report.violations[0]
            if first.rule.code == "R116":
                raise Violation("R116", first.message, first.instead)
            raise self._unreadable(place, f"line {first.span.line}: {first.message}")
        return scope

    def _unreadable(self, place: Path, why: str) -> Violation:
        shown = short_path(place)
        return Violation("R116", f"{shown} can't be read: {why}", f"see `raspl check {shown}`")


def _is_dotted(module: str) -> bool:
    return bool(module) and all(part.isidentifier() for part in module.split("."))
