"""Sort: the best solution known."""

from raspl import gt, kqv, program

GO = -2
END = -3


@program
def sort(x):
    return kqv(x, x, x, gt, default=END, reduction="min")
