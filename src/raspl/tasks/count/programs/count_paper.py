"""Count from a to b.

    START a b  →  a a+1 … b END

Only the latest START matters, so many examples may stand in one context.
"""

from raspl import full, index_select, indices, lasts, program, where

START = -1
END = -2


@program(bits=16)
def count_paper(seq):
    """16 bits, since the paper counts with 155 tokens."""
    start = lasts(seq, full(seq, START))
    a = index_select(seq, start + 1)
    b = index_select(seq, start + 2)
    at_b = indices(seq) == start + 2
    counted = where(seq == b, full(seq, END), seq + 1)
    return where(at_b, a, counted)
