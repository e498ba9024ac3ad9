"""The primitives of RASP-L: one class each, which declares all that the language knows of it.

`@core` gives the name and the signature, the docstring says what the primitive does, and `build` is
the typing rule: it takes the arguments by the names of the signature and raises `Violation` with
what to write instead. The class itself is plain data. Nodes compare by identity: equal
subexpressions are made one node by `graph.merge`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from raspl.language.ir.scalar import Fn, Lit, is_truth
from raspl.language.ir.signatures import CORE as CORE
from raspl.language.ir.signatures import (
    INTEGER,
    REDUCTION,
    SELECTOR,
    SEQUENCE,
    core,
    function,
)
from raspl.language.ir.types import (
    BOOL,
    INDEX,
    INT,
    NULL,
    Type,
    count_of,
    int_range,
    join,
)
from raspl.language.ir.types import SELECTOR as SELECTOR_TYPE
from raspl.language.rules import Violation
from raspl.language.source import Origin
from raspl.language.vocabulary import literal_text

Reduction = Literal["mean", "max", "min"]
REDUCTIONS: tuple[Reduction, ...] = get_args(Reduction)
Value = int | None
"""What one position of a sequence holds: an integer, or None for "no such index"."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a primitive is applied: what a typing rule asks for besides the arguments."""

    origin: Origin
    bits: int
    """The width of the program's integers."""
    new_family: Callable[[], int]
    """The number of a count that was not used before."""


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

    @property
    def is_head(self) -> bool:
        """Whether an attention head puts this out: what reads a selector."""
        return any(arg.type.kind == SELECTOR_TYPE.kind for arg in self.args)

    def with_args(self, args: tuple[Node, ...], type_: Type) -> Self:
        """The same operation on other nodes, which must be of the same types."""
        remaining = iter(args)
        changed: dict[str, Any] = {
            name: next(remaining) if isinstance(value := getattr(self, name), Node) else value
            for name in self.__dataclass_fields__
        }
        changed["type"] = type_
        return self.__class__(**changed)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Input(Node):
    """A sequence that is given to the program. No call makes one, so it is not of the core."""

    name: str

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.name,)


@core("full", x=SEQUENCE, const=INTEGER)
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Full(Node):
    """The constant at every position. `x` only says how long the sequence is.

    None stands for "no such index". For x = [5, 7, 5]:

        full(x, 7)  # 7 7 7
    """

    value: Value

    @property
    def attributes(self) -> tuple[object, ...]:
        return (self.value,)

    @staticmethod
    def build(site: Site, *, x: Node, const: Value) -> Full:
        """0 and 1 are truth values too, unless they are named tokens; None is any index."""
        need_sequence(x)
        return Full.constant(site, const)

    @staticmethod
    def constant(site: Site, const: Value) -> Full:
        """A literal that stands where a sequence is needed."""
        if const is None:
            return Full(type=NULL, origin=site.origin, value=None)
        check_range(const, site.bits)
        type_ = BOOL if is_truth(Lit(const), ()) else INT
        return Full(type=type_, origin=site.origin, value=const)


@core("indices", x=SEQUENCE)
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Indices(Node):
    """The positions: 0, 1, 2, … They can be compared and shifted, but not calculated with.

    For x = [5, 7, 5]:

        indices(x)  # 0 1 2
    """

    @staticmethod
    def build(site: Site, *, x: Node) -> Indices:
        """Of whatever sequence: all have the length of the input."""
        need_sequence(x)
        return Indices(type=INDEX, origin=site.origin)


