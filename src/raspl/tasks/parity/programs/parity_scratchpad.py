"""The parity scratchpad's next token: SoS a 0 b 1 c 1 > + b - c + EoS."""

from raspl import full, gt, kqv, mask, program, shift_right, where

SEPARATOR = 1
END = 2
ONE = 4
EVEN = 5
ODD = 6
FIRST_HINT = 7


@program
def parity_scratchpad(x):
    """The next hint is the least hint of a 1 above the last one written: the head of sort."""
    before = shift_right(x, 1, default=SEPARATOR)
    ones = mask(before, x == ONE, mask_val=SEPARATOR)
    next_hint = kqv(k=ones, q=before, v=ones, pred=gt, default=END, reduction="min")
    flipped = where(before == EVEN, full(x, ODD), full(x, EVEN))
    after_sign = where(x == SEPARATOR, full(x, EVEN), next_hint)
    return where(x >= FIRST_HINT, flipped, after_sign)
