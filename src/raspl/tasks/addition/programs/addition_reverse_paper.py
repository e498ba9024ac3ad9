"""Addition with index hints, the answer written from the least significant digit.

    START h1 0 h2 d … PLUS h1 0 h2 d … EQUALS  →  hn d … h2 d h1 d END

The hints count down from -100; both summands are padded with zeros to one length and begin with
one more zero (paper, appendix "Forward and Reverse Addition in RASP-L").
"""

from raspl import full, has_seen, induct_kqv, mask, program, seq_map, shift_right, where

START = -1
PLUS = -2
EQUALS = -3
END = -5
TOP_HINT = -100


def digit_sum(a, b):
    """The sum of two digits; what is looked up before both are known is no digit."""
    return a + b if a >= 0 and b >= 0 else 0


@program(bits=16)
def addition_reverse_paper(seq):
    """16 bits, since the hints of more than 28 digits leave 8."""
    is_hint = seq <= TOP_HINT
    in_second = has_seen(seq, full(seq, PLUS)) & ~has_seen(seq, full(seq, EQUALS))
    second = mask(seq, in_second)

    # At a hint, the sum of the two digits that carry it in the prompt.
    first_digit = induct_kqv(k=seq, q=seq, v=seq, offset=1)
    second_digit = induct_kqv(k=second, q=seq, v=seq, offset=1)
    total = mask(seq_map(first_digit, second_digit, digit_sum), is_hint)

    # The hint before this one stands two tokens back, and its digit of the answer one token back.
    last_total = shift_right(total, 2)
    last_token = shift_right(seq, 1)
    carry = (last_total > 9) | ((last_total == 9) & (last_token == 0))
    digit = (total + carry) % 10

    after_digit = where(last_token == TOP_HINT, full(seq, END), last_token + 1)
    after_sign = where(seq == EQUALS, shift_right(seq, 2), after_digit)
    return where(is_hint, digit, after_sign)
