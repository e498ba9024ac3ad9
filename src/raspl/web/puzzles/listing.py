"""The puzzles as the page shows them: without specifications and solutions."""

from __future__ import annotations

from functools import cache
from typing import Any

from raspl.assist.names import language_names
from raspl.web.puzzles.catalogue import PUZZLES
from raspl.web.puzzles.judging import best


@cache
def listed() -> list[dict[str, Any]]:
    """All puzzles in order."""
    return [
        {
            "id": puzzle.id,
            "number": number,
            "chapter": puzzle.chapter,
            "title": puzzle.title,
            "goal": puzzle.goal,
            "example": {
                "input": puzzle.shown(puzzle.example),
                "output": _output(puzzle.specification(list(puzzle.example)), puzzle),
            },
            "generate": puzzle.is_written,
            "until": "" if puzzle.end is None else str(puzzle.end),
            "hints": list(puzzle.hints),
            "start": puzzle.start,
            "uses": [_use(name) for name in puzzle.uses],
            "best": best(puzzle.id),
        }
        for number, puzzle in enumerate(PUZZLES.values(), 1)
    ]


def _use(name: str) -> dict[str, str]:
    known = language_names()[name]
    doc = " ".join(known.doc.split("\n\n")[0].split())
    return {"signature": known.signature, "doc": doc}


def _output(wanted: list[int | None], puzzle: Any) -> str:
    if puzzle.is_written:
        return str(puzzle.shown([token for token in wanted if token is not None]))
    return " ".join("·" if value is None else str(value) for value in wanted)
