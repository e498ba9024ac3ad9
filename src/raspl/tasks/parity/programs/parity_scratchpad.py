"""The parity scratchpad's next token: SoS a 0 b 1 c 1 > + b - c + EoS."""

from raspl import gt, kqv, mask, program, shift_right, where

TOKENS = ["SoS", ">", "EoS", "0", "1", "+", "-"]  # the hints follow


@program
def parity_scratchpad(x):
    """The next hint is the least hint of a 1 above the last one written: the head of sort."""
    before = shift_right(x, 1, default=">")
    ones = mask(before, x == "1", mask_val=">")
    next_hint = kqv(k=ones, q=before, v=ones, pred=gt, default="EoS", reduction="min")
    flipped = where(before == "+", "-", "+")
    after_sign = where(x == ">", "+", next_hint)
    return where(x > "-", flipped, after_sign)
