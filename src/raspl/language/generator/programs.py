"""Random programs: well typed, over the whole language, with size and depth to choose.

Every operation is made by the `build` of its primitive, so what comes out is legal by the same
rules as what is parsed. Scalar functions are made in the form in which the parser would read them
(literals folded, `~` on truth values as `not`), so a printed program parses back to its own graph.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count
from random import Random

from raspl.language.generator.functions import canonical, random_function, random_literal
from raspl.language.ir.graph import Graph, merge, postorder
from raspl.language.ir.primitives import (
    REDUCTIONS,
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
from raspl.language.ir.scalar import COMPARISONS, Fn, Lit, Op, Var, comparison
from raspl.language.ir.types import BOOL, INDEX, INT, Type, count_of
from raspl.language.rules import Violation
from raspl.language.source import Origin, Span

FAR = 1 << 40
"""A shift that few expect: an index is unbounded, and machine words are not."""
ORIGIN = Origin(Span("<random>", 1, 1, 1, 1, ""))
OF_INDICES = tuple(reduction for reduction in REDUCTIONS if reduction != "mean")
"""Reductions of values of which there is no mean (rule R305)."""


@dataclass(frozen=True, slots=True)
class Style:
    """What random programs look like."""

    size: int = 12
    """How many operations are drawn; those that the output does not need fall away."""
    depth: int = 4
    """The longest chain of heads."""
    bits: int = 8
    inputs: int = 1
    """How many sequences the program reads; those after the first may be of any type."""
    kinds: tuple[str, ...] = ("Int", "Int", "Bool", "Index", "Count")
    """From which the type of each further input is drawn."""


def random_graph(rng: Random, style: Style = Style()) -> Graph:  # noqa: B008 (it is frozen)
    """A legal program whose every choice is drawn from `rng`."""
    return _Maker(rng, style).make()


class _Maker:
    """One program while it is made."""

    def __init__(self, rng: Random, style: Style) -> None:
        self._rng = rng
        self._style = style
        self._first = Input(type=INT, origin=ORIGIN, name="x")
        self._site = Site(ORIGIN, style.bits, count(1).__next__)
        self._depth: dict[Node, int] = {}
        self._unused: list[Node] = []
        self._selectors: list[Select] = []

    def make(self) -> Graph:
        rng, style = self._rng, self._style
        inputs = [self._first]
        for number in range(1, style.inputs):
            kind = rng.choice(style.kinds)
            types = {"Int": INT, "Bool": BOOL, "Index": INDEX, "Count": count_of(-number - 1)}
            inputs.append(Input(type=types[kind], origin=ORIGIN, name=f"x{number}"))
        for node in inputs:
            self._keep(node)
        steps: list[Callable[[], Node]] = [
            self._literal, self._indices, self._tok_map, self._tok_map, self._seq_map,
            self._seq_map, self._where, self._head, self._head, self._head,
        ]  # fmt: skip
        made = 0
        while made < style.size:
            try:
                drawn = rng.choice(steps)()
            except Violation:
                # The draw does not type; `build` is the judge, and the next draw may.
                continue
            if self._keep(drawn):
                made += 1
        return merge(
            Graph(
                name="random_program",
                inputs=tuple(inputs),
                output=self._output(),
                bits=style.bits,
                lines=made + 1,
            )
        )

    def _keep(self, node: Node) -> bool:
        depth = max((self._depth[arg] for arg in node.args), default=0) + node.is_head
        if depth > self._style.depth:
            return False
        self._depth[node] = depth
        for arg in node.args:
            if arg in self._unused:
                self._unused.remove(arg)
        if isinstance(node, Select):
            self._selectors.append(node)
        else:
            self._unused.append(node)
        return True

    def _output(self) -> Node:
        """Of some operations the one that most others lead up to, so that few fall away."""
        made = [node for node in self._depth if not isinstance(node, Select | Full | Input)]
        some = self._rng.sample(made, min(4, len(made)))
        known = next(iter(self._depth))
        return max(some, key=lambda node: sum(1 for _ in postorder(node)), default=known)

    def _pick(self, fits: Callable[[Node], bool]) -> Node:
        """A sequence that fits, with a liking for those that nothing uses yet."""
        rng = self._rng
        fresh = [node for node in self._unused if fits(node)]
        if fresh and rng.random() < 0.6:
            return rng.choice(fresh)
        known = [node for node in self._depth if not isinstance(node, Select) and fits(node)]
        if not known:
            raise Violation("R302", "nothing fits", "")
        return rng.choice(known)

    def _int(self) -> Node:
        return self._pick(lambda node: node.type.is_int)

    def _any(self) -> Node:
        return self._pick(lambda node: True)

    def _like(self, type_: Type) -> Node:
        """A sequence that can meet one of this type."""
        if type_.is_int:
            return self._int()
        return self._pick(lambda node: node.type.is_index and (node.type == type_ or _null(node)))

    def _literal(self) -> Node:
        if self._rng.random() < 0.2:
            return Full.build(self._site, x=self._first, const=None)
        value = random_literal(self._rng, self._style.bits)
        return Full.build(self._site, x=self._first, const=value)

    def _indices(self) -> Node:
        return Indices.build(self._site, x=self._first)

    def _tok_map(self) -> Node:
        x, rng = self._any(), self._rng
        if x.type.is_index:
            shift = Lit(rng.choice((0, 1, 1, 1, 2, 3, 7)) if rng.random() < 0.98 else FAR)
            func = Fn(1, Op(rng.choice("+-"), (Var(0), shift)))
            return TokMap.build(self._site, x=x, func=func)
        return TokMap.build(self._site, x=x, func=self._function(x))

    def _seq_map(self) -> Node:
        x = self._any()
        y = self._like(x.type)
        func = self._function(x, y) if x.type.is_int else self._comparison()
        return SeqMap.build(self._site, x=x, y=y, func=func)

    def _where(self) -> Node:
        a = self._any()
        return Where.build(self._site, c=self._int(), a=a, b=self._like(a.type))

    def _head(self) -> Node:
        rng = self._rng
        selector = rng.choice(self._selectors) if rng.random() < 0.2 and self._selectors else None
        if selector is None:
            selector = self._select()
            self._keep(selector)
        if rng.random() < 0.25:
            return SelWidth.build(self._site, s=selector)
        value = self._literal() if rng.random() < 0.1 else self._any()
        self._depth.setdefault(value, 0)
        lookup = value.type.is_int or selector.is_lookup
        reduction = rng.choice(REDUCTIONS if lookup else OF_INDICES)
        default = None
        if value.type.is_int and rng.random() < 0.5:
            default = random_literal(rng, self._style.bits)
        return Aggr.build(self._site, s=selector, v=value, default=default, reduction=reduction)

    def _select(self) -> Select:
        rng, k = self._rng, self._any()
        kind = rng.random()
        if kind < 0.1:
            # A constant predicate looks at neither side, so any two types may stand there.
            pred = Fn(2, rng.choice((Lit(1), Lit(1), Lit(0))))
            return Select.build(self._site, k=k, q=self._any(), pred=pred)
        if kind < 0.2 and k.type.is_int:
            q = self._any()
            return Select.build(self._site, k=k, q=q, pred=Fn(2, self._function(k).body))
        if kind < 0.3:
            return self._lookup()
        q = self._like(k.type)
        if not k.type.is_int or kind > 0.75:
            return Select.build(self._site, k=k, q=q, pred=self._comparison())
        pred = self._function(k, q) if kind < 0.5 else self._conditions(k, q)
        return Select.build(self._site, k=k, q=q, pred=pred)

    def _lookup(self) -> Select:
        shift = Lit(self._rng.choice((0, 1, 1, 2, 3)))
        key: Node = Indices.build(self._site, x=self._first)
        self._depth[key] = 0
        if self._rng.random() < 0.7:
            func = Fn(1, Op(self._rng.choice("+-"), (Var(0), shift)))
            key = TokMap.build(self._site, x=key, func=func)
            self._depth[key] = 0
        return Select.build(self._site, k=key, q=self._like(INDEX), pred=comparison("=="))

    def _conditions(self, k: Node, q: Node) -> Fn:
        """What people write: this of the key, and that of the query, and the two compared."""
        rng, truth = self._rng, [node.type == BOOL for node in (k, q)]
        key, query = (
            random_function(rng, truth, self._style.bits, depth=1, only=side).body
            for side in (0, 1)
        )
        parts = [canonical(rng.choice(COMPARISONS), (key, query))]
        for side in (0, 1):
            if rng.random() < 0.5:
                parts.append(random_function(rng, truth, self._style.bits, 2, side).body)
        rng.shuffle(parts)
        return Fn(2, reduce(lambda a, b: canonical("and", (a, b)), parts))

    def _comparison(self) -> Fn:
        fn = comparison(self._rng.choice(COMPARISONS))
        if self._rng.random() < 0.2:
            assert isinstance(fn.body, Op)
            return Fn(2, Op(fn.body.name, (Var(1), Var(0))))
        return fn

    def _function(self, *params: Node) -> Fn:
        truth = [node.type == BOOL for node in params]
        return random_function(self._rng, truth, self._style.bits)


def _null(node: Node) -> bool:
    return node.type.kind == "Null"


def random_tokens(
    rng: Random, node: Input, length: int, alphabet: Sequence[int]
) -> list[int | None]:
    """A sequence that a program can read at this input."""
    if node.type == BOOL:
        return [rng.randrange(2) for _ in range(length)]
    if node.type.is_index:
        reach = max(length, 1)
        return [None if rng.random() < 0.2 else rng.randrange(reach) for _ in range(length)]
    return [rng.choice(alphabet) for _ in range(length)]
