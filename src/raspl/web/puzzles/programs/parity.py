"""Parity: the best solution known."""

from raspl import full, gt, kqv, mask, program, shift_right, where

GO = -2
END = -3
EVEN = -4
ODD = -5
FIRST = 10


@program
def parity(x):
    before = shift_right(x, 1, default=GO)
    ones = mask(before, x == 1, mask_val=GO)
    label = kqv(ones, before, ones, gt, default=END, reduction="min")
    flipped = where(before == EVEN, full(x, ODD), full(x, EVEN))
    after_sign = where(x == GO, full(x, EVEN), label)
    return where(x >= FIRST, flipped, after_sign)
