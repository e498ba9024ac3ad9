"""Are all the bits so far 1?

1 1 0 1  →  1 1 0 0
"""

from raspl import equals, full, kqv, program


@program
def conjunction_paper(x):
    """One head that looks for a 0 (paper, section "Comparison to Min-Degree-Interpolators")."""
    zero = full(x, 0)
    return kqv(k=x, q=zero, v=zero, pred=equals, default=1)
