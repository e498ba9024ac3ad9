"""Names, numbers and lists as people say them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

LONGEST = 40
"""Characters of a task's name in that of a file."""
MOST = 3
"""More names than this help nobody."""


def guesses(name: str, known: Iterable[str]) -> list[str]:
    """The names that go on where this one ends, else those that look like it."""
    names = sorted(set(known))
    # One or two letters begin too many names to say anything.
    longer = [each for each in names if len(name) > 2 and each.startswith(name)]
    return longer[:MOST] or difflib.get_close_matches(name, names, MOST)


def no_such_file(path: str | Path) -> str:
    """A sentence that says so, with the files of its folder that may have been meant."""
    path = Path(path)
    others = [] if not path.parent.is_dir() else path.parent.glob(f"*{path.suffix}")
    close = [str(path.with_stem(stem)) for stem in guesses(path.stem, [f.stem for f in others])]
    return f"There is no file {path}{f'; did you mean {either(close)}?' if close else '.'}"


def file_name(name: str) -> str:
    """What a file or folder can be called after a task: its name without special characters."""
    return re.sub(r"\W+", "-", name)[:LONGEST].strip("-")


def either(names: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def both(names: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def counted(number: int, noun: str) -> str:
    """`1 key`, `2 keys`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def value_of(text: str) -> int | float | str:
    """A whole number, a number, or else a word."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def span(low: int, high: int) -> str:
    """A range in words."""
    return str(low) if low == high else f"{low} to {high}"


def duration(seconds: float) -> str:
    """In the unit that a person would use."""
    for size, unit in ((48 * 3600, "d"), (90 * 60, "h"), (90, "min")):
        if seconds >= size:
            per = {"d": 86400, "h": 3600, "min": 60}[unit]
            number = seconds / per
            return f"{number:.1f} {unit}" if number < 10 else f"{number:,.0f} {unit}"
    return f"{seconds:.0f} s"


def percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + "\N{NO-BREAK SPACE}%"
