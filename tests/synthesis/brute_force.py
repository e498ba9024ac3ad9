"""The grammar of docs/theory.md, written down a second time, and its programs by brute force.

Nothing here comes from the search: neither its rules nor its kernels nor its merging. A program is
a graph, made by the language's own `build`; what it computes is what the batch executor says.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from raspl.executors import batch
from raspl.language.ir.graph import Graph
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
from raspl.language.ir.types import INT
from raspl.language.source import Origin, Span

BITS = 8
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
PREDICATES = ("==", "<", ">")

Symbol = Literal["Int", "Variable", "Bool", "Index", "Count"]
"""What an operand may be; a Variable is an Int that is not a literal."""
ORDERED: tuple[Symbol, ...] = ("Int", "Index", "Count")


Behaviour = tuple[int | None, ...]
"""Values at all positions of all inputs."""


@dataclass(frozen=True)
class Inputs:
    """Every sequence of one length over an alphabet; what comes of their prefixes is known too."""

    alphabet: tuple[int, ...]
    length: int

    @cached_property
    def sequences(self) -> list[tuple[int, ...]]:
        return list(product(self.alphabet, repeat=self.length))

    @cached_property
    def _array(self) -> NDArray[np.int64]:
        """The sequences as the executor reads them fastest."""
        return np.array(self.sequences)

    def behaviour(self, graph: Graph) -> Behaviour | None:
        """The outputs at all positions of all sequences; None if one is outside the range."""
        results = batch.run(graph, self._array)
        return None if results.errors else tuple(results.values.ravel().tolist())

    def labels(self, behaviour: Behaviour) -> dict[tuple[int, ...], int | None]:
        """The output for each prefix."""
        return {
            sequence[: end + 1]: behaviour[at * self.length + end]
            for at, sequence in enumerate(self.sequences)
            for end in range(self.length)
        }


@dataclass(frozen=True)
class Production:
    """One way to make a value of a type."""

    result: Symbol
    cost: int
    operands: tuple[Symbol, ...]
    build: Callable[..., Node]
    only_output: bool = False
    """Whether it can only be the output of a program."""
    is_drawn: bool = False
    """Whether it makes another node each time, so that there are too many to list."""


@dataclass(frozen=True)
class Selector:
    """One way to select keys; `cost` is what it adds to the head's own one."""

    cost: int
    operands: tuple[Symbol, ...]
    build: Callable[..., Select]
    is_lookup: bool = False
    """Whether it selects one key at most, so that all reductions are one."""


