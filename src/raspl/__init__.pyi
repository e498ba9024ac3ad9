"""What type checkers and editors know of raspl.

They tell sequences from selectors, and literals from both. The finer types of RASP-L (Int, Bool,
Index and Count) are checked by raspl itself, so here each of them is a sequence like any other.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, overload

from numpy.typing import NDArray

from raspl import programs as programs
from raspl import tasks as tasks
from raspl.api import align as align
from raspl.api import load_run as load_run
from raspl.api import predict as predict
from raspl.api import search as search
from raspl.api import train as train
from raspl.compiler import compile as compile
from raspl.errors import RasplError as RasplError
from raspl.language.diagnostics import Diagnostic as Diagnostic
from raspl.language.diagnostics import IllegalProgram as IllegalProgram
from raspl.loading import Checked as Checked
from raspl.loading import check as check
from raspl.loading import load as load
from raspl.loading import parse as parse
from raspl.program import Program as Program
from raspl.program import program as program

__version__: str

class _Sequence:
    """A sequence inside of a program: a value at every position."""

    def __add__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __radd__(self, other: int | str) -> _Sequence: ...
    def __sub__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __rsub__(self, other: int | str) -> _Sequence: ...
    def __mul__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __rmul__(self, other: int | str) -> _Sequence: ...
    def __floordiv__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __rfloordiv__(self, other: int | str) -> _Sequence: ...
    def __mod__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __rmod__(self, other: int | str) -> _Sequence: ...
    def __eq__(self, other: _Sequence | int | str) -> _Sequence: ...  # type: ignore[override]
    def __ne__(self, other: _Sequence | int | str) -> _Sequence: ...  # type: ignore[override]
    def __lt__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __le__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __gt__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __ge__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __and__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __rand__(self, other: int | str) -> _Sequence: ...
    def __or__(self, other: _Sequence | int | str) -> _Sequence: ...
    def __ror__(self, other: int | str) -> _Sequence: ...
    def __invert__(self) -> _Sequence: ...
    def __neg__(self) -> _Sequence: ...
    def __pos__(self) -> _Sequence: ...

class _Selector:
    """What `select` makes and `aggr` and `sel_width` read."""

Int: TypeAlias = _Sequence
Bool: TypeAlias = _Sequence
Index: TypeAlias = _Sequence
Count: TypeAlias = _Sequence

_Like: TypeAlias = _Sequence | int | str | None
"""A sequence, or a literal that stands for the sequence that has it at every position."""
_Tokens: TypeAlias = str | Iterable[int | str | None]

# Made by `python -m raspl.language.stub` from the declarations, down to the next mark.

_Reduction: TypeAlias = Literal["mean", "max", "min"]

def full(
    x: _Like,
    const: int | str | None,
) -> _Sequence:
    """The constant at every position. `x` only says how long the sequence is.

    None stands for "no such index". For x = [5, 7, 5]:

        full(x, 7)  # 7 7 7
    """

def indices(
    x: _Like,
) -> _Sequence:
    """The positions: 0, 1, 2, … They can be compared and shifted, but not calculated with.

    For x = [5, 7, 5]:

        indices(x)  # 0 1 2
    """

def tok_map(
    x: _Like,
    func: Callable[[Any], object],
) -> _Sequence:
    """The function applied at each position. Operators with a literal are short for it.

    For x = [5, 7, 5]:

        tok_map(x, lambda a: a * a % 10)  # 5 9 5
        x + 1  # 6 8 6
    """

def seq_map(
    x: _Like,
    y: _Like,
    func: Callable[[Any, Any], object],
) -> _Sequence:
    """The function of two sequences, position by position. Operators are short for it.

    For x = [5, 7, 5], y = [1, 9, 2]:

        seq_map(x, y, lambda a, b: max(a, b) - 1)  # 4 8 4
        x + y  # 6 16 7
    """

def where(
    c: _Like,
    a: _Like,
    b: _Like,
) -> _Sequence:
    """`a` where `c` is true (not 0), else `b`.

    For x = [5, 7, 5]:

        where(x == 5, full(x, 0), x)  # 0 7 0
    """

def select(
    k: _Like,
    q: _Like,
    pred: Callable[[Any, Any], object],
) -> _Selector:
    """A causal selector: the query at position i selects each j ≤ i with pred(k[j], q[i]).

    `aggr` and `sel_width` read selectors. For x = [5, 7, 5]:

        sel_width(select(x, x, equals))  # 1 1 2
        aggr(select(x, x, lambda k, q: k > q), x, default=0, reduction="max")  # 0 0 7
    """

def sel_width(
    s: _Selector,
) -> _Sequence:
    """How many keys each query selects. A count compares only with counts of the same call.

    For x = [5, 7, 5]:

        sel_width(select(x, x, equals))  # 1 1 2
    """

def aggr(
    s: _Selector,
    v: _Like,
    default: int | str | None = None,
    reduction: _Reduction = "mean",
) -> _Sequence:
    """The mean, max or min of the values at the keys that each query selects.

    Where nothing is selected it is the default: 0 if left out, or None for indices. The mean of
    integers truncates toward zero; max and min pass over None. For x = [5, 7, 4]:

        aggr(select(x, x, gt), x, default=0, reduction="min")  # 0 0 5
        aggr(select(x, x, lambda k, q: True), x)  # 5 6 5
    """

def kqv(
    k: _Like,
    q: _Like,
    v: _Like,
    pred: Callable[[Any, Any], object],
    default: int | str | None = None,
    reduction: _Reduction = "mean",
) -> _Sequence:
    """An attention head in one call: `aggr(select(k, q, pred), v, default, reduction)`.

    For x = [5, 7, 5]:

        kqv(k=x, q=x, v=indices(x), pred=equals, reduction="max")  # 0 1 2
        kqv(x, x, x, lambda k, q: k < q, default=0, reduction="max")  # 0 5 0
    """

def equals(
    a: int,
    b: int,
) -> int:
    """Whether a == b. As a predicate of `select`, a is the key and b the query.

    >>> equals(1, 2)
    0
    """

def leq(
    a: int,
    b: int,
) -> int:
    """Whether a <= b. As a predicate of `select`, a is the key and b the query.

    >>> leq(1, 2)
    1
    """

def lt(
    a: int,
    b: int,
) -> int:
    """Whether a < b. As a predicate of `select`, a is the key and b the query.

    >>> lt(1, 2)
    1
    """

def geq(
    a: int,
    b: int,
) -> int:
    """Whether a >= b. As a predicate of `select`, a is the key and b the query.

    >>> geq(1, 2)
    0
    """

def gt(
    a: int,
    b: int,
) -> int:
    """Whether a > b. As a predicate of `select`, a is the key and b the query.

    >>> gt(1, 2)
    0
    """

class _ShiftRight(Program):
    """The sequence moved n positions later: out[i] = x[i - n], or the default before the start.
    If you give none, that is 0, or None for an index.

    >>> shift_right([5, 7, 5], 1).tolist()
    [0, 5, 7]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        n: int | str,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        n: int | str,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

