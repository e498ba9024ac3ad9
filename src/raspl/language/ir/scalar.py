"""Scalar functions: what a lambda in a map or a select computes at one position.

A function of bounded integers is a finite table, so any expression is allowed. Here it is a tree
of literals, parameters and operators, independent of Python's syntax, that can be compared,
printed and evaluated.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from raspl.language.vocabulary import Token, literal_text


@dataclass(frozen=True, slots=True)
class Lit:
    """An integer, which may be a token that was written by its name."""

    value: int


@dataclass(frozen=True, slots=True)
class Var:
    """The index-th parameter of the function."""

    index: int


@dataclass(frozen=True, slots=True)
class Op:
    """An operator from `OPERATORS` applied to expressions."""

    name: str
    args: tuple[Expr, ...]


Expr = Lit | Var | Op


@dataclass(frozen=True, slots=True)
class Operator:
    """How an operator is computed and printed, and when its result is a truth value."""

    apply: Callable[..., int]
    template: str
    truth: str
    """'always', 'never', or 'args': a truth value if all the arguments that can be results are."""


def _both(a: int, b: int) -> int:
    return b if a else a


def _either(a: int, b: int) -> int:
    return a if a else b


OPERATORS: dict[str, Operator] = {
    "+": Operator(operator.add, "({} + {})", "never"),
    "-": Operator(operator.sub, "({} - {})", "never"),
    "*": Operator(operator.mul, "({} * {})", "args"),
    "//": Operator(operator.floordiv, "({} // {})", "never"),
    "%": Operator(operator.mod, "({} % {})", "never"),
    "==": Operator(operator.eq, "({} == {})", "always"),
    "!=": Operator(operator.ne, "({} != {})", "always"),
    "<": Operator(operator.lt, "({} < {})", "always"),
    "<=": Operator(operator.le, "({} <= {})", "always"),
    ">": Operator(operator.gt, "({} > {})", "always"),
    ">=": Operator(operator.ge, "({} >= {})", "always"),
    "&": Operator(operator.and_, "({} & {})", "args"),
    "|": Operator(operator.or_, "({} | {})", "args"),
    "^": Operator(operator.xor, "({} ^ {})", "args"),
    "neg": Operator(operator.neg, "(-{})", "never"),
    "and": Operator(_both, "({} and {})", "args"),
    "or": Operator(_either, "({} or {})", "args"),
    "not": Operator(operator.not_, "(not {})", "always"),
    "if": Operator(lambda c, a, b: a if c else b, "({1} if {0} else {2})", "args"),
    "abs": Operator(abs, "abs({})", "args"),
    "min": Operator(min, "min({}, {})", "args"),
    "max": Operator(max, "max({}, {})", "args"),
}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def is_truth(expr: Expr, truth_params: Sequence[bool]) -> bool:
    """Whether an expression can only be 0 or 1, given which parameters are."""
    if isinstance(expr, Lit):
        return expr.value in (0, 1) and not isinstance(expr.value, Token)
    if isinstance(expr, Var):
        return truth_params[expr.index]
    kind = OPERATORS[expr.name].truth
    results = expr.args[1:] if expr.name == "if" else expr.args
    return kind == "always" or (kind == "args" and all(is_truth(a, truth_params) for a in results))


def _used(expr: Expr) -> frozenset[int]:
    if isinstance(expr, Var):
        return frozenset({expr.index})
    if isinstance(expr, Op):
        return frozenset().union(*map(_used, expr.args))
    return frozenset()


def _results(expr: Expr) -> Iterator[Expr]:
    """What an expression chooses between by `if`."""
    if isinstance(expr, Op) and expr.name == "if":
        for branch in expr.args[1:]:
            yield from _results(branch)
    else:
        yield expr


@dataclass(frozen=True, slots=True)
class Fn:
    """A scalar function of one or two integers. Equal functions have equal trees."""

    arity: int
    body: Expr

    def __call__(self, *args: int) -> int:
        """The value at one position; raises ZeroDivisionError as Python does."""
        return int(_compiled(self.body)(args))

    def __str__(self) -> str:
        return self.show("ab"[: self.arity])

    def show(self, params: Sequence[str]) -> str:
        """The lambda as source text, with these names for its parameters."""
        return f"lambda {', '.join(params)}: {self.formula(params)}"

    def formula(self, params: Sequence[str] = "ab") -> str:
        """The body as source text."""
        text = show(self.body, params)
        is_wrapped = isinstance(self.body, Op) and text.startswith("(")
        return text[1:-1] if is_wrapped else text

    @property
    def used(self) -> frozenset[int]:
        """Which parameters the value can depend on."""
        return _used(self.body)

    @property
    def handed_on(self) -> frozenset[int]:
        """The parameters that it hands on as they are, if it calculates nothing else."""
        results = set(_results(self.body))
        if any(isinstance(result, Op) for result in results):
            return frozenset()
        return frozenset(result.index for result in results if isinstance(result, Var))

    @property
    def comparison(self) -> str | None:
        """The operator if this is a bare comparison `first OP second`, in either order."""
        body = self.body
        if isinstance(body, Op) and body.name in COMPARISONS:
            if body.args == (Var(0), Var(1)):
                return body.name
            if body.args == (Var(1), Var(0)):
                return MIRRORED[body.name]
        return None

    @property
    def shift(self) -> int | None:
        """The literal c if this is `parameter + c` or `parameter - c`."""
        body = self.body
        if body == Var(0):
            return 0
        if isinstance(body, Op) and body.name in ("+", "-"):
            left, right = body.args
            if left == Var(0) and isinstance(right, Lit):
                return right.value if body.name == "+" else -right.value
            if right == Var(0) and isinstance(left, Lit) and body.name == "+":
                return left.value
        return None

    @property
    def constant(self) -> int | None:
        """The value if the body is a literal."""
        return self.body.value if isinstance(self.body, Lit) else None

    def is_truth(self, truth_params: Sequence[bool]) -> bool:
        """Whether the value can only be 0 or 1, given which parameters are."""
        return is_truth(self.body, truth_params)


def comparison(op: str) -> Fn:
    """The predicate `first OP second`."""
    return Fn(2, Op(op, (Var(0), Var(1))))


COMPARISON_NAMES = {"equals": "==", "leq": "<=", "lt": "<", "geq": ">=", "gt": ">"}
NAMED: dict[str, Fn] = {
    **{name: comparison(op) for name, op in COMPARISON_NAMES.items()},
    "abs": Fn(1, Op("abs", (Var(0),))),
    "min": Fn(2, Op("min", (Var(0), Var(1)))),
    "max": Fn(2, Op("max", (Var(0), Var(1)))),
}
"""Scalar functions that have a name: the comparisons of RASP-L, and three of Python's."""


