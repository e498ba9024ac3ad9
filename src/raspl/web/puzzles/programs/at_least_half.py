"""At least half: the best solution known."""

from raspl import kqv, program, tok_map


@program
def half(x):
    value = tok_map(x, lambda a: 3 if a else -1)
    return kqv(x, x, value, lambda k, q: True) > 0
