"""The standard library of RASP-L (paper, appendix "RASP Programs").

This file is RASP-L: it is parsed and checked like any program and never executed as Python.
Parameters come as sequences first, then literals (`int`, or with a default value). Where a default
for an empty selection is left out it is 0, or None for an index, which arrays show as -1.
"""

from raspl import Index, aggr, equals, full, indices, kqv, sel_width, select, where


def shift_right(x, n: int, default=None):
    """The sequence moved n positions later: out[i] = x[i - n], or the default before the start.
    If you give none, that is 0, or None for an index.

    >>> shift_right([5, 7, 5], 1).tolist()
    [0, 5, 7]
    """
    return kqv(indices(x) + n, indices(x), x, equals, default=default)


def cumsum(x):
    """How many positions so far are true.

    >>> cumsum([0, 1, 1, 0]).tolist()
    [0, 1, 2, 2]
    """
    return sel_width(select(x, x, lambda k, q: k))


def mask(x, keep, mask_val=0):
    """x where keep is true, mask_val elsewhere (None for an index).

    >>> mask([5, 7, 5], [1, 0, 1], mask_val=9).tolist()
    [5, 9, 5]
    """
    return where(keep, x, full(x, mask_val))


def maximum(x):
    """The greatest value so far.

    >>> maximum([5, 7, 6]).tolist()
    [5, 7, 7]
    """
    return aggr(select(x, x, lambda k, q: True), x, reduction="max")


def minimum(x):
    """The least value so far.

    >>> minimum([5, 7, 4]).tolist()
    [5, 5, 4]
    """
    return aggr(select(x, x, lambda k, q: True), x, reduction="min")


def argmax(x):
    """The index of the greatest value so far, the latest of several.

    >>> argmax([5, 7, 5]).tolist()
    [0, 1, 1]
    """
    return lasts(x, maximum(x))


def argmin(x):
    """The index of the least value so far, the latest of several.

    >>> argmin([5, 7, 5]).tolist()
    [0, 0, 2]
    """
    return lasts(x, minimum(x))


def num_prev(x, queries):
    """How many values of x so far equal the query, this position included.

    >>> num_prev([5, 7, 5], [5, 5, 5]).tolist()
    [1, 1, 2]
    """
    return sel_width(select(x, queries, equals))


def has_seen(x, queries):
    """Whether any value of x so far equals the query.

    >>> has_seen([5, 7, 5], [7, 7, 5]).tolist()
    [0, 1, 1]
    """
    return kqv(x, queries, full(x, 1), equals, default=0)


def firsts(x, queries, default=None):
    """The index of the first value of x that equals the query, or None.

    >>> firsts([5, 7, 5], [5, 6, 5]).tolist()
    [0, -1, 0]
    """
    return kqv(x, queries, indices(x), equals, default=default, reduction="min")


def lasts(x, queries, default=None):
    """The index of the latest value of x that equals the query, or None.

    >>> lasts([5, 7, 5], [5, 6, 5]).tolist()
    [0, -1, 2]
    """
    return kqv(x, queries, indices(x), equals, default=default, reduction="max")


def index_select(x, index: Index, default=None):
    """x at an index, or the default where the index is None or lies ahead.
    If you give none, that is 0, or None where x is an index.

    >>> index_select([5, 7, 6], [0, 2, 1], default=-1).tolist()
    [5, -1, 7]
    """
    return kqv(indices(x), index, x, equals, default=default)


def first_true(x, default=None):
    """The index of the first true value, or None while there is none.

    >>> first_true([0, 3, 1]).tolist()
    [-1, 1, 1]
    """
    return firsts(x != 0, full(x, 1), default=default)


def induct_kqv(k, q, v, offset: int, default=None):
    """v at `offset` positions from the first match of q in k: an induction head.

    >>> induct_kqv([1, 2, 3, 1], [2, 2, 2, 1], [5, 6, 7, 8], offset=1).tolist()
    [0, 0, 7, 6]
    """
    return index_select(v, firsts(k, q) + offset, default=default)


def induct(k, q, offset: int, default=None):
    """k at `offset` positions from the first match of q in k.

    >>> induct([1, 2, 3, 1], [2, 2, 2, 1], offset=1).tolist()
    [0, 0, 3, 2]
    """
    return induct_kqv(k, q, k, offset=offset, default=default)


def induct_prev(k, q, offset: int, default=None):
    """The paper's other name for `induct`, whose offset may be of either sign here.

    >>> induct_prev([1, 2, 3, 1], [2, 2, 2, 1], offset=-1).tolist()
    [0, 1, 1, 0]
    """
    return induct(k, q, offset=offset, default=default)
