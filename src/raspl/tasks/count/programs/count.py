"""The count task's next token: SoS a b > a … b EoS, any number of examples in one context."""

from raspl import index_select, lasts, program, where

TOKENS = ["SoS", ">", "EoS"]  # the numbers follow in order


@program(bits=16)
def count(x):
    """16 bits, since the paper's alphabet has more than 127 tokens."""
    start = lasts(x, "SoS")
    first = index_select(x, start + 1)
    last = index_select(x, start + 2)
    counted = where(x == last, "EoS", x + 1)
    return where(x == ">", first, counted)
