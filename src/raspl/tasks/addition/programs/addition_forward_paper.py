"""Addition with index hints, the answer written from the most significant digit.

    START h1 0 h2 d … PLUS h1 0 h2 d … EQUALS  →  h1 d h2 d … hn d END

The prompt is that of `addition_reverse_paper`. The carry into a digit comes from the right, through
all the pairs that sum to 9, from the first pair that does not; so that pair must be found for every
digit.
"""

from raspl import (
    cumsum,
    firsts,
    full,
    has_seen,
    index_select,
    induct,
    mask,
    program,
    seq_map,
    shift_right,
    where,
)

START = -1
PLUS = -2
EQUALS = -3
END = -5
TOP_HINT = -100


def digit_sum(a, b):
    """The sum of two digits; what is looked up before both are known is no digit."""
    return a + b if a >= 0 and b >= 0 else 0


@program(bits=16)
def addition_forward_paper(seq):
    """16 bits, since the hints of more than 28 digits leave 8."""
    is_hint = seq <= TOP_HINT
    in_second = has_seen(seq, full(seq, PLUS)) & ~has_seen(seq, full(seq, EQUALS))
    second = mask(seq, in_second)
    last_token = shift_right(seq, 1)

    # At a digit of the second summand, its sum with the digit of the first under the same hint.
    first_digit = induct(k=seq, q=last_token, offset=1)
    total = seq_map(seq, first_digit, digit_sum)

    # Pairs that don't sum to 9 decide carries. Number them from the left: the pair that decides
    # for a place is the first whose number is one higher than the number at that place.
    decides = in_second & (seq >= 0) & (total != 9)
    number = cumsum(decides)
    place = firsts(second, seq) + 1
    decider = firsts(number, index_select(number, place) + 1)
    carry = index_select(total, decider) > 9
    digit = (index_select(total, place) + carry) % 10

    last_hint = induct(k=seq, q=full(seq, EQUALS), offset=-2)
    after_digit = where(last_token == last_hint, full(seq, END), last_token - 1)
    after_sign = where(seq == EQUALS, full(seq, TOP_HINT), after_digit)
    return where(is_hint, digit, after_sign)
