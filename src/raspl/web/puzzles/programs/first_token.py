"""First token: the best solution known."""

from raspl import index_select, indices, minimum, program


@program
def first(x):
    return index_select(x, minimum(indices(x)))
