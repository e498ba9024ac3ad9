"""Seen a seven: the best solution known."""

from raspl import full, has_seen, program


@program
def seen(x):
    return has_seen(x, full(x, 7))
