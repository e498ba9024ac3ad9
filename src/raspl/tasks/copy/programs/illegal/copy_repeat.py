"""Copy a sequence that may repeat tokens: what stands half a sequence back?

Matching tokens is ambiguous here, and calculating the position is not RASP-L. See `copy_unique`;
and docs/theory.md for a legal way around that the search found.
"""

from raspl import firsts, full, index_select, indices

SEPARATOR = -1


def copy_repeat(seq):
    middle = firsts(seq, full(seq, SEPARATOR))
    written = indices(seq) - middle
    return index_select(seq, written)
