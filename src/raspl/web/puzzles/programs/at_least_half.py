"""At least half: the best solution known."""

from raspl import kqv, program


@program
def half(x):
    return kqv(x, x, 4 * x - 1, lambda k, q: True) >= 1
