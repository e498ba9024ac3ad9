"""Are there more ones than zeros? The paper prints this program, and its own rules forbid it.

The two counts come from different calls of sel_width and can't be compared. The shipped `mode`
is legal, and serves binary sequences as well.
"""

from raspl import full, num_prev


def binary_mode(x):
    zeros = num_prev(x, full(x, 0))
    ones = num_prev(x, full(x, 1))
    return ones > zeros
