"""The unique copy task's next token: SoS tokens > tokens EoS."""

from raspl import induct, program, where

TOKENS = ["SoS", ">", "EoS"]  # those to copy follow


@program
def copy_unique(x):
    """An induction head: what followed this token in the prompt? After `>`, what followed SoS?"""
    looked_up = where(x == ">", "SoS", x)
    following = induct(k=x, q=looked_up, offset=1)
    return where(following == ">", "EoS", following)
