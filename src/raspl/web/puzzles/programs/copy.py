"""Copy: the best solution known."""

from raspl import full, induct, program, where

START = -1
GO = -2
END = -3


@program
def copy(x):
    following = induct(x, where(x == GO, full(x, START), x), 1)
    return where(following == GO, full(x, END), following)
