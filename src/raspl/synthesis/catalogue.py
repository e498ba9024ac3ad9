"""The catalogue: every component of the search, one entry each.

An entry says how all candidates of a cost are computed, which node of the language a component
stands for, and how it is written. To add a component, add an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from raspl.language.ir.primitives import Aggr, Node, Select, SeqMap, TokMap, Where
from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var, comparison
from raspl.language.ir.tables import Rules
from raspl.language.vocabulary import literal_text
from raspl.synthesis import balances, maps, selectors
from raspl.synthesis.components import NEXT, Rule
from raspl.synthesis.maps import each
from raspl.synthesis.scalars import binary, plus, table_function

if TYPE_CHECKING:  # it reads this catalogue
    from raspl.synthesis.graphs import Maker

NAMES = {"==": "equals", "<": "lt", ">": "gt"}


@dataclass(frozen=True)
class MapComponent:
    """A leaf or a map."""

    node: Callable[[Maker, Rule, Sequence[Node]], Node]
    """The node of the language that it stands for, given those of its operands."""
    text: Callable[[Rule, Sequence[str]], str]
    """How it is written, given the names of its operands."""
    candidates: maps.Candidates = maps.nothing


@dataclass(frozen=True)
class SelectorComponent:
    """The selector of a head."""

    node: Callable[[Maker, Rule, Sequence[Node]], Select]
    text: Callable[[Rule, Sequence[str]], tuple[str, str, str]]
    """Keys, queries and predicate."""
    candidates: selectors.Candidates = selectors.nothing


def shifted(value: str, number: int) -> str:
    """A value plus a literal, as text."""
    return value if number == 0 else f"{value} {'+' if number > 0 else '-'} {abs(number)}"


def _extreme(rule: Rule, value: str) -> str:
    return f"{'maximum' if rule.extreme == 'max' else 'minimum'}({value})"


def _unary(body: Callable[[Rule], Expr]) -> Callable[[Maker, Rule, Sequence[Node]], Node]:
    """The node of a scalar function of one value."""
    return lambda make, rule, args: TokMap.build(make.site, x=args[0], func=Fn(1, body(rule)))


def _seq_map(func: Callable[[Rule], Fn]) -> Callable[[Maker, Rule, Sequence[Node]], Node]:
    return lambda make, rule, args: SeqMap.build(make.site, x=args[0], y=args[1], func=func(rule))


def _replacement(rule: Rule) -> Expr:
    old, new = rule.literals
    return Op("if", (Op("==", (Var(0), Lit(old))), Lit(new), Var(0)))


def _table(make: Maker, rule: Rule, args: Sequence[Node]) -> Node:
    func = table_function(rule)
    if len(args) == 1:
        return TokMap.build(make.site, x=args[0], func=func)
    return SeqMap.build(make.site, x=args[0], y=args[1], func=func)


def _table_text(rule: Rule, args: Sequence[str]) -> str:
    called, names = ("tok_map", "t") if len(args) == 1 else ("seq_map", "ab")
    return f"{called}({', '.join(args)}, {table_function(rule).show(names)})"


def _balance(make: Maker, rule: Rule, args: Sequence[Node]) -> Node:
    everything = make.select(make.tokens, make.tokens, Fn(2, Lit(1)))
    weights = TokMap.build(make.site, x=make.tokens, func=table_function(rule))
    mean = Aggr.build(make.site, s=everything, v=weights, default=0, reduction="mean")
    return TokMap.build(make.site, x=mean, func=Fn(1, Op(">", (Var(0), Lit(0)))))


def _self(make: Maker, rule: Rule, args: Sequence[Node]) -> Select:
    if rule.op == NEXT:
        return make.select(args[0], make.shifted(args[0], 1), comparison("=="))
    return make.select(args[0], args[0], comparison(rule.op))


def _self_text(rule: Rule, args: Sequence[str]) -> tuple[str, str, str]:
    if rule.op == NEXT:
        return args[0], f"{args[0]} + 1", "equals"
    return args[0], args[0], NAMES[rule.op]


def _lookup(make: Maker, rule: Rule, args: Sequence[Node]) -> Select:
    (offset,) = rule.literals
    query = args[0] if offset == 0 else make.shifted(args[0], offset)
    return make.select(make.indices(), query, comparison("=="))


MAPS: Rules[str, MapComponent] = Rules(
    "the search (maps)",
    {
        "literal": MapComponent(
            node=lambda make, rule, args: make.full(rule.literals[0]),
            text=lambda rule, args: f"full(x, {literal_text(rule.literals[0])})",
        ),
        "none": MapComponent(
            node=lambda make, rule, args: make.full(None),
            text=lambda rule, args: "full(x, None)",
        ),
        "indices": MapComponent(
            node=lambda make, rule, args: make.indices(),
            text=lambda rule, args: "indices(x)",
        ),
        "truth": MapComponent(  # a truth value as an integer: see `Bank.close`
            node=lambda make, rule, args: args[0],
            text=lambda rule, args: args[0],
        ),
        "compare": MapComponent(
            candidates=each(maps.comparisons, maps.compared),
            node=_unary(lambda rule: Op(rule.op, (Var(0), Lit(rule.literals[0])))),
            text=lambda rule, args: f"{args[0]} {rule.op} {literal_text(rule.literals[0])}",
        ),
        "replace": MapComponent(
            candidates=each(maps.replacements, maps.replaced_values),
            node=_unary(_replacement),
            text=lambda rule, args: f"tok_map({args[0]}, {Fn(1, _replacement(rule)).show('t')})",
        ),
        "plus": MapComponent(
            candidates=each(maps.steps_of("plus", "Int"), maps.stepped),
            node=_unary(lambda rule: plus(rule.literals[0])),
            text=lambda rule, args: shifted(args[0], rule.literals[0]),
        ),
        "not": MapComponent(
            candidates=each(lambda scope: [Rule("not", "Bool", ("Bool",))], lambda rule, x: 1 - x),
            node=_unary(lambda rule: Op("not", (Var(0),))),
            text=lambda rule, args: f"~{args[0]}",
        ),
        "successor": MapComponent(
            candidates=each(maps.steps_of("successor", "Index"), maps.succeeded),
            node=_unary(lambda rule: plus(rule.literals[0])),
            text=lambda rule, args: shifted(args[0], rule.literals[0]),
        ),
        "map": MapComponent(
            candidates=maps.products,
            node=_seq_map(lambda rule: binary(rule.op)),
            text=lambda rule, args: f"{args[0]} {rule.op} {args[1]}",
        ),
        "peak": MapComponent(
            candidates=maps.peaks,
            node=lambda make, rule, args: SeqMap.build(
                make.site,
                x=args[0],
                y=make.extreme(args[0], rule.extreme),
                func=comparison(rule.op),
            ),
            text=lambda rule, args: f"{args[0]} {rule.op} {_extreme(rule, args[0])}",
        ),
        "where": MapComponent(
            candidates=maps.choices,
            node=lambda make, rule, args: Where.build(make.site, c=args[0], a=args[1], b=args[2]),
            text=lambda rule, args: f"where({', '.join(args)})",
        ),
        "balance": MapComponent(
            candidates=balances.balances,
            node=_balance,
            text=lambda rule, args: (
                f"kqv(x, x, tok_map(x, {table_function(rule).show('t')}), lambda k, q: True) > 0"
            ),
        ),
        "table": MapComponent(node=_table, text=_table_text),  # at the output: see `tables`
    },
)
SELECTORS: Rules[str, SelectorComponent] = Rules(
    "the search (selectors)",
    {
        "all": SelectorComponent(
            candidates=selectors.everything,
            node=lambda make, rule, args: make.select(make.tokens, make.tokens, Fn(2, Lit(1))),
            text=lambda rule, args: ("x", "x", "lambda k, q: True"),
        ),
        "extreme": SelectorComponent(
            candidates=selectors.extremes,
            node=lambda make, rule, args: make.select(
                args[0], make.extreme(args[0], rule.extreme), comparison("==")
            ),
            text=lambda rule, args: (args[0], _extreme(rule, args[0]), "equals"),
        ),
        "gate": SelectorComponent(
            candidates=selectors.gates,
            node=lambda make, rule, args: make.select(
                make.full(rule.literals[0]), args[0], comparison(rule.op)
            ),
            text=lambda rule, args: (
                f"full(x, {literal_text(rule.literals[0])})", args[0], NAMES[rule.op],
            ),
        ),
        "self": SelectorComponent(candidates=selectors.selves, node=_self, text=_self_text),
        "true_key": SelectorComponent(
            candidates=selectors.true_keys,
            node=lambda make, rule, args: make.select(args[0], args[0], Fn(2, Var(0))),
            text=lambda rule, args: (args[0], args[0], "lambda k, q: k"),
        ),
        "pair": SelectorComponent(
            candidates=selectors.pairs,
            node=lambda make, rule, args: make.select(args[0], args[1], comparison(rule.op)),
            text=lambda rule, args: (args[0], args[1], NAMES[rule.op]),
        ),
        "back": SelectorComponent(
            node=lambda make, rule, args: make.select(
                make.shifted(make.indices(), rule.literals[0]), make.indices(), comparison("==")
            ),
            text=lambda rule, args: (
                shifted("indices(x)", rule.literals[0]), "indices(x)", "equals",
            ),
        ),
        "lookup": SelectorComponent(
            node=_lookup,
            text=lambda rule, args: ("indices(x)", shifted(args[0], rule.literals[0]), "equals"),
        ),
    },
)  # fmt: skip
