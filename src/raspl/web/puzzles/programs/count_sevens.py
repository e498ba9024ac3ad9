"""Count sevens: the best solution known."""

from raspl import program, sel_width, select


@program
def sevens(x):
    return sel_width(select(x, x, lambda k, q: k == 7))