shift_right: _ShiftRight

class _Cumsum(Program):
    """How many positions so far are true.

    >>> cumsum([0, 1, 1, 0]).tolist()
    [0, 1, 2, 2]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
    ) -> NDArray[Any]: ...

cumsum: _Cumsum

class _Mask(Program):
    """x where keep is true, mask_val elsewhere (None for an index).

    >>> mask([5, 7, 5], [1, 0, 1], mask_val=9).tolist()
    [5, 9, 5]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        keep: _Like,
        mask_val: int | str = 0,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        keep: _Tokens,
        mask_val: int | str = 0,
    ) -> NDArray[Any]: ...

mask: _Mask

class _Maximum(Program):
    """The greatest value so far.

    >>> maximum([5, 7, 6]).tolist()
    [5, 7, 7]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
    ) -> NDArray[Any]: ...

maximum: _Maximum

class _Minimum(Program):
    """The least value so far.

    >>> minimum([5, 7, 4]).tolist()
    [5, 5, 4]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
    ) -> NDArray[Any]: ...

minimum: _Minimum

class _Argmax(Program):
    """The index of the greatest value so far, the latest of several.

    >>> argmax([5, 7, 5]).tolist()
    [0, 1, 1]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
    ) -> NDArray[Any]: ...

argmax: _Argmax

class _Argmin(Program):
    """The index of the least value so far, the latest of several.

    >>> argmin([5, 7, 5]).tolist()
    [0, 0, 2]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
    ) -> NDArray[Any]: ...

