"""Rival predictors that look at a language's automaton."""

from raspl.tasks.regexes import minimal


def is_r_trivial(regex: str) -> bool:
    """Whether a language is R-trivial: its minimal automaton never comes back to a state."""
    return minimal(regex).is_partially_ordered


def in_crasp(smallest_class: str) -> bool:
    """Whether a language is in C-RASP, from the smallest class that its authors decided."""
    return smallest_class in ("R", "C-RASP")
