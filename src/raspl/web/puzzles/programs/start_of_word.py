"""Start of word: the best solution known."""

from raspl import index_select, indices, kqv, program

SPACE = 0


@program
def word_start(x):
    space = kqv(x, x, indices(x), lambda k, q: not k, reduction="max")
    return index_select(x, space + 1)
