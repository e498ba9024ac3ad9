"""A Python function of integers as a scalar function of RASP-L, found by calling it.

At a prompt a lambda has no source text. So it is called with symbols in place of integers. Whatever
it calculates with them is a tree of operators. Where it asks whether one is true (`and`, `if`,
`in`, a chained comparison), it is called once for each answer, and the results become branches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from raspl.errors import RasplError
from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var
from raspl.language.vocabulary import Vocabulary

MOST_BRANCHES = 256
"""Paths through a function: more than this is no function that anyone wrote."""


class Symbol:
    """An integer that is not known yet."""

    def __init__(self, expr: Expr, path: Path) -> None:
        self._expr = expr
        self._path = path

    def __bool__(self) -> bool:
        return self._path.decide(self._expr)

    def __hash__(self) -> int:
        return hash(self._expr)

    def _apply(self, name: str, *others: Any, swapped: bool = False) -> Any:
        sides = [self, *others]
        parts = [self._path.expr(each) for each in (reversed(sides) if swapped else sides)]
        if any(part is None for part in parts):
            return NotImplemented
        return Symbol(Op(name, tuple(part for part in parts if part is not None)), self._path)

    def __neg__(self) -> Any:
        return self._apply("neg")

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Any:
        return self._apply("abs")

    def __invert__(self) -> Any:
        raise RasplError("`~` of an integer could mean two things: write `not a`")


def _operator(name: str, swapped: bool = False) -> Callable[[Symbol, Any], Any]:
    return lambda self, other: self._apply(name, other, swapped=swapped)


for _name, _sign in {
    "add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "and": "&", "or": "|",
    "xor": "^",
}.items():  # fmt: skip
    setattr(Symbol, f"__{_name}__", _operator(_sign))
    setattr(Symbol, f"__r{_name}__", _operator(_sign, swapped=True))
for _name, _sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Symbol, f"__{_name}__", _operator(_sign))


class Path:
    """The answers to the questions that one call asks: those of an earlier call, then yes."""

    def __init__(self, answers: list[bool], vocabulary: Vocabulary | None) -> None:
        self.asked: list[Expr] = []
        self.answers = answers
        self._vocabulary = vocabulary

    def decide(self, expr: Expr) -> bool:
        if len(self.asked) == len(self.answers):
            self.answers.append(True)
        self.asked.append(expr)
        return self.answers[len(self.asked) - 1]

    def expr(self, value: Any) -> Expr | None:
        """What a value computes: a symbol's tree, an integer, the token of a name."""
        if isinstance(value, Symbol):
            return value._expr
        if isinstance(value, str) and self._vocabulary is not None:
            token = self._vocabulary.token(value)
            return None if token is None else Lit(token)
        return Lit(int(value)) if isinstance(value, bool | int) else None


def traced(function: Callable[..., Any], arity: int, vocabulary: Vocabulary | None) -> Fn:
    """The scalar function that a Python function computes."""
    calls: list[int] = []

    def explore(answers: list[bool]) -> Expr:
        calls.append(1)
        if len(calls) > MOST_BRANCHES:
            raise RasplError(f"this function has more than {MOST_BRANCHES} branches")
        path = Path(list(answers), vocabulary)
        result = path.expr(_called(function, [Symbol(Var(i), path) for i in range(arity)]))
        if result is None:
            raise RasplError("a function of a map or a select returns an integer")
        # From the last question back: the answer was yes, and what if it is no?
        for number in range(len(path.asked) - 1, len(answers) - 1, -1):
            other = explore([*path.answers[:number], False])
            result = Op("if", (path.asked[number], result, other))
        return result

    return Fn(arity, explore([]))


def _called(function: Callable[..., Any], arguments: list[Symbol]) -> Any:
    try:
        return function(*arguments)
    except TypeError as error:
        raise RasplError(f"this function can't be read: {error}") from None
