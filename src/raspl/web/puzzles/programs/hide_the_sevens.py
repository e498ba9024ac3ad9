"""Hide the sevens: the best solution known."""

from raspl import program, tok_map


@program
def hide(x):
    return tok_map(x, lambda a: a * (a != 7))
