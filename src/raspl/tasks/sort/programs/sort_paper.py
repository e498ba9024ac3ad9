"""Write tokens in ascending order.

    x1 … xn START  →  the same tokens sorted, END

Tokens are non-negative and all different. START lies below them, so the first answer is the least.
"""

from raspl import gt, kqv, program

START = -1
END = -2


@program
def sort_paper(x):
    """One head: the least token that is greater than the current one."""
    return kqv(k=x, q=x, v=x, pred=gt, default=END, reduction="min")
