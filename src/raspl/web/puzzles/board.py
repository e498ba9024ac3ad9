"""The record board: the best solutions of each puzzle, in one file."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from raspl.errors import RasplError
from raspl.files import write_text
from raspl.web.limits import MAX_NAME, MAX_TEXT
from raspl.web.puzzles.catalogue import PUZZLES

KEPT = 10
"""Lines that each puzzle keeps."""


class Entry(BaseModel):
    """A solution that was judged right, with whose it is and what it costs."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    heads: int
    depth: int
    bits: float
    when: str
    text: str

    @property
    def rank(self) -> tuple[float, ...]:
        """The fewer heads the better, then the shallower, then the shorter; then who was first."""
        return (self.heads, self.depth, self.bits)


def default_file() -> Path:
    """Where this user's data lives."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share"
    return Path(home) / "raspl/records.json"


class Board:
    """The records of a server. Without a file there are none."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self._entries: dict[str, list[Entry]] = _read(file) if file else {}

    def public(self) -> dict[str, Any]:
        """What everybody may see: not the solutions."""
        return {
            "is_kept": self.file is not None,
            "records": {
                puzzle: [entry.model_dump(exclude={"text"}) for entry in entries]
                for puzzle, entries in self._entries.items()
            },
        }

    def add(self, puzzle: str, name: str, text: str, measures: dict[str, Any]) -> bool:
        """Enter a solution that was judged right; whether it made it onto the board."""
        if self.file is None:
            raise RasplError("this server keeps no record board")
        entry = Entry(
            name=" ".join(name.split())[:MAX_NAME] or "someone",
            heads=measures["heads"],
            depth=measures["depth"],
            bits=measures["bits"],
            when=datetime.now(UTC).date().isoformat(),
            text=text[:MAX_TEXT],
        )
        # One line for each name: its best.
        others = [each for each in self._entries.get(puzzle, []) if each.name != entry.name]
        own = [each for each in self._entries.get(puzzle, []) if each.name == entry.name]
        kept = sorted([*others, min([*own, entry], key=lambda e: e.rank)], key=lambda e: e.rank)
        entries = {**self._entries, puzzle: kept[:KEPT]}
        lines = {key: [each.model_dump() for each in value] for key, value in entries.items()}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        write_text(self.file, json.dumps(lines, indent=1, ensure_ascii=False) + "\n")
        self._entries = entries
        return entry in entries[puzzle]


def _read(file: Path) -> dict[str, list[Entry]]:
    try:
        data = json.loads(file.read_text("utf-8"))
        return {
            puzzle: [Entry.model_validate(line) for line in lines][:KEPT]
            for puzzle, lines in data.items()
            if puzzle in PUZZLES
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, TypeError, ValidationError):
        raise RasplError(
            f"{file} is no record board: move it away, or name another with --records"
        ) from None
