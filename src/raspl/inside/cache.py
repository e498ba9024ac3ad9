"""What an alignment has done already, so that a stopped one goes on where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import ValidationError

from raspl.files import write_text
from raspl.inside.records import Cell, Row
from raspl.validated import Record

Kept = TypeVar("Kept", bound=Record)


class Cache(Protocol):
    def row(self, number: int) -> Row | None: ...
    def keep_row(self, number: int, row: Row) -> None: ...
    def cell(self, number: int, site: int) -> Cell | None: ...
    def keep_cell(self, number: int, site: int, cell: Cell) -> None: ...


class Forgetful:
    """Keeps nothing."""

    def row(self, number: int) -> Row | None:
        return None

    def keep_row(self, number: int, row: Row) -> None:
        pass

    def cell(self, number: int, site: int) -> Cell | None:
        return None

    def keep_cell(self, number: int, site: int, cell: Cell) -> None:
        pass


class FolderCache:
    """One small file for each variable and for each variable at a site."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def row(self, number: int) -> Row | None:
        return self._read(f"{number}.json", Row)

    def keep_row(self, number: int, row: Row) -> None:
        self._write(f"{number}.json", row)

    def cell(self, number: int, site: int) -> Cell | None:
        return self._read(f"{number}-{site}.json", Cell)

    def keep_cell(self, number: int, site: int, cell: Cell) -> None:
        self._write(f"{number}-{site}.json", cell)

    def _write(self, name: str, record: Record) -> None:
        write_text(self.folder / name, json.dumps(record.as_json()) + "\n")

    def _read(self, name: str, kind: type[Kept]) -> Kept | None:
        """What was kept; a file that is damaged or of another version is as good as none."""
        try:
            return kind.model_validate_json((self.folder / name).read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
