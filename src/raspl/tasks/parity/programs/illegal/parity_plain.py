"""Parity without a scratchpad: count the ones, then ask whether the count is odd.

The remainder of an unbounded count is not RASP-L. See `parity_scratchpad`.
"""

from raspl import cumsum


def parity_plain(x):
    ones = cumsum(x == 1)
    return ones % 2
