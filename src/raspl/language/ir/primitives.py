"""The primitives of RASP-L: one class each, with its typing rule beside it.

`build` checks the rule and raises `Violation` with what to write instead; the class itself is
plain data. Nodes compare by identity: equal subexpressions are made one node by `graph.merge`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import Any, Literal, Self, get_args

from raspl.language.ir.scalar import Fn
from raspl.language.ir.types import (
    BOOL,
    INDEX,
    INT,
    NULL,
    SELECTOR,
    Type,
    count_of,
    int_range,
    join,
)
from raspl.language.rules import Violation
from raspl.language.source import Origin

Reduction = Literal["mean", "max", "min"]
REDUCTIONS: tuple[Reduction, ...] = get_args(Reduction)
Value = int | None
"""What one position of a sequence holds: an integer, or None for "no such index"."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Node:
    """A value of the program: a sequence, or a selector."""

    type: Type
    origin: Origin

    @property
    def args(self) -> tuple[Node, ...]:
        """The nodes that this one is computed from."""
        return ()

    @property
    def attributes(self) -> tuple[object, ...]:
        """What besides `args` fixes the meaning of this node."""
        return ()

    def with_args(self, args: tuple[Node, ...], type_: Type) -> Self:
        """The same operation on other nodes, which must be of the same types."""
        fields = [f.name for f in dataclass_fields(self) if isinstance(getattr(self, f.name), Node)]
        changes: dict[str, Any] = dict(zip(fields, args, strict=True))
        return replace(self, type=type_, **changes)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Input(Node):
    """`x`: a sequence that is given to the program.

    >>> tokens: Int
    """

    name: str

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.name,)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Full(Node):
    """`full(x, c)`: the constant c at every position.

    >>> full(x, 7): Int
    """

    value: Value

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.value,)

    @staticmethod
    def build(value: Value, bits: int, origin: Origin) -> Full:
        """0 and 1 are truth values too; None is an index of every family."""
        if value is None:
            return Full(type=NULL, origin=origin, value=None)
        check_range(value, bits)
        return Full(type=BOOL if value in (0, 1) else INT, origin=origin, value=value)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Indices(Node):
    """`indices(x)`: 0, 1, 2, …

    >>> indices(x): Index
    """

    @staticmethod
    def build(origin: Origin) -> Indices:
        return Indices(type=INDEX, origin=origin)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TokMap(Node):
    """`tok_map(x, f)`: f at each position.

    >>> tok_map(x, lambda a: a % 10): Int
    """

    x: Node
    fn: Fn

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.x,)

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.fn,)

    @staticmethod
    def build(x: Node, fn: Fn, origin: Origin) -> TokMap:
        """An index is mapped to a successor or predecessor and to nothing else."""
        need_sequence(x)
        if not x.type.is_index:
            truth = fn.is_truth([x.type == BOOL])
            return TokMap(type=BOOL if truth else INT, origin=origin, x=x, fn=fn)
        if fn.shift is None:
            raise Violation(
                "R301",
                f"this calculates with a value of type {x.type}",
                "add or subtract a literal, or compare it with "
                + ("another index" if x.type == INDEX else "values of the same count"),
            )
        return TokMap(type=x.type, origin=origin, x=x, fn=fn)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SeqMap(Node):
    """`seq_map(x, y, f)`: f of both, position by position.

    >>> seq_map(x, y, lambda a, b: a + b): Int
    """

    x: Node
    y: Node
    fn: Fn

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.x, self.y)

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.fn,)

    @staticmethod
    def build(x: Node, y: Node, fn: Fn, origin: Origin) -> SeqMap:
        """Two indices of one family can be compared and nothing else."""
        need_sequence(x)
        need_sequence(y)
        if x.type.is_int and y.type.is_int:
            truth = fn.is_truth([x.type == BOOL, y.type == BOOL])
            return SeqMap(type=BOOL if truth else INT, origin=origin, x=x, y=y, fn=fn)
        need_joint(x.type, y.type)
        if fn.comparison is None:
            raise Violation(
                "R301",
                f"this calculates with values of type {x.type} and {y.type}",
                "compare the two with == != < <= > >=, or shift one by a literal",
            )
        return SeqMap(type=BOOL, origin=origin, x=x, y=y, fn=fn)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Where(Node):
    """`where(c, a, b)`: a where c is true (not 0), else b.

    >>> where(x == 0, indices(x), full(x, None)): Index
    """

    c: Node
    a: Node
    b: Node

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.c, self.a, self.b)

    @staticmethod
    def build(c: Node, a: Node, b: Node, origin: Origin) -> Where:
        """Both results must be of one type; an Index or Count passes through untouched."""
        for node in (c, a, b):
            need_sequence(node)
        if not c.type.is_int:
            raise Violation(
                "R302",
                f"the condition is of type {c.type}, which is neither true nor false",
                "compare it with another index; `i == i` is true exactly where i is not None",
            )
        return Where(type=need_joint(a.type, b.type), origin=origin, c=c, a=a, b=b)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Select(Node):
    """`select(k, q, pred)`: a causal selector; entry (i, j) is pred(k[j], q[i]) for j ≤ i.

    >>> select(x, x, equals): Selector
    """

    k: Node
    q: Node
    fn: Fn

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.k, self.q)

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.fn,)

    @staticmethod
    def build(k: Node, q: Node, fn: Fn, origin: Origin) -> Select:
        """Keys and queries are of one type unless the predicate ignores one of them."""
        need_sequence(k)
        need_sequence(q)
        used = [node.type for index, node in enumerate((k, q)) if index in fn.used]
        if len(used) == 2:
            need_joint(*used)
        if any(type_.is_index for type_ in used) and fn.comparison is None:
            raise Violation(
                "R311",
                f"`{fn.show('kq')}` is not a plain comparison of a key with a query",
                "shift the sequences first (`indices(x) + 1`) and compare with "
                "equals, lt, leq, gt, geq or `lambda k, q: k != q`",
            )
        return Select(type=SELECTOR, origin=origin, k=k, q=q, fn=fn)

    @property
    def is_lookup(self) -> bool:
        """Whether at most one key can match: the keys are the indices, shifted by a literal."""
        key = self.k
        while isinstance(key, TokMap) and key.type.is_index:
            key = key.x
        return isinstance(key, Indices) and self.fn.comparison == "=="


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SelWidth(Node):
    """`sel_width(s)`: how many keys each query selected.

    >>> sel_width(select(x, x, equals)): Count#1
    """

    s: Select

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.s,)

    @staticmethod
    def build(s: Node, family: int, origin: Origin) -> SelWidth:
        """Every call makes a Count of a new family."""
        return SelWidth(type=count_of(family), origin=origin, s=need_selector(s))


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Aggr(Node):
    """`aggr(s, v, default, reduction)`: the mean, max or min of the selected values.

    The mean of integers truncates toward zero. Max and min pass over None.

    >>> aggr(select(x, x, gt), x, default=0, reduction='min'): Int
    """

    s: Select
    v: Node
    default: Value
    reduction: Reduction

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.s, self.v)

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.default, self.reduction)

    @staticmethod
    def build(s: Node, v: Node, default: Value, reduction: str, bits: int, origin: Origin) -> Aggr:
        """Without a default an empty selection gives 0, or None for an index."""
        selector = need_selector(s)
        need_sequence(v)
        checked = _reduction(reduction)
        if v.type.is_index:
            if default is not None:
                raise Violation(
                    "R302",
                    f"the default {default} is an integer, but the values are of type {v.type}",
                    "leave the default out: it is None, which means no such index",
                )
            if checked == "mean" and not selector.is_lookup:
                raise Violation(
                    "R305",
                    f"this takes the mean of values of type {v.type}",
                    "use reduction='max' or 'min' (library: lasts, firsts), "
                    "or select with indices(x) as keys and equals",
                )
            return Aggr(
                type=v.type, origin=origin, s=selector, v=v, default=None, reduction=checked
            )
        value = 0 if default is None else default
        check_range(value, bits)
        type_ = BOOL if v.type == BOOL and value in (0, 1) else INT
        return Aggr(type=type_, origin=origin, s=selector, v=v, default=value, reduction=checked)


