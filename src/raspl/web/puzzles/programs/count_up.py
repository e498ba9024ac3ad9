"""Count up: the best solution known."""

from raspl import full, index_select, indices, lasts, program, seq_map, where

START = -1
END = -3


@program
def count_up(x):
    start = lasts(x, full(x, START))
    a = index_select(x, start + 1)
    b = index_select(x, start + 2)
    counted = seq_map(x, b, lambda now, last: END if now == last else now + 1)
    return where(indices(x) == start + 2, a, counted)
