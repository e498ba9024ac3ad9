"""The components that the search puts together, what each costs, and the nodes it stands for.

The cost of a program is one for every map and one for every head; the tokens, the indices and
literals are free, and so are the scalar functions, predicates, offsets and defaults below. A
component that uses one value twice (the argmax of a count, say) pays for that value once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count
from typing import Literal

from raspl.language.ir.graph import Graph, merge
from raspl.language.ir.primitives import (
    Aggr,
    Full,
    Indices,
    Input,
    Node,
    Select,
    SelWidth,
    SeqMap,
    Site,
    TokMap,
    Where,
)
from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var, comparison
from raspl.language.ir.tables import MissingRule
from raspl.language.ir.types import INT
from raspl.language.source import Origin, Span
from raspl.synthesis.conditionals import conditional

Kind = Literal["Int", "Bool", "Index", "Count"]
ORIGIN = Origin(Span("<search>", 1, 1, 1, 1, ""))

TOKEN_COMPARISONS = ("==", "<", ">")
INT_MAPS = ("==", "!=", "<", "<=", ">", ">=", "+", "-")
BOOL_MAPS = ("&", "|")
INDEX_MAPS = ("==", "!=", "<", "<=", ">", ">=")
PREDICATES = ("==", "<", ">")
NEXT = "next"
"""The predicate that a key is the successor of the query."""
SELF: dict[Kind, tuple[str, ...]] = {
    "Count": (*PREDICATES, NEXT),
    "Index": (*PREDICATES, NEXT),
    "Int": PREDICATES,
}
"""How the values of one sequence may be compared with each other in a selector."""
SAME = "same"
"""Of a table: what it does not list stays as it is."""
SHIFTS = (1, 2)
OFFSETS = (0, 1, -1)


@dataclass(frozen=True, slots=True)
class Rule:
    """One component, all but its operands."""

    name: str
    """tokens, literal, none, indices; truth (a truth value as an integer); compare, plus, replace,
    not, successor; map; where; peak; or the selector of a head: pair, gate (whose key is a
    literal), self, extreme, true_key, all, lookup, back."""
    result: Kind
    operands: tuple[Kind, ...] = ()
    op: str = ""
    literals: tuple[int, ...] = ()
    value: Kind | None = None
    """What a head aggregates, which is its last operand; None for `has` and `width`."""
    reduction: str = ""
    """Of a head: max, min, mean, has or width."""
    default: int = 0
    extreme: str = ""
    """Of `peak` and `extreme`: max or min."""
    entries: tuple[tuple[int, ...], ...] = ()
    """Of a `table`: its operands' values and the output, where that is not `default`, or
    the operand itself if `op` is SAME."""

    @property
    def is_head(self) -> bool:
        return bool(self.reduction)

    @property
    def cost(self) -> int:
        if self.name in FREE:
            return 0
        if self.name == "table":
            return max(1, len(self.entries))
        return 2 if self.name in ("extreme", "peak", "gate") else 1


LEAVES = ("tokens", "literal", "none", "indices")
TRUTH = "truth"
HAS = "has"
FREE = (*LEAVES, TRUTH)


@dataclass(frozen=True, slots=True)
class Term:
    """A component with its operands: a program, or part of one."""

    rule: Rule
    args: tuple[Term, ...] = ()

    @property
    def cost(self) -> int:
        return self.rule.cost + sum(arg.cost for arg in self.args)


TOKENS = Term(Rule("tokens", "Int"))
INDICES = Term(Rule("indices", "Index"))


def literal(value: int) -> Term:
    """A constant sequence."""
    return Term(Rule("literal", "Int", literals=(value,)))


def replaced(term: Term, old: int, new: int) -> Term:
    """The term with one value replaced by another."""
    return Term(Rule("replace", "Int", ("Int",), literals=(old, new)), (term,))


def chosen(condition: Term, a: Term, b: Term) -> Term:
    """`where(condition, a, b)`."""
    return Term(Rule("where", "Int", ("Bool", "Int", "Int")), (condition, a, b))


def of_literal(has: Term, value: int, default: int) -> Term:
    """The head of a `has`, with one literal where anything is selected and another elsewhere."""
    rule = replace(
        has.rule,
        result="Int",
        operands=(*has.rule.operands, "Int"),
        value="Int",
        reduction="mean",
        default=default,
    )
    return Term(rule, (*has.args, literal(value)))


def negated(term: Term) -> Term:
    return Term(Rule("not", "Bool", ("Bool",)), (term,))


def to_graph(term: Term, bits: int, name: str = "found") -> Graph:
    """The program of a term, checked by the language's own typing rules as it is built."""
    maker = _Maker(bits)
    output = maker.node(term)
    return merge(
        Graph(name=name, inputs=(maker.tokens,), output=output, bits=bits, lines=len(maker.known))
    )


