"""The most frequent token so far; of several, the one that reached its count last.

    a b b c b  →  b

It works on binary sequences too, where comparing the number of zeros with the number of ones
would be illegal: those are counts of different families.
"""

from raspl import argmax, index_select, num_prev, program


@program
def mode_paper(x):
    """The winner stands where the running count of the token that stands there is greatest."""
    frequency = num_prev(x, x)
    winner = argmax(frequency)
    return index_select(x, winner)
