"""How much of some work is left, and about how long it takes."""

from __future__ import annotations

from raspl.words import duration


def left_in_words(done: int, of: int, seconds: float) -> str:
    """What is left of so many, at the pace of those that are done in so many seconds."""
    left = of - done
    if not left:
        return "none left"
    return f"{left:,} left, about {duration(left * seconds / max(done, 1))}"
