"""What the search finds for count on examples of length 2 alone: right there, wrong elsewhere."""

from raspl import gt, kqv, program

END = 2


@program(bits=16)
def count_shortcut(x):
    """The least token so far that is greater than the current one, or else the end."""
    return kqv(k=x, q=x, v=x, pred=gt, default=END, reduction="min")
