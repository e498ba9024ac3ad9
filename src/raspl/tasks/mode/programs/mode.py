"""The mode task's next token: SoS letters > mode EoS."""

from raspl import argmax, full, index_select, mask, num_prev, program, where

SEPARATOR = 1
END = 2


@program
def mode(x):
    """The winner stands where the running count of the letter that stands there is greatest."""
    frequency = mask(num_prev(x, x), x > END, mask_val=None)
    winner = index_select(x, argmax(frequency))
    return where(x == SEPARATOR, winner, full(x, END))
