"""What may have been meant by a name that nothing bears."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MOST = 3
"""More names than this help nobody."""


def guesses(name: str, known: Iterable[str]) -> list[str]:
    """The names that go on where this one ends, else those that look like it."""
    names = sorted(set(known))
    # One or two letters begin too many names to say anything.
    longer = [each for each in names if len(name) > 2 and each.startswith(name)]
    return longer[:MOST] or difflib.get_close_matches(name, names, MOST)


def either(names: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
