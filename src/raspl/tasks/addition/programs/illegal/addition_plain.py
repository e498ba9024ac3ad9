"""Addition without index hints: find the digits of the two summands by their distance from the end.

The distance is a difference of indices, and turning it into a place is arithmetic on indices.
See `addition_reverse`, where hints let an induction head find the digits.
"""

from raspl import firsts, full, index_select, indices

PLUS = -2
EQUALS = -3


def addition_plain(seq):
    plus = firsts(seq, full(seq, PLUS))
    equals_sign = firsts(seq, full(seq, EQUALS))
    written = indices(seq) - equals_sign
    first_digit = index_select(seq, plus - written)
    second_digit = index_select(seq, equals_sign - written)
    return (first_digit + second_digit) % 10