argmin: _Argmin

class _NumPrev(Program):
    """How many values of x so far equal the query, this position included.

    >>> num_prev([5, 7, 5], [5, 5, 5]).tolist()
    [1, 1, 2]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        queries: _Like,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        queries: _Tokens,
    ) -> NDArray[Any]: ...

num_prev: _NumPrev

class _HasSeen(Program):
    """Whether any value of x so far equals the query.

    >>> has_seen([5, 7, 5], [7, 7, 5]).tolist()
    [0, 1, 1]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        queries: _Like,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        queries: _Tokens,
    ) -> NDArray[Any]: ...

has_seen: _HasSeen

class _Firsts(Program):
    """The index of the first value of x that equals the query, or None.

    >>> firsts([5, 7, 5], [5, 6, 5]).tolist()
    [0, -1, 0]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        queries: _Like,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        queries: _Tokens,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

firsts: _Firsts

class _Lasts(Program):
    """The index of the latest value of x that equals the query, or None.

    >>> lasts([5, 7, 5], [5, 6, 5]).tolist()
    [0, -1, 2]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        queries: _Like,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        queries: _Tokens,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

lasts: _Lasts

class _IndexSelect(Program):
    """x at an index, or the default where the index is None or lies ahead.
    If you give none, that is 0, or None where x is an index.

    >>> index_select([5, 7, 6], [0, 2, 1], default=-1).tolist()
    [5, -1, 7]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        index: _Like,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        index: _Tokens,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

index_select: _IndexSelect

class _FirstTrue(Program):
    """The index of the first true value, or None while there is none.

    >>> first_true([0, 3, 1]).tolist()
    [-1, 1, 1]
    """

    @overload
    def __call__(
        self,
        x: _Sequence,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        x: _Tokens,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

first_true: _FirstTrue

class _InductKqv(Program):
    """v at `offset` positions from the first match of q in k: an induction head.

    >>> induct_kqv([1, 2, 3, 1], [2, 2, 2, 1], [5, 6, 7, 8], offset=1).tolist()
    [0, 0, 7, 6]
    """

    @overload
    def __call__(
        self,
        k: _Sequence,
        q: _Like,
        v: _Like,
        offset: int | str,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        k: _Tokens,
        q: _Tokens,
        v: _Tokens,
        offset: int | str,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

induct_kqv: _InductKqv

class _Induct(Program):
    """k at `offset` positions from the first match of q in k.

    >>> induct([1, 2, 3, 1], [2, 2, 2, 1], offset=1).tolist()
    [0, 0, 3, 2]
    """

    @overload
    def __call__(
        self,
        k: _Sequence,
        q: _Like,
        offset: int | str,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        k: _Tokens,
        q: _Tokens,
        offset: int | str,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

induct: _Induct

class _InductPrev(Program):
    """The paper's other name for `induct`, whose offset may be of either sign here.

    >>> induct_prev([1, 2, 3, 1], [2, 2, 2, 1], offset=-1).tolist()
    [0, 1, 1, 0]
    """

    @overload
    def __call__(
        self,
        k: _Sequence,
        q: _Like,
        offset: int | str,
        default: int | str | None = None,
    ) -> _Sequence: ...
    @overload
    def __call__(
        self,
        k: _Tokens,
        q: _Tokens,
        offset: int | str,
        default: int | str | None = None,
    ) -> NDArray[Any]: ...

induct_prev: _InductPrev

# The end of what is made.
