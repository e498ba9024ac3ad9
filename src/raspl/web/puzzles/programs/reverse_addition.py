"""Reverse addition: the best solution known."""

from raspl import full, has_seen, induct, induct_kqv, mask, program, shift_right, where

START = -1
GO = -2
END = -3
PLUS = -4
TOP = -100


@program(bits=16)
def add(x):
    is_label = x <= TOP
    in_second = has_seen(x, full(x, PLUS)) & ~has_seen(x, full(x, GO))
    first = induct(x, x, 1)
    second = induct_kqv(mask(x, in_second), x, x, 1)
    total = where(is_label & (first >= 0) & (second >= 0), first + second, full(x, 0))
    last_total = shift_right(total, 2)
    last_token = shift_right(x, 1)
    carry = (last_total > 9) | ((last_total == 9) & (last_token == 0))
    digit = (total + carry) % 10
    after_digit = where(last_token == TOP, full(x, END), last_token + 1)
    after_sign = where(x == GO, shift_right(x, 2), after_digit)
    return where(is_label, digit, after_sign)
