"""What programs written as text are made of, and what each part means, without any of raspl."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from types import CodeType

Value = int | None
Columns = dict[str, list[Value]]
Outcome = list[Value] | tuple[str, int, int]
"""The value at every position, or the code, the position and the line of a failure."""
At = Callable[[int, Columns], Value]
Kind = tuple[str, int]
"""Int, Bool or Index, which have the family 0; or Count, of which each has its own."""
INT, BOOL, INDEX = ("Int", 0), ("Bool", 0), ("Index", 0)
COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
WORDS = {"equals": "==", "lt": "<", "leq": "<=", "gt": ">", "geq": ">="}


FUNCTIONS = {"__builtins__": {"abs": abs, "min": min, "max": max, "int": int}}


class Failed(Exception):
    """An operation fails; its argument is the code of the rule."""


@dataclass(frozen=True)
class Term:
    """An expression: its text, its value at a position, and the names that it mentions."""

    text: str
    at: At
    kind: Kind
    names: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Scalar:
    """The body of a lambda over `a` and `b`: as RASP-L, and as Python has it."""

    text: str
    python: str
    is_truth: bool


def named(name: str, kind: Kind) -> Term:
    """A name that was given a value before."""
    return Term(name, lambda i, c: c[name][i], kind, frozenset({name}))


def as_int(value: Value) -> int:
    assert value is not None
    return value


def evaluated(code: CodeType, arguments: dict[str, Value]) -> int:
    """The value of a scalar function by Python itself, which is what RASP-L promises."""
    try:
        return int(eval(code, dict(FUNCTIONS), arguments))
    except ZeroDivisionError:
        raise Failed("R402") from None


def random_literal(rng: Random) -> int:
    return rng.choice((-90, -3, -2, -1, 0, 1, 1, 2, 2, 3, 5, 7, 10, 60, 100))


def random_scalar(rng: Random, names: dict[str, bool], depth: int) -> Scalar:
    """Of names, of which some are truth values."""
    if not depth or rng.random() < 0.2:
        if rng.random() < 0.3:
            text = str(random_literal(rng))
            return Scalar(f"({text})", f"({text})", False)
        name = rng.choice(list(names))
        return Scalar(name, name, names[name])
    a, b, c = (random_scalar(rng, names, depth - 1) for _ in range(3))
    both = a.is_truth and b.is_truth
    match rng.randrange(9):
        case 0 | 1:
            op = rng.choice(list(COMPARISONS))
            return Scalar(f"({a.text} {op} {b.text})", f"int({a.python} {op} {b.python})", True)
        case 2:
            op = rng.choice(("and", "or"))
            return Scalar(f"({a.text} {op} {b.text})", f"({a.python} {op} {b.python})", both)
        case 3:
            return Scalar(f"(not {a.text})", f"int(not {a.python})", True)
        case 4 if a.is_truth:
            return Scalar(f"(~{a.text})", f"int(not {a.python})", True)
        case 5:
            python = f"({a.python} if {c.python} else {b.python})"
            return Scalar(f"({a.text} if {c.text} else {b.text})", python, both)
        case 6:
            op = rng.choice(("min", "max"))
            return Scalar(f"{op}({a.text}, {b.text})", f"{op}({a.python}, {b.python})", both)
        case 7:
            return Scalar(f"abs(-{a.text})", f"abs(-{a.python})", False)
    op = rng.choice(("+", "-", "*", "//", "%"))
    return Scalar(f"({a.text} {op} {b.text})", f"({a.python} {op} {b.python})", False)
