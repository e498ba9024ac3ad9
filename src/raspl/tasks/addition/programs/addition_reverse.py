"""Reverse addition's next token: SoS a 0 b 5 c 4 + a 0 b 3 c 7 > c 1 b 9 a 0 EoS.

The hints are any slice of consecutive hint tokens, so the first is read behind SoS.
"""

from raspl import has_seen, induct, induct_kqv, mask, program, seq_map, shift_right, where

TOKENS = ["SoS", ">", "EoS", *range(10), "+"]  # the hints follow
ZERO = "0"


def digit_sum(a, b):
    """The sum of two digit tokens; what is looked up before both are known is no digit."""
    return a + b - 2 * ZERO if a >= ZERO and b >= ZERO and a < "+" and b < "+" else 0


@program
def addition_reverse(x):
    """The carry into a place is seen from the sum and the answer at the place before it."""
    is_hint = x > "+"
    in_second = has_seen(x, "+") & ~has_seen(x, ">")
    second = mask(x, in_second)
    first_digit = induct(k=x, q=x, offset=1)
    second_digit = induct_kqv(k=second, q=x, v=x, offset=1)
    total = mask(seq_map(first_digit, second_digit, digit_sum), is_hint)

    last_total = shift_right(total, 2)
    last_token = shift_right(x, 1)
    carry = (last_total > 9) | ((last_total == 9) & (last_token == ZERO))
    digit = (total + carry) % 10 + ZERO

    top_hint = induct(k=x, q="SoS", offset=1)
    after_digit = where(last_token == top_hint, "EoS", last_token - 1)
    after_sign = where(x == ">", shift_right(x, 2), after_digit)
    return where(is_hint, digit, after_sign)
