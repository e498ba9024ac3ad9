"""Selects taken apart: what a predicate asks of the key alone, of the query alone, and of both.

A predicate that can be written as `keep(key) and ask(query) and f(key) OP g(query)` needs no look
at every pair: keys go into a dictionary or an ordered tree by f, and a query finds them by g. What
can't be written so is left as a table of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

from raspl.analysis.intervals import Interval, bounds
from raspl.language.ir.primitives import Full, Indices, Node, Select, TokMap
from raspl.language.ir.scalar import COMPARISONS, MIRRORED, Expr, Fn, Lit, Op, Var, is_truth
from raspl.language.ir.types import NULL, int_range

AccessKind = Literal["never", "all", "look-up", "compare", "table"]
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
KEY, QUERY = Var(0), Var(1)


@dataclass(frozen=True, slots=True)
class Access:
    """How a query of a select finds its keys. Keys are `Var(0)`, queries `Var(1)`."""

    kind: AccessKind
    keep: Expr | None = None
    """What a key must fulfil by itself to be selected at all."""
    ask: Expr | None = None
    """What a query must fulfil by itself to select anything."""
    op: str = "=="
    """For "compare": how `key` must compare with `query`."""
    key: Expr = KEY
    query: Expr = QUERY
    table: Expr | None = None
    """For "table": what remains to be asked of each pair."""
    offset: int = 0
    """For "look-up": the key at position j is j + offset."""


def access_of(select: Select, bits: int) -> Access:
    """How the keys of a select are found in a program of this width."""
    k, q, fn = select.k, select.q, select.fn
    if (k.type.is_index or q.type.is_index) and fn.comparison is not None:
        if NULL in (k.type, q.type):
            return Access("never")
        if select.is_lookup:
            return Access("look-up", offset=position_shift(k) or 0)
        return Access("compare", op=fn.comparison)
    body = _substituted(fn.body, [_constant(k), _constant(q)])
    used = Fn(2, body).used
    whole = Interval(*int_range(bits))
    if bounds(body, [whole, whole]).divides:
        # An error must come at the very pair that the reference meets first, so nothing moves.
        if used == {0, 1}:
            return Access("table", table=body)
        alone = used == {0}
        return Access("all", keep=body if alone else None, ask=None if alone else body)
    return _split(body)


def _split(body: Expr) -> Access:
    keep: list[Expr] = []
    ask: list[Expr] = []
    both: list[Expr] = []
    for part in _conjuncts(body):
        used = Fn(2, part).used
        if isinstance(part, Lit):
            if not part.value:
                return Access("never")
        elif used == {0}:
            keep.append(part)
        elif used == {1}:
            ask.append(part)
        else:
            both.append(part)
    alone = Access("all", _all_of(keep), _all_of(ask))
    if not both:
        return alone
    compared = _compared(both[0]) if len(both) == 1 else None
    if compared is None:
        return replace(alone, kind="table", table=_all_of(both))
    op, key, query = compared
    return replace(alone, kind="compare", op=op, key=key, query=query)


def _conjuncts(expr: Expr) -> Iterator[Expr]:
    """The conditions that must all be true for the expression to be."""
    if isinstance(expr, Op):
        is_logical = expr.name == "&" and all(is_truth(arg, (False, False)) for arg in expr.args)
        if expr.name == "and" or is_logical:
            for arg in expr.args:
                yield from _conjuncts(arg)
            return
    yield expr


def _all_of(parts: list[Expr]) -> Expr | None:
    return reduce(lambda a, b: Op("and", (a, b)), parts) if parts else None


def _compared(expr: Expr) -> tuple[str, Expr, Expr] | None:
    """A comparison of a function of the key with one of the query, if the expression is one."""
    if not isinstance(expr, Op):
        return None
    if expr.name == "not":
        inner = _compared(expr.args[0])
        return None if inner is None else (NEGATED[inner[0]], *inner[1:])
    if expr.name not in COMPARISONS:
        return None
    left, right = expr.args
    first, second = Fn(2, left).used, Fn(2, right).used
    if first == {0} and second == {1}:
        return expr.name, left, right
    if first == {1} and second == {0}:
        return MIRRORED[expr.name], right, left
    return None


def _constant(node: Node) -> int | None:
    return node.value if isinstance(node, Full) else None


def _substituted(expr: Expr, constants: list[int | None]) -> Expr:
    """The expression with known parameters in it, and calculated as far as that allows."""
    if isinstance(expr, Var):
        value = constants[expr.index]
        return expr if value is None else Lit(value)
    if isinstance(expr, Lit):
        return expr
    op = Op(expr.name, tuple(_substituted(arg, constants) for arg in expr.args))
    if all(isinstance(arg, Lit) for arg in op.args):
        try:
            return Lit(Fn(0, op)())
        except ZeroDivisionError:
            return op
    return op


def position_shift(node: Node) -> int | None:
    """The literal c if the node is `indices(x) + c`, which rises by one at each position."""
    total = 0
    while isinstance(node, TokMap) and node.type.is_index:
        total += node.fn.shift or 0
        node = node.x
    return total if isinstance(node, Indices) else None


def known_order(select: Select) -> bool | None:
    """Where both sides are the position, shifted, causality may settle an order by itself."""
    key, query = position_shift(select.k), position_shift(select.q)
    if key is None or query is None:
        return None
    # At the query's own position the key leads by this much, and it only falls behind before.
    lead = key - query
    op = select.fn.comparison
    if (op == "<=" and lead <= 0) or (op == "<" and lead < 0):
        return True
    if (op == ">=" and lead < 0) or (op == ">" and lead <= 0):
        return False
    return None
