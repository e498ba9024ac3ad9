"""The conjunction task's next token: SoS bits > their AND EoS."""

from raspl import equals, full, kqv, program, where

SEPARATOR = 1
END = 2
ZERO = 3
ONE = 4


@program
def conjunction(x):
    """One head that looks for a 0."""
    zero = full(x, ZERO)
    both = kqv(k=x, q=zero, v=zero, pred=equals, default=ONE)
    return where(x == SEPARATOR, both, full(x, END))
