"""The mode task's next token: SoS letters > mode EoS."""

from raspl import argmax, index_select, mask, num_prev, program, where

TOKENS = ["SoS", ">", "EoS"]  # the letters follow


@program
def mode(x):
    """The winner stands where the running count of the letter that stands there is greatest."""
    frequency = mask(num_prev(x, x), x > "EoS", mask_val=None)
    winner = index_select(x, argmax(frequency))
    return where(x == ">", winner, "EoS")
