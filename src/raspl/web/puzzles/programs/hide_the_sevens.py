"""Hide the sevens: the best solution known."""

from raspl import full, program, where


@program
def hide(x):
    return where(x == 7, full(x, 0), x)
