"""Balanced: the best solution known."""

from raspl import aggr, program, select, tok_map


@program
def balanced(x):
    everything = select(x, x, lambda k, q: True)
    value = tok_map(x, lambda a: 4 * a - 1)
    return aggr(everything, value) == aggr(everything, 2 - value)