def _reduction(name: str) -> Reduction:
    for known in REDUCTIONS:
        if name == known:
            return known
    raise Violation(
        "R204", f"there is no reduction {name!r}", "write reduction='mean', 'max' or 'min'"
    )


def check_range(value: int, bits: int) -> None:
    """Refuse a literal that no Int of this width can hold."""
    low, high = int_range(bits)
    if not low <= value <= high:
        raise Violation(
            "R310",
            f"{value} lies outside {low}…{high}, the range of {bits}-bit integers",
            "use a smaller literal" + ("" if bits == 16 else ", or declare @program(bits=16)"),
        )


def need_sequence(node: Node) -> None:
    """Refuse a selector where a sequence is needed."""
    if node.type == SELECTOR:
        raise Violation(
            "R306",
            "this is a selector, and a sequence is needed here",
            "reduce it first: aggr(selector, values) or sel_width(selector)",
        )


def need_selector(node: Node) -> Select:
    """Refuse a sequence where a selector is needed."""
    if isinstance(node, Select):
        return node
    raise Violation(
        "R307",
        f"this is a sequence of type {node.type}, and a selector is needed here",
        "make a selector with select(keys, queries, predicate)",
    )


def need_joint(a: Type, b: Type) -> Type:
    """The common type of two sequences that meet, or the rule that keeps them apart."""
    joint = join(a, b)
    if joint is not None:
        return joint
    if a.is_index and b.is_index:
        raise Violation(
            "R303",
            f"{a} and {b} come from different sources and can't meet",
            "compare a count only with values of the same sel_width call "
            "(its maximum, its value elsewhere); compare tokens instead of counts",
        )
    raise Violation(
        "R302",
        f"{a} and {b} don't mix",
        "keep indices and integers apart; look up a token at an index with index_select",
    )