def show(expr: Expr, params: Sequence[str]) -> str:
    """Source text of an expression, in parentheses unless it is a name or a number."""
    if isinstance(expr, Lit):
        return literal_text(expr.value)
    if isinstance(expr, Var):
        return params[expr.index]
    return OPERATORS[expr.name].template.format(*(show(a, params) for a in expr.args))


@lru_cache(maxsize=4096)
def _compiled(expr: Expr) -> Callable[[tuple[int, ...]], int]:
    """A closure that evaluates the tree; building it once saves the walk at each position."""
    if isinstance(expr, Lit):
        value = expr.value
        return lambda args: value
    if isinstance(expr, Var):
        index = expr.index
        return lambda args: args[index]
    if expr.name in ("and", "or", "if"):
        return _compiled_lazy(expr)
    apply = OPERATORS[expr.name].apply
    parts = [_compiled(arg) for arg in expr.args]
    if len(parts) == 1:
        only = parts[0]
        return lambda args: apply(only(args))
    left, right = parts
    return lambda args: apply(left(args), right(args))


def _compiled_lazy(expr: Op) -> Callable[[tuple[int, ...]], int]:
    """As in Python, the part of `and`, `or` and `if` that is not reached is not evaluated."""
    first, second, *rest = (_compiled(arg) for arg in expr.args)
    if expr.name == "and":
        return lambda args: second(args) if first(args) else first(args)
    if expr.name == "or":
        return lambda args: first(args) or second(args)
    (third,) = rest
    return lambda args: second(args) if first(args) else third(args)
