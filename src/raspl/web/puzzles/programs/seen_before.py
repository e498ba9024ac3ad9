"""Seen before: the best solution known."""

from raspl import has_seen, program, shift_right


@program
def repeated(x):
    return has_seen(shift_right(x, 1), x)
