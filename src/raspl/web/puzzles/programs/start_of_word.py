"""Start of word: the best solution known."""

from raspl import full, index_select, lasts, program

SPACE = 0


@program
def word_start(x):
    return index_select(x, lasts(x, full(x, SPACE)) + 1)
