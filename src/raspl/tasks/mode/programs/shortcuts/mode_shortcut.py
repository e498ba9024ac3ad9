"""What the search finds for mode on examples of lengths 1 and 2: right there, wrong beyond."""

from raspl import gt, kqv, program

END = 2


@program
def mode_shortcut(x):
    """The greatest token so far, or the end where that is the current one."""
    return kqv(k=x, q=x, v=x, pred=gt, default=END, reduction="max")
