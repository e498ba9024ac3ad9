"""Rules and terms: what the search puts together, and what it costs.

The cost of a program is one for every map and one for every head; the tokens, the indices and
literals are free, and so are the scalar functions, predicates, offsets and defaults below. A
component that uses one value twice (the argmax of a count, say) pays for that value once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["Int", "Bool", "Index", "Count"]

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
    """Its entry in the catalogue: of a head, that of its selector."""
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
    """Of a `table`, and of the weights of a `balance`: operands and output, where that is not
    `default`, or the operand itself if `op` is SAME."""

    @property
    def is_head(self) -> bool:
        return bool(self.reduction)

    @property
    def cost(self) -> int:
        if self.name in FREE:
            return 0
        if self.name == "table":
            return max(1, len(self.entries))
        if self.name == "balance":
            return 2 + len(self.entries)
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
