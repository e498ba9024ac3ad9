"""Backwards: the best solution known."""

from raspl import full, induct, program, where

START = -1
GO = -2
END = -3


@program
def backwards(x):
    before = induct(x, x, -1)
    return where(before == START, full(x, END), before)
