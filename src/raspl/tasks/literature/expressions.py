"""Arithmetic modulo 5 with brackets: expressions of a length, and their values."""

from collections.abc import Iterator, Sequence

import numpy as np

MODULUS = 5
DIGITS = [str(digit) for digit in range(MODULUS)]


def expression(rng: np.random.Generator, length: int, operators: str) -> list[str]:
    """A random expression of so many tokens."""
    if length <= 4:
        digit = DIGITS[int(rng.integers(MODULUS))]
        made = [digit] if length % 2 else ["-", digit]
        return ["(", *made, ")"] if length > 2 else made
    left = int(rng.integers(1, length - 3))
    operator = operators[int(rng.integers(len(operators)))]
    return [
        "(",
        *expression(rng, left, operators),
        operator,
        *expression(rng, length - 3 - left, operators),
        ")",
    ]


def value(tokens: Sequence[str]) -> int:
    """An expression's value, by the usual precedence."""
    rest = iter([*tokens, ""])
    state = [next(rest)]
    return _sum(state, rest) % MODULUS


def _sum(now: list[str], rest: Iterator[str]) -> int:
    total = _product(now, rest)
    while now[0] in ("+", "-"):
        sign = 1 if now[0] == "+" else -1
        now[0] = next(rest)
        total += sign * _product(now, rest)
    return total


def _product(now: list[str], rest: Iterator[str]) -> int:
    total = _factor(now, rest)
    while now[0] == "*":
        now[0] = next(rest)
        total *= _factor(now, rest)
    return total


def _factor(now: list[str], rest: Iterator[str]) -> int:
    token = now[0]
    now[0] = next(rest)
    if token == "-":
        return -_factor(now, rest)
    if token == "(":
        inner = _sum(now, rest)
        now[0] = next(rest)  # the closing bracket
        return inner
    return int(token)
