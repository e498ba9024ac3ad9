"""The unique copy task's next token: SoS tokens > tokens EoS."""

from raspl import full, induct, program, where

START = 0
SEPARATOR = 1
END = 2


@program
def copy_unique(x):
    """An induction head: what followed this token in the prompt? After `>`, what followed SoS?"""
    looked_up = where(x == SEPARATOR, full(x, START), x)
    following = induct(k=x, q=looked_up, offset=1)
    return where(following == SEPARATOR, full(x, END), following)
