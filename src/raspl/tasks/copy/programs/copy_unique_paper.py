"""Repeat a sequence whose tokens are all different.

START x1 … xn END START  →  x1 … xn END
"""

from raspl import induct, program

START = -1
END = -2


@program
def copy_unique_paper(seq):
    """An induction head: what came after this token when it was first seen?"""
    return induct(k=seq, q=seq, offset=1)
