"""Fixes applied to a text, as an editor would."""

from __future__ import annotations

from typing import Any


def apply(text: str, fix: dict[str, Any]) -> str:
    """The text after the edits of a fix, last place first."""
    for edit in sorted(fix["edits"], key=lambda e: (e["line"], e["column"]), reverse=True):
        start = _offset(text, edit["line"], edit["column"])
        end = _offset(text, edit["end_line"], edit["end_column"])
        text = text[:start] + edit["text"] + text[end:]
    return text


def _offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return min(len(text), sum(len(each) + 1 for each in lines[: line - 1]) + column - 1)
