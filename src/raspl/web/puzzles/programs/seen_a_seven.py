"""Seen a seven: the best solution known."""

from raspl import full, kqv, program


@program
def seen(x):
    return kqv(x, x, full(x, 1), lambda k, q: k == 7)
