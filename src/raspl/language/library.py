"""The standard library of RASP-L (paper, appendix "RASP Programs").

This file is RASP-L: it is parsed and checked like any program and never executed as Python.
Parameters come as sequences first, then literals (`int`, or with a default value). Where a default
for an empty selection is left out it is 0, or None for an index.
"""

from raspl import Index, aggr, equals, full, indices, kqv, sel_width, select, where


def shift_right(x, n: int, default=None):
    """The sequence moved n positions later: out[i] = x[i - n], or the default before the start."""
    return kqv(indices(x) + n, indices(x), x, equals, default=default)


def cumsum(x):
    """How many positions so far are true."""
    return sel_width(select(x, x, lambda k, q: k))


def mask(x, keep, mask_val=0):
    """x where keep is true, mask_val elsewhere (None for an index)."""
    return where(keep, x, full(x, mask_val))


def maximum(x):
    """The greatest value so far."""
    return aggr(select(x, x, lambda k, q: True), x, reduction="max")


def minimum(x):
    """The least value so far."""
    return aggr(select(x, x, lambda k, q: True), x, reduction="min")


def argmax(x):
    """The index of the greatest value so far, the latest of several."""
    return lasts(x, maximum(x))


def argmin(x):
    """The index of the least value so far, the latest of several."""
    return lasts(x, minimum(x))


def num_prev(x, queries):
    """How many values of x so far equal the query, this position included."""
    return sel_width(select(x, queries, equals))


def has_seen(x, queries):
    """Whether any value of x so far equals the query."""
    return kqv(x, queries, full(x, 1), equals, default=0)


def firsts(x, queries, default=None):
    """The index of the first value of x that equals the query, or None."""
    return kqv(x, queries, indices(x), equals, default=default, reduction="min")


def lasts(x, queries, default=None):
    """The index of the latest value of x that equals the query, or None."""
    return kqv(x, queries, indices(x), equals, default=default, reduction="max")


def index_select(x, index: Index, default=None):
    """x at an index, or the default where the index is None or lies ahead."""
    return kqv(indices(x), index, x, equals, default=default)


def first_true(x, default=None):
    """The index of the first true value, or None while there is none."""
    return firsts(x != 0, full(x, 1), default=default)


def induct_kqv(k, q, v, offset: int, default=None):
    """v at `offset` positions from the first match of q in k: an induction head."""
    return index_select(v, firsts(k, q) + offset, default=default)


def induct(k, q, offset: int, default=None):
    """k at `offset` positions from the first match of q in k."""
    return induct_kqv(k, q, k, offset=offset, default=default)


def induct_prev(k, q, offset: int, default=None):
    """The paper's other name for `induct`, whose offset may be of either sign here."""
    return induct(k, q, offset=offset, default=default)
