"""Parity with a scratchpad: the hint of each 1, followed by the parity so far.

    h1 b1 h2 b2 … hn bn ANSWER  →  EVEN h ODD h EVEN … END

The hints rise from FIRST_HINT. The last sign is the parity of the bits.
"""

from raspl import full, gt, kqv, mask, program, shift_right, where

EVEN = -1
ODD = -2
ANSWER = -3
END = -4
FIRST_HINT = 10


@program
def parity_scratchpad_paper(seq):
    """The next hint is the least hint of a 1 above the last one written: the head of sort."""
    before = shift_right(seq, 1, default=ANSWER)
    ones = mask(before, seq == 1, mask_val=ANSWER)
    next_hint = kqv(k=ones, q=before, v=ones, pred=gt, default=END, reduction="min")
    flipped = where(before == EVEN, full(seq, ODD), full(seq, EVEN))
    after_sign = where(seq == ANSWER, full(seq, EVEN), next_hint)
    return where(seq >= FIRST_HINT, flipped, after_sign)