class _Maker:
    """Builds nodes; a term that occurs twice becomes one node."""

    def __init__(self, bits: int) -> None:
        self.tokens = Input(type=INT, origin=ORIGIN, name="x")
        self.known: dict[Term, Node] = {TOKENS: self.tokens}
        self._site = Site(ORIGIN, bits, count(1).__next__)

    def node(self, term: Term) -> Node:
        known = self.known.get(term)
        if known is None:
            args = [self.node(arg) for arg in term.args]
            known = self.known[term] = self._make(term.rule, args)
        return known

    def _make(self, rule: Rule, args: list[Node]) -> Node:
        if rule.is_head:
            return self._head(rule, args)
        match rule.name:
            case "literal":
                return self._full(rule.literals[0])
            case "none":
                return self._full(None)
            case "indices":
                return Indices.build(self._site, x=self.tokens)
            case "truth":
                return args[0]
            case "map":
                return SeqMap.build(self._site, x=args[0], y=args[1], func=_binary(rule.op))
            case "table" if len(args) == 2:
                return SeqMap.build(self._site, x=args[0], y=args[1], func=table_function(rule))
            case "table":
                return TokMap.build(self._site, x=args[0], func=table_function(rule))
            case "where":
                return Where.build(self._site, c=args[0], a=args[1], b=args[2])
            case "peak":
                best = self._extreme(args[0], rule.extreme)
                return SeqMap.build(self._site, x=args[0], y=best, func=comparison(rule.op))
        return TokMap.build(self._site, x=args[0], func=Fn(1, _unary(rule)))

    def _full(self, const: int | None) -> Node:
        return Full.build(self._site, x=self.tokens, const=const)

    def _shifted(self, node: Node, number: int) -> Node:
        return TokMap.build(self._site, x=node, func=Fn(1, _plus(number)))

    def _select(self, k: Node, q: Node, pred: Fn) -> Select:
        return Select.build(self._site, k=k, q=q, pred=pred)

    def _extreme(self, node: Node, reduction: str) -> Node:
        everything = self._select(node, node, Fn(2, Lit(1)))
        return Aggr.build(self._site, s=everything, v=node, reduction=reduction)

    def _head(self, rule: Rule, args: list[Node]) -> Node:
        s = self._selector(rule, args)
        if rule.reduction == "width":
            return SelWidth.build(self._site, s=s)
        if rule.reduction == "has":
            return Aggr.build(self._site, s=s, v=self._full(1), default=0)
        v = args[-1]
        default = None if v.type.is_index else rule.default
        return Aggr.build(self._site, s=s, v=v, default=default, reduction=rule.reduction)

    def _selector(self, rule: Rule, args: list[Node]) -> Select:
        match rule.name:
            case "pair":
                return self._select(args[0], args[1], comparison(rule.op))
            case "gate":
                key = self._full(rule.literals[0])
                return self._select(key, args[0], comparison(rule.op))
            case "self" if rule.op == NEXT:
                return self._select(args[0], self._shifted(args[0], 1), comparison("=="))
            case "self":
                return self._select(args[0], args[0], comparison(rule.op))
            case "extreme":
                best = self._extreme(args[0], rule.extreme)
                return self._select(args[0], best, comparison("=="))
            case "true_key":
                return self._select(args[0], args[0], Fn(2, Var(0)))
            case "all":
                return self._select(self.tokens, self.tokens, Fn(2, Lit(1)))
        places: Node = Indices.build(self._site, x=self.tokens)
        (offset,) = rule.literals
        match rule.name:
            case "back":
                return self._select(self._shifted(places, offset), places, comparison("=="))
            case "lookup":
                query = args[0] if offset == 0 else self._shifted(args[0], offset)
                return self._select(places, query, comparison("=="))
        raise MissingRule("the search", rule.name)


def table_function(rule: Rule) -> Fn:
    """The scalar function of a table."""
    default = Var(0) if rule.op == SAME else Lit(rule.default)
    return conditional(len(rule.operands), rule.entries, default)


def _binary(op: str) -> Fn:
    return Fn(2, Op(op, (Var(0), Var(1))))


def _plus(number: int) -> Expr:
    return Op("+" if number >= 0 else "-", (Var(0), Lit(abs(number))))


def _unary(rule: Rule) -> Expr:
    match rule.name:
        case "compare":
            return Op(rule.op, (Var(0), Lit(rule.literals[0])))
        case "plus" | "successor":
            return _plus(rule.literals[0])
        case "replace":
            old, new = rule.literals
            return Op("if", (Op("==", (Var(0), Lit(old))), Lit(new), Var(0)))
        case "not":
            return Op("not", (Var(0),))
    raise MissingRule("the search", rule.name)
