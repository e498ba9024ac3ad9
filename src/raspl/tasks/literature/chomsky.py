"""The fifteen tasks of Delétang et al., in a causal format."""

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from types import MappingProxyType

import numpy as np

from raspl.tasks.literature.expressions import DIGITS, MODULUS, expression, value
from raspl.tasks.literature.strings import bits, letters
from raspl.tasks.task import Task

Prompt = Sequence[str]
POP, PUSH_0, PUSH_1 = "pop", "push0", "push1"


def even_pairs(name: str) -> Task:
    return Task.from_solver(
        name,
        "01",
        bits,
        lambda x: str(int(x[0] != x[-1])),
        about="whether the number of adjacent unequal bits is odd",
    )


def modular_arithmetic(name: str) -> Task:
    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        half = (length + 1) // 2
        made = letters(rng, DIGITS, 1)
        for digit, operator in zip(
            letters(rng, DIGITS, half - 1), letters(rng, "+-*", half - 1), strict=True
        ):
            made += [operator, digit]
        return made

    return Task.from_solver(
        name,
        [*DIGITS, *"+-*"],
        prompts,
        lambda x: str(value(x)),
        about="the value modulo 5, without brackets",
    )


def parity_check(name: str) -> Task:
    return Task.from_solver(
        name, "01", bits, lambda x: str(x.count("1") % 2), about="the number of ones modulo 2"
    )


def cycle_navigation(name: str) -> Task:
    return Task.from_solver(
        name,
        DIGITS,
        lambda rng, length: letters(rng, "012", length),
        lambda x: str(sum(int(step) - 1 for step in x) % MODULUS),
        about="where steps 0 (back), 1 (stay) and 2 (on) lead on a cycle of 5",
    )


def stack_manipulation(name: str) -> Task:
    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        size = int(rng.integers(1, length))
        return [*bits(rng, size), *letters(rng, (POP, PUSH_0, PUSH_1), length - size)]

    def solve(prompt: Prompt) -> list[str]:
        stack: list[str] = []
        for token in prompt:
            if token != POP:
                stack.append(token.removeprefix("push"))
            elif stack:
                stack.pop()
        return stack[::-1]

    return Task.from_solver(
        name,
        ("0", "1", POP, PUSH_0, PUSH_1),
        prompts,
        solve,
        about="the stack after some actions, from its top",
        shortest=2,
    )


def reverse_string(name: str) -> Task:
    return Task.from_solver(name, "01", bits, lambda x: x[::-1], about="the string backwards")


def modular_arithmetic_brackets(name: str) -> Task:
    return Task.from_solver(
        name,
        [*DIGITS, *"+-*()"],
        lambda rng, length: expression(rng, length, "+-*"),
        lambda x: str(value(x)),
        about="the value modulo 5",
    )


def solve_equation(name: str) -> Task:
    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        made = expression(rng, length - 2, "+-")
        result = str(value(made))
        made[int(rng.choice([at for at, one in enumerate(made) if one in DIGITS]))] = "x"
        return [*made, "=", result]

    def solve(prompt: Prompt) -> list[str]:
        *left, _, result = prompt
        return [
            digit
            for digit in DIGITS
            if str(value([digit if one == "x" else one for one in left])) == result
        ]

    return Task.from_solver(
        name,
        [*DIGITS, *"+-()x="],
        prompts,
        solve,
        about="the digit that x stands for, modulo 5",
        shortest=3,
    )


def duplicate_string(name: str) -> Task:
    return Task.from_solver(name, "01", bits, lambda x: [*x, *x], about="the string twice")


def missing_duplicate(name: str) -> Task:
    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        made = 2 * bits(rng, length // 2)
        made[int(rng.integers(len(made)))] = "?"
        return [*made, *["."] * (length % 2)]

    def solve(prompt: Prompt) -> list[str]:
        twice = [one for one in prompt if one != "."]
        hole, half = twice.index("?"), len(twice) // 2
        return [twice[(hole + half) % len(twice)]]

    return Task.from_solver(
        name,
        "01?.",
        prompts,
        solve,
        about="the bit that is missing from a string written twice",
        shortest=2,
    )


def odds_first(name: str) -> Task:
    return Task.from_solver(
        name, "01", bits, lambda x: [*x[1::2], *x[::2]], about="every second bit, then the others"
    )


def least_first(number: int) -> list[str]:
    return list(f"{number:b}"[::-1])


def number_of(digits: Prompt) -> int:
    return int("".join(digits)[::-1], 2)


def two_numbers(rng: np.random.Generator, length: int, between: str) -> list[str]:
    """Two binary numbers from 1 on, least significant bit first, filled up with zeros."""
    first = int(rng.integers(1, length - 1))
    made: list[list[str]] = []
    while len(made) < 2:
        digits = bits(rng, (first, length - 1 - first)[len(made)])
        if "1" in digits:
            made.append(digits)
    return [*made[0], between, *made[1]]


def of_two_numbers(name: str, sign: str, about: str, compute: Callable[[int, int], int]) -> Task:
    def solve(prompt: Prompt) -> list[str]:
        at = list(prompt).index(sign)
        return least_first(compute(number_of(prompt[:at]), number_of(prompt[at + 1 :])))

    return Task.from_solver(
        name,
        f"01{sign}",
        lambda rng, length: two_numbers(rng, length, sign),
        solve,
        about=about,
        shortest=3,
    )


def binary_addition(name: str) -> Task:
    about = "the sum, least significant bit first"
    return of_two_numbers(name, "+", about, lambda a, b: a + b)


def binary_multiplication(name: str) -> Task:
    about = "the product, least significant bit first"
    return of_two_numbers(name, "*", about, lambda a, b: a * b)


def compute_sqrt(name: str) -> Task:
    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        while "1" not in (drawn := bits(rng, length)):
            pass
        return drawn

    def solve(prompt: Prompt) -> list[str]:
        size = (len(prompt) + 1) // 2
        return list(f"{isqrt(int(''.join(prompt), 2)):0{size}b}")

    return Task.from_solver(
        name, "01", prompts, solve, about="the square root, rounded down, in binary"
    )


def bucket_sort(name: str) -> Task:
    return Task.from_solver(
        name,
        DIGITS,
        lambda rng, length: letters(rng, DIGITS, length),
        sorted,
        about="the digits in ascending order",
    )


CHOMSKY: Mapping[str, Callable[[str], Task]] = MappingProxyType(
    {
        make.__name__: make
        for make in (
            even_pairs,
            modular_arithmetic,
            parity_check,
            cycle_navigation,
            stack_manipulation,
            reverse_string,
            modular_arithmetic_brackets,
            solve_equation,
            duplicate_string,
            missing_duplicate,
            odds_first,
            binary_addition,
            binary_multiplication,
            compute_sqrt,
            bucket_sort,
        )
    }
)