@core("tok_map", x=SEQUENCE, func=function(1))
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class TokMap(Node):
    """The function applied at each position. Operators with a literal are short for it.

    For x = [5, 7, 5]:

        tok_map(x, lambda a: a * a % 10)  # 5 9 5
        x + 1  # 6 8 6
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
    def build(site: Site, *, x: Node, func: Fn) -> TokMap:
        """An index is mapped to a successor or predecessor and to nothing else."""
        need_sequence(x)
        if not x.type.is_index:
            truth = func.is_truth([x.type == BOOL])
            return TokMap(type=BOOL if truth else INT, origin=site.origin, x=x, fn=func)
        if func.shift is None:
            raise Violation(
                "R301",
                f"this calculates with a value of type {x.type}",
                "add or subtract a literal, or compare it with "
                + ("another index" if x.type == INDEX else "values of the same count"),
            )
        return TokMap(type=x.type, origin=site.origin, x=x, fn=func)


@core("seq_map", x=SEQUENCE, y=SEQUENCE, func=function(2))
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SeqMap(Node):
    """The function of two sequences, position by position. Operators are short for it.

    For x = [5, 7, 5], y = [1, 9, 2]:

        seq_map(x, y, lambda a, b: max(a, b) - 1)  # 4 8 4
        x + y  # 6 16 7
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
    def build(site: Site, *, x: Node, y: Node, func: Fn) -> SeqMap:
        """Two indices of one family can be compared and nothing else."""
        need_sequence(x)
        need_sequence(y)
        if x.type.is_int and y.type.is_int:
            truth = func.is_truth([x.type == BOOL, y.type == BOOL])
            return SeqMap(type=BOOL if truth else INT, origin=site.origin, x=x, y=y, fn=func)
        need_joint(x, y)
        if func.comparison is None:
            raise Violation(
                "R301",
                f"this calculates with values of type {x.type} and {y.type}",
                "compare the two with == != < <= > >=, or shift one by a literal",
            )
        return SeqMap(type=BOOL, origin=site.origin, x=x, y=y, fn=func)


@core("where", c=SEQUENCE, a=SEQUENCE, b=SEQUENCE)
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Where(Node):
    """`a` where `c` is true (not 0), else `b`.

    For x = [5, 7, 5]:

        where(x == 5, full(x, 0), x)  # 0 7 0
    """

    c: Node
    a: Node
    b: Node

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.c, self.a, self.b)

    @staticmethod
    def build(site: Site, *, c: Node, a: Node, b: Node) -> Where:
        """Both results must be of one type; an Index or Count passes through untouched."""
        for node in (c, a, b):
            need_sequence(node)
        if not c.type.is_int:
            raise Violation(
                "R302",
                f"the condition is of type {c.type}, which is neither true nor false",
                "compare it with another index; `i == i` is true exactly where i is not None",
            )
        return Where(type=need_joint(a, b), origin=site.origin, c=c, a=a, b=b)


@core("select", k=SEQUENCE, q=SEQUENCE, pred=function(2))
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Select(Node):
    """A causal selector: the query at position i selects each j ≤ i with pred(k[j], q[i]).

    `aggr` and `sel_width` read selectors. For x = [5, 7, 5]:

        sel_width(select(x, x, equals))  # 1 1 2
        aggr(select(x, x, lambda k, q: k > q), x, default=0, reduction="max")  # 0 0 7
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
    def build(site: Site, *, k: Node, q: Node, pred: Fn) -> Select:
        """Keys and queries are of one type unless the predicate ignores one of them."""
        need_sequence(k)
        need_sequence(q)
        used = [node for index, node in enumerate((k, q)) if index in pred.used]
        if len(used) == 2:
            need_joint(*used)
        if any(node.type.is_index for node in used) and pred.comparison is None:
            raise Violation(
                "R311",
                f"`{pred.show('kq')}` is not a plain comparison of a key with a query",
                "shift the sequences first (`indices(x) + 1`) and compare with "
                "equals, lt, leq, gt, geq or `lambda k, q: k != q`",
            )
        return Select(type=SELECTOR_TYPE, origin=site.origin, k=k, q=q, fn=pred)

    @property
    def is_lookup(self) -> bool:
        """Whether at most one key can match: the keys are the indices, shifted by a literal."""
        key = self.k
        while isinstance(key, TokMap) and key.type.is_index:
            key = key.x
        return isinstance(key, Indices) and self.fn.comparison == "=="


@core("sel_width", s=SELECTOR)
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SelWidth(Node):
    """How many keys each query selects. A count compares only with counts of the same call.

    For x = [5, 7, 5]:

        sel_width(select(x, x, equals))  # 1 1 2
    """

    s: Select

    @property
    def args(self) -> tuple[Node, ...]:
        return (self.s,)

    @staticmethod
    def build(site: Site, *, s: Select) -> SelWidth:
        """Every call makes a Count of a new family."""
        return SelWidth(type=count_of(site.new_family()), origin=site.origin, s=s)


@core(
    "aggr",
    s=SELECTOR,
    v=SEQUENCE,
    default=INTEGER.or_default(None),
    reduction=REDUCTION.or_default("mean"),
)
@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Aggr(Node):
    """The mean, max or min of the values at the keys that each query selects.

    Where nothing is selected it is the default: 0 if left out, or None for indices. The mean of
    integers truncates toward zero; max and min pass over None. For x = [5, 7, 4]:

        aggr(select(x, x, gt), x, default=0, reduction="min")  # 0 0 5
        aggr(select(x, x, lambda k, q: True), x)  # 5 6 5
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
    def build(
        site: Site, *, s: Select, v: Node, default: Value = None, reduction: str = "mean"
    ) -> Aggr:
        """Without a default an empty selection gives 0, or None for an index."""
        need_sequence(v)
        checked = _reduction(reduction)
        if v.type.is_index:
            if default is not None:
                raise Violation(
                    "R302",
                    f"the default {default} is an integer, but the values are of type {v.type}",
                    "leave the default out: it is None, which means no such index",
                )
            if checked == "mean" and not s.is_lookup:
                raise Violation(
                    "R305",
                    f"this takes the mean of values of type {v.type}",
                    "use reduction='max' or 'min' (library: lasts, firsts), "
                    "or select with indices(x) as keys and equals",
                )
            type_, value = v.type, None
        else:
            value = 0 if default is None else default
            check_range(value, site.bits)
            type_ = BOOL if v.type == BOOL and is_truth(Lit(value), ()) else INT
        return Aggr(type=type_, origin=site.origin, s=s, v=v, default=value, reduction=checked)