class Grammar:
    """All programs over these literals."""

    def __init__(self, literals: tuple[int, ...], inputs: Inputs) -> None:
        self.literals, self.inputs = literals, inputs
        origin = Origin(Span("<brute force>", 1, 1, 1, 1, ""))
        self._site = Site(origin, BITS, count(1).__next__)
        self._x = Input(type=INT, origin=origin, name="x")
        self._rng = np.random.default_rng(0)
        self._productions = [*self._maps(), *self._heads(), *self._tables()]
        self._known: dict[tuple[Symbol, int], list[Node]] = {}

    def graph(self, output: Node) -> Graph:
        return Graph(name="hidden", inputs=(self._x,), output=output, bits=BITS)

    def outputs(self, cost: int) -> Iterator[Node]:
        """Every program of a cost, but for parts that behave alike and differ in nothing else."""
        yield from self.values("Int", cost)
        for rule in self._productions:
            if rule.only_output and not rule.is_drawn:
                yield from self._made(rule, cost)

    def values(self, symbol: Symbol, cost: int) -> list[Node]:
        """Of all terms of a type and a cost, one of each behaviour on all the inputs."""
        known = self._known.get((symbol, cost))
        if known is None:
            distinct: dict[Behaviour | None, Node] = {}
            for node in self._values(symbol, cost):
                distinct.setdefault(self.behaviour(node), node)
            distinct.pop(None, None)
            known = self._known[symbol, cost] = list(distinct.values())
        return known

    def behaviour(self, node: Node) -> Behaviour | None:
        return self.inputs.behaviour(self.graph(node))

    def random_output(self, rng: np.random.Generator, cost: int) -> Node:
        """A program of a cost: first one production after the other is chosen, then its parts."""
        roots = [rule for rule in self._productions if rule.result in ("Int", "Bool")]
        while True:
            node = self._random_rule(rng, roots, cost)
            if node is not None:
                return node

    def _values(self, symbol: Symbol, cost: int) -> Iterator[Node]:
        if cost == 0:
            yield from self._leaves(symbol)
        if symbol in ("Int", "Variable"):
            yield from self.values("Bool", cost)
        for rule in self._productions:
            if rule.result == _made_as(symbol) and not (rule.only_output or rule.is_drawn):
                yield from self._made(rule, cost)

    def _made(self, rule: Production, cost: int) -> Iterator[Node]:
        for costs in splits(cost - rule.cost, len(rule.operands)):
            parts = [self.values(s, c) for s, c in zip(rule.operands, costs, strict=True)]
            for operands in product(*parts):
                yield rule.build(*operands)

    def _random_rule(
        self, rng: np.random.Generator, rules: list[Production], cost: int
    ) -> Node | None:
        fitting = [rule for rule in rules if rule.cost <= cost]
        rule = fitting[rng.integers(len(fitting))]
        ways = list(splits(cost - rule.cost, len(rule.operands)))
        if not ways:
            return None
        costs = ways[rng.integers(len(ways))]
        operands = [self._random(rng, s, c) for s, c in zip(rule.operands, costs, strict=True)]
        return None if None in operands else rule.build(*operands)

    def _random(self, rng: np.random.Generator, symbol: Symbol, cost: int) -> Node | None:
        if cost == 0:
            leaves = list(self._leaves(symbol))
            return leaves[rng.integers(len(leaves))] if leaves else None
        results = ("Int", "Bool") if _made_as(symbol) == "Int" else (symbol,)
        rules = [rule for rule in self._productions if rule.result in results]
        return self._random_rule(rng, [rule for rule in rules if not rule.only_output], cost)

    def _leaves(self, symbol: Symbol) -> Iterator[Node]:
        if symbol in ("Int", "Variable"):
            yield self._x
        if symbol == "Int":
            yield from map(self._full, self.literals)
        if symbol == "Index":
            yield self._indices()
            yield self._full(None)

    def _maps(self) -> Iterator[Production]:
        for op in COMPARISONS:
            yield Production("Bool", 1, ("Int", "Int"), self._map(op))
            yield Production("Bool", 1, ("Index", "Index"), self._map(op))
        for op in ("+", "-"):
            yield Production("Int", 1, ("Int", "Int"), self._map(op))
            yield Production("Int", 1, ("Int",), self._shift(1 if op == "+" else -1))
            yield Production("Index", 1, ("Index",), self._shift(1 if op == "+" else -1))
        for old, new in product(self.literals, repeat=2):
            if old != new:
                yield Production("Int", 1, ("Int",), self._replace(old, new))
        for op in ("&", "|"):
            yield Production("Bool", 1, ("Bool", "Bool"), self._map(op))
        yield Production("Bool", 1, ("Bool",), self._token(Op("not", (Var(0),))))
        for symbol in ("Int", "Index"):
            yield Production(symbol, 1, ("Bool", symbol, symbol), self._where)
        for extreme, op in product(("max", "min"), ("==", "!=")):
            yield Production("Bool", 2, ("Count",), self._peak(extreme, op))

    def _tables(self) -> Iterator[Production]:
        """Tables of one or two values, at the output; balances, anywhere."""
        for entries in (1, 2, 3):
            yield Production("Int", entries, ("Variable",), self._table(entries), True, True)
            both: tuple[Symbol, ...] = ("Variable", "Variable")
            yield Production("Int", entries, both, self._table(entries), True, True)
        for weights in (2, 3):
            yield Production("Bool", 2 + weights, (), self._balance(weights), is_drawn=True)

    def _table(self, entries: int) -> Callable[..., Node]:
        """A literal, but for so many random combinations of values."""

        def build(*operands: Node) -> Node:
            default, *outputs = self._rng.choice(self.literals, size=1 + entries).tolist()
            body: Expr = Lit(default)
            for output in outputs:
                tests = [
                    Op("==", (Var(at), Lit(int(self._rng.choice(self.inputs.alphabet)))))
                    for at in range(len(operands))
                ]
                test = tests[0] if len(tests) == 1 else Op("and", tuple(tests))
                body = Op("if", (test, Lit(output), body))
            func = Fn(len(operands), body)
            if len(operands) == 1:
                return TokMap.build(self._site, x=operands[0], func=func)
            return SeqMap.build(self._site, x=operands[0], y=operands[1], func=func)

        return build

    def _balance(self, size: int) -> Callable[[], Node]:
        """Whether the mean of weights of tokens, of 1 for all others, is positive."""

        def build() -> Node:
            tokens = self._rng.permutation(self.inputs.alphabet)[:size].tolist()
            body: Expr = Lit(1)
            for token in tokens:
                weight = int(self._rng.integers(-3, 4))
                body = Op("if", (Op("==", (Var(0), Lit(token))), Lit(1 + weight), body))
            weights = TokMap.build(self._site, x=self._x, func=Fn(1, body))
            everything = self._select(self._x, self._x, Fn(2, Lit(1)))
            mean = Aggr.build(self._site, s=everything, v=weights, default=0)
            return self._token(Op(">", (Var(0), Lit(0))))(mean)

        return build

    def _heads(self) -> Iterator[Production]:
        for selector in self._selectors():
            yield from self._through(selector)

    def _through(self, s: Selector) -> Iterator[Production]:
        """Everything that may be aggregated through one selector."""
        cost, keys = 1 + s.cost, s.operands
        reductions = ("mean",) if s.is_lookup else ("max", "min", "mean")
        for reduction in reductions:
            made = self._aggregate(s, reduction, 0)
            yield Production("Int", cost, (*keys, "Variable"), made)
            for default in (0, 1):
                made = self._aggregate(s, reduction, default)
                yield Production("Bool", cost, (*keys, "Bool"), made)
            for default in self.literals:
                made = self._aggregate(s, reduction, default)
                yield Production("Int", cost, (*keys, "Int"), made, only_output=True)
            if s.is_lookup or reduction != "mean":
                made = self._aggregate(s, reduction, None)
                yield Production("Index", cost, (*keys, "Index"), made)
        yield Production("Bool", cost, keys, self._has(s))
        yield Production("Count", cost, keys, self._width(s))

    def _selectors(self) -> Iterator[Selector]:
        yield Selector(0, (), lambda: self._select(self._x, self._x, Fn(2, Lit(1))))
        yield Selector(0, ("Bool",), lambda k: self._select(k, k, Fn(2, Var(0))))
        for op in PREDICATES:
            yield Selector(0, ("Variable", "Int"), self._pair(op))
            yield Selector(0, ("Index", "Index"), self._pair(op))
            for literal in self.literals:
                yield Selector(1, ("Int",), self._gate(op, literal))
            for symbol in ORDERED:
                yield Selector(0, (symbol,), self._self(op))
        for symbol, extreme in product(ORDERED, ("max", "min")):
            yield Selector(1, (symbol,), self._extreme(extreme))
        yield Selector(0, ("Index",), self._next)
        yield Selector(0, ("Count",), self._next)
        for number in (1, 2):
            yield Selector(0, (), self._back(number), is_lookup=True)
        for number in (-1, 0, 1):
            yield Selector(0, ("Index",), self._lookup(number), is_lookup=True)

    def _full(self, const: int | None) -> Node:
        return Full.build(self._site, x=self._x, const=const)

    def _indices(self) -> Node:
        return Indices.build(self._site, x=self._x)

    def _token(self, body: Op) -> Callable[[Node], Node]:
        return lambda x: TokMap.build(self._site, x=x, func=Fn(1, body))

    def _shift(self, number: int) -> Callable[[Node], Node]:
        return self._token(Op("+" if number >= 0 else "-", (Var(0), Lit(abs(number)))))

    def _replace(self, old: int, new: int) -> Callable[[Node], Node]:
        return self._token(Op("if", (Op("==", (Var(0), Lit(old))), Lit(new), Var(0))))

    def _map(self, op: str) -> Callable[[Node, Node], Node]:
        func = Fn(2, Op(op, (Var(0), Var(1))))
        return lambda x, y: SeqMap.build(self._site, x=x, y=y, func=func)

    def _where(self, c: Node, a: Node, b: Node) -> Node:
        return Where.build(self._site, c=c, a=a, b=b)

    def _so_far(self, x: Node, extreme: str) -> Node:
        everything = self._select(x, x, Fn(2, Lit(1)))
        return Aggr.build(self._site, s=everything, v=x, reduction=extreme)

    def _peak(self, extreme: str, op: str) -> Callable[[Node], Node]:
        return lambda x: self._map(op)(x, self._so_far(x, extreme))

    def _select(self, k: Node, q: Node, pred: Fn) -> Select:
        return Select.build(self._site, k=k, q=q, pred=pred)

    def _pair(self, op: str) -> Callable[[Node, Node], Select]:
        return lambda k, q: self._select(k, q, comparison(op))

    def _gate(self, op: str, literal: int) -> Callable[[Node], Select]:
        return lambda q: self._select(self._full(literal), q, comparison(op))

    def _self(self, op: str) -> Callable[[Node], Select]:
        return lambda x: self._select(x, x, comparison(op))

    def _next(self, x: Node) -> Select:
        return self._select(x, self._shift(1)(x), comparison("=="))

    def _extreme(self, extreme: str) -> Callable[[Node], Select]:
        return lambda x: self._select(x, self._so_far(x, extreme), comparison("=="))

    def _back(self, number: int) -> Callable[[], Select]:
        return lambda: self._select(
            self._shift(number)(self._indices()), self._indices(), comparison("==")
        )

    def _lookup(self, number: int) -> Callable[[Node], Select]:
        return lambda at: self._select(self._indices(), self._shift(number)(at), comparison("=="))

    def _aggregate(
        self, selector: Selector, reduction: str, default: int | None
    ) -> Callable[..., Node]:
        def build(*args: Node) -> Node:
            s = selector.build(*args[:-1])
            return Aggr.build(self._site, s=s, v=args[-1], default=default, reduction=reduction)

        return build

    def _has(self, selector: Selector) -> Callable[..., Node]:
        return lambda *keys: Aggr.build(
            self._site, s=selector.build(*keys), v=self._full(1), default=0
        )

    def _width(self, selector: Selector) -> Callable[..., Node]:
        return lambda *keys: SelWidth.build(self._site, s=selector.build(*keys))


def splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to share a cost among so many operands."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    for first in range(total + 1):
        for rest in splits(total - first, parts - 1):
            yield (first, *rest)


def _made_as(symbol: Symbol) -> Symbol:
    return "Int" if symbol == "Variable" else symbol
