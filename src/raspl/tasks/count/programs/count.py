"""The count task's next token: SoS a b > a … b EoS, any number of examples in one context."""

from raspl import full, index_select, lasts, program, where

START = 0
SEPARATOR = 1
END = 2


@program(bits=16)
def count(x):
    """16 bits, since the paper's alphabet has more than 127 tokens."""
    start = lasts(x, full(x, START))
    first = index_select(x, start + 1)
    last = index_select(x, start + 2)
    counted = where(x == last, full(x, END), x + 1)
    return where(x == SEPARATOR, first, counted)
