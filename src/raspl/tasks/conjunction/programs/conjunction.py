"""The conjunction task's next token: SoS bits > their AND EoS."""

from raspl import equals, kqv, program, where

TOKENS = ["SoS", ">", "EoS", "0", "1"]


@program
def conjunction(x):
    """One head that looks for a 0."""
    both = kqv(k=x, q="0", v="0", pred=equals, default="1")
    return where(x == ">", both, "EoS")
