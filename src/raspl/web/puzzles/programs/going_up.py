"""Going up: the best solution known."""

from raspl import program, shift_right


@program
def going_up(x):
    return x > shift_right(x, 1)
