"""Inside brackets: the best solution known."""

from raspl import index_select, indices, kqv, program

OPEN = 1
CLOSE = 2


@program
def inside(x):
    place = kqv(x, x, indices(x), lambda k, q: k <= CLOSE, reduction="max")
    return index_select(x, place) == OPEN
