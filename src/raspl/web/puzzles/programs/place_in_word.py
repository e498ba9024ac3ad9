"""Place in word: the best solution known."""

from raspl import full, lasts, num_prev, program

SPACE = 0


@program
def place_in_word(x):
    space = lasts(x, full(x, SPACE))
    return num_prev(space, space)
