"""Forward addition's next token: SoS a 0 b 5 c 4 + a 0 b 3 c 7 > a 0 b 9 c 1 EoS.

The hints are any slice of consecutive hint tokens, so the first is read behind SoS.
"""

from raspl import (
    cumsum,
    firsts,
    has_seen,
    index_select,
    induct,
    mask,
    program,
    seq_map,
    shift_right,
    where,
)

TOKENS = ["SoS", ">", "EoS", *range(10), "+"]  # the hints follow
ZERO = "0"


def digit_sum(a, b):
    """The sum of two digit tokens; what is looked up before both are known is no digit."""
    return a + b - 2 * ZERO if a >= ZERO and b >= ZERO and a < "+" and b < "+" else 0


@program
def addition_forward(x):
    """The carry into a place is decided by the next pair to the right that does not sum to 9."""
    is_hint = x > "+"
    is_digit = (x >= ZERO) & (x < "+")
    in_second = has_seen(x, "+") & ~has_seen(x, ">")
    second = mask(x, in_second)
    last_token = shift_right(x, 1)

    # At a digit of the second summand, its sum with the digit of the first under the same hint.
    first_digit = induct(k=x, q=last_token, offset=1)
    total = seq_map(x, first_digit, digit_sum)

    # Pairs that don't sum to 9 are numbered from the left: the one that decides for a place is
    # the first whose number is one higher than the number at that place.
    number = cumsum(in_second & is_digit & (total != 9))
    place = firsts(second, x) + 1
    decider = firsts(number, index_select(number, place) + 1)
    carry = index_select(total, decider) > 9
    digit = (index_select(total, place) + carry) % 10 + ZERO

    top_hint = induct(k=x, q="SoS", offset=1)
    last_hint = induct(k=x, q=">", offset=-2)
    after_digit = where(last_token == last_hint, "EoS", last_token + 1)
    after_sign = where(x == ">", top_hint, after_digit)
    return where(is_hint, digit, after_sign)
