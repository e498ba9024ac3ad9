"""Schoolbook addition, as Python would do it: halve the input, go backwards, carry along.

It breaks nearly every rule. See `addition_reverse` for a format in which addition is legal.
"""

import numpy as np


def addition_naive(inp):
    half = int(len(inp) / 2)
    answer = np.zeros(half)
    carry = 0
    backwards = range(half)[::-1]
    for place in backwards:
        total = inp[place] + inp[half + place] + carry
        answer[place] = total % 10
        carry = 1 if total > 9 else 0
    return answer