@core(
    "kqv",
    k=SEQUENCE,
    q=SEQUENCE,
    v=SEQUENCE,
    pred=function(2),
    default=INTEGER.or_default(None),
    reduction=REDUCTION.or_default("mean"),
)
class Kqv:
    """An attention head in one call: `aggr(select(k, q, pred), v, default, reduction)`.

    For x = [5, 7, 5]:

        kqv(k=x, q=x, v=indices(x), pred=equals, reduction="max")  # 0 1 2
        kqv(x, x, x, lambda k, q: k < q, default=0, reduction="max")  # 0 5 0
    """

    @staticmethod
    def build(
        site: Site,
        *,
        k: Node,
        q: Node,
        v: Node,
        pred: Fn,
        default: Value = None,
        reduction: str = "mean",
    ) -> Aggr:
        """It is no primitive: the graph holds the two that it stands for."""
        s = Select.build(site, k=k, q=q, pred=pred)
        return Aggr.build(site, s=s, v=v, default=default, reduction=reduction)


PRIMITIVES: tuple[type[Node], ...] = tuple(
    declared.maker for declared in CORE.values() if issubclass(declared.maker, Node)
)
"""The primitives, for which every table of rules has a rule."""


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
    if node.type == SELECTOR_TYPE:
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


class Meeting(Violation):
    """Two sequences meet that can't. Whoever reports it knows what the author calls them."""

    def __init__(self, a: Node, b: Node) -> None:
        self.sides = a, b
        self._explain(lambda node: "")

    def with_names(self, called: Callable[[Node], str]) -> Meeting:
        """The same with the author's names for the two."""
        self._explain(called)
        return self

    def _explain(self, called: Callable[[Node], str]) -> None:
        a, b = self.sides
        one, other = (_described(node, called(node)) for node in self.sides)
        if a.type.is_index and b.type.is_index:
            instead = (
                "compare a count only with values of the same sel_width call "
                "(its maximum, its value elsewhere); compare tokens instead of counts"
            )
            if INDEX in (a.type, b.type):
                instead = "compare an index with indices, and a count with values of the same count"
            super().__init__("R303", f"{one} and {other} count different things", instead)
            return
        literal = next((node for node in self.sides if isinstance(node, Full)), None)
        instead = "keep indices and integers apart; look up a token at an index with index_select"
        if literal is not None:
            instead = (
                'the one literal of an Index or Count is None, "no such index": '
                "mask(x, keep, mask_val=None), where(c, x, None)"
            )
        super().__init__("R302", f"{one} and {other} don't mix", instead)


def _described(node: Node, name: str) -> str:
    if isinstance(node, Full) and not name:
        return f"the literal {literal_text(node.value)}"
    return f"`{name}` ({node.type})" if name else str(node.type)


def need_joint(a: Node, b: Node) -> Type:
    """The common type of two sequences that meet, or the rule that keeps them apart."""
    joint = join(a.type, b.type)
    if joint is None:
        raise Meeting(a, b)
    return joint
