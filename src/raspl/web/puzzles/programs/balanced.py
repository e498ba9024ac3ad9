"""Balanced: the best solution known."""

from raspl import kqv, program


@program
def balanced(x):
    ones = kqv(x, x, 4 * x - 1, lambda k, q: True) >= 1
    zeros = kqv(x, x, 3 - 4 * x, lambda k, q: True) >= 1
    return ones & zeros
