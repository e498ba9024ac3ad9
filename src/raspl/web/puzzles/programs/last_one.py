"""Last one: the best solution known."""

from raspl import full, program, shift_right, where

START = -1
GO = -2
END = -3


@program
def last_one(x):
    return where(x == GO, shift_right(x, 1), full(x, END))
