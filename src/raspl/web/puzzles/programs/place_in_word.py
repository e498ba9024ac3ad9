"""Place in word: the best solution known."""

from raspl import indices, kqv, num_prev, program

SPACE = 0


@program
def place_in_word(x):
    space = kqv(x, x, indices(x), lambda k, q: not k, reduction="max")
    return num_prev(space, space)
