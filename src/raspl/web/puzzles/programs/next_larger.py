"""Next larger: the best solution known."""

from raspl import gt, kqv, program


@program
def next_larger(x):
    return kqv(x, x, x, gt, default=0, reduction="min")
