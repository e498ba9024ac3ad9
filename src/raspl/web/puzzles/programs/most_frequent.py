"""Most frequent: the best solution known."""

from raspl import argmax, index_select, num_prev, program


@program
def mode(x):
    return index_select(x, argmax(num_prev(x, x)))
