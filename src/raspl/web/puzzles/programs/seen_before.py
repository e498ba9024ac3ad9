"""Seen before: the best solution known."""

from raspl import firsts, indices, program


@program
def repeated(x):
    return firsts(x, x) != indices(x)
