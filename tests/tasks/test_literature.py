"""The literature's tasks, each by a second definition that is as plain as can be."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import pytest

from raspl.tasks import TaskError, find
from raspl.tasks.literature.finite_state import FINITE_STATE

AHEAD = 4
"""Symbols to the next end of a word, at most, in the languages that are tried out."""


def no_odd_blocks(word: str) -> bool:
    """No odd block of 1s that an odd block of 0s follows later."""
    blocks = re.findall("0+|1+", word)
    odd = [block[0] for block in blocks if len(block) % 2]
    return "10" not in "".join(odd)


WORDS: dict[str, Callable[[str], bool]] = {
    **{
        name: lambda word, regex=regex: re.fullmatch(regex, word) is not None  # type: ignore[misc]  # a default
        for name, regex in {
            "tomita_1": "1*",
            "tomita_2": "(10)*",
            "tomita_7": "0*1*0*1*",
            "d_2": "(a(ab)*b)*",
            "d_3": "(a(a(ab)*b)*b)*",
            "d_4": "(a(a(a(ab)*b)*b)*b)*",
            "five_blocks": "a+b+c+d+e+",
            "ab_d_bc": "[ab]*d[bc]*",
            "aa": "(aa)*",
            "aaaa": "(aaaa)*",
            "abab": "(abab)*",
        }.items()
    },
    "tomita_3": no_odd_blocks,
    "tomita_4": lambda word: "000" not in word,
    "tomita_5": lambda word: word.count("0") % 2 == 0 == word.count("1") % 2,
    "tomita_6": lambda word: (word.count("0") - word.count("1")) % 3 == 0,
}


def drawn(name: str, length: int, number: int = 20) -> list[tuple[list[str], list[str]]]:
    """What is asked in examples, and what is wanted."""
    task = find(name)
    examples = task.examples(np.random.default_rng(length), np.full(number, length)).left_aligned()
    return [pair for row in range(number) for pair in task.questions(examples, row)]


@pytest.mark.parametrize("name", WORDS)
def test_the_label_is_the_set_of_what_may_come_next(name: str) -> None:
    is_word, symbols = WORDS[name], find(f"huang:{name}").symbols
    endings = ["".join(end) for size in range(AHEAD + 1) for end in product(symbols, repeat=size)]
    found = {"".join(prefix): label for prefix, label in drawn(f"huang:{name}", 9)}
    for prefix, label in list(found.items())[:40]:
        possible = [one for one in symbols if any(is_word(prefix + one + end) for end in endings)]
        expected = ",".join([*possible, *(["#"] if is_word(prefix) else [])])
        assert label == [f"{{{expected}}}"], prefix


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("length", [12, 49])
def test_what_is_drawn_are_words_of_about_the_length(name: str, length: int) -> None:
    task = find(f"huang:{name}")
    examples = task.examples(np.random.default_rng(0), np.full(20, length))
    for row in examples.tokens:
        word = "".join(task.names(row)[1:])
        assert WORDS[name](word)
        assert abs(len(word) - length) <= 2


def test_deep_brackets() -> None:
    for prefix, label in drawn("huang:d_12", 40):
        depth = prefix.count("a") - prefix.count("b")
        assert 0 <= depth <= 12
        assert label == [{0: "{a,#}", 12: "{b}"}.get(depth, "{a,b}")]


def test_the_language_with_labels_of_its_own() -> None:
    for prefix, label in drawn("huang:ends_in_02", 12):
        ends = re.search("02+$", "".join(prefix)) is not None
        assert label == ["e" if ends else "c"]


def value(expression: list[str]) -> int:
    return int(eval(" ".join(expression))) % 5  # of digits and signs that our sampler drew


def most_common(prompt: list[str]) -> str:
    (first, times), *others = Counter(prompt).most_common()
    assert all(times > other for _, other in others)
    return first


ANSWERS: dict[str, Callable[[list[str]], object]] = {
    "huang:binary_majority": most_common,
    "huang:majority": most_common,
    "huang:binary_majority_interleave": lambda x: [most_common(x[at::3]) for at in range(3)],
    "huang:sort": lambda x: [str(number) for number in sorted(map(int, x))],
    "huang:copy_unique": lambda x: x if len(set(x)) == len(x) else None,
    "huang:copy_repeat": lambda x: x,
    "huang:parity": lambda x: "o" if sum(map(int, x)) % 2 else "e",
    "huang:addition": lambda x: bin(sum(int(one, 2) for one in "".join(x).rstrip("=").split("+")))[
        2:
    ],
    "chomsky:even_pairs": lambda x: str(sum(a != b for a, b in pairwise(x)) % 2),
    "chomsky:modular_arithmetic": lambda x: str(value(x)),
    "chomsky:parity_check": lambda x: str(sum(map(int, x)) % 2),
    "chomsky:cycle_navigation": lambda x: str((sum(map(int, x)) - len(x)) % 5),
    "chomsky:reverse_string": lambda x: list(reversed(x)),
    "chomsky:modular_arithmetic_brackets": lambda x: str(value(x)),
    "chomsky:duplicate_string": lambda x: x + x,
    "chomsky:odds_first": lambda x: [
        *(one for at, one in enumerate(x) if at % 2),
        *(one for at, one in enumerate(x) if not at % 2),
    ],
    "chomsky:bucket_sort": lambda x: "".join(digit * x.count(digit) for digit in "01234"),
}


@pytest.mark.parametrize("name", ANSWERS)
@pytest.mark.parametrize("length", [4, 11, 30])
def test_answers_by_a_second_definition(name: str, length: int) -> None:
    for prompt, answer in drawn(name, length):
        expected = ANSWERS[name](prompt)
        assert isinstance(expected, str | list)
        assert answer == list(expected)
        about_right = {"huang:binary_majority_interleave": 2, "chomsky:modular_arithmetic": 1}
        assert abs(len(prompt) - length) <= about_right.get(name, 0)


@pytest.mark.parametrize("length", [5, 14])
def test_answers_that_can_be_checked(length: int) -> None:
    """A solution put in, numbers multiplied out, a stack run backwards."""
    for prompt, (digit,) in drawn("chomsky:solve_equation", length):
        left = [digit if one == "x" else one for one in prompt[:-2]]
        assert value(left) == int(prompt[-1])
    for name, sign in (("binary_addition", "+"), ("binary_multiplication", "*")):
        for prompt, answer in drawn(f"chomsky:{name}", length):
            a, b = "".join(prompt).split(sign)
            result = eval(f"{int(a[::-1], 2)} {sign} {int(b[::-1], 2)}")  # two numbers of ours
            assert int("".join(answer)[::-1], 2) == result
            assert answer[-1] == "1"
    for prompt, answer in drawn("chomsky:compute_sqrt", length):
        root, number = int("".join(answer), 2), int("".join(prompt), 2)
        assert root**2 <= number < (root + 1) ** 2
        assert len(answer) == (length + 1) // 2
    for prompt, (bit,) in drawn("chomsky:missing_duplicate", length):
        twice = "".join(prompt).replace("?", bit).rstrip(".")
        assert twice[: len(twice) // 2] * 2 == twice
    for prompt, answer in drawn("chomsky:stack_manipulation", length):
        stack = ""
        for action in prompt:
            stack = stack[1:] if action == "pop" else action[-1] + stack
        assert answer == list(stack)


def test_every_task_has_a_second_definition() -> None:
    assert {*WORDS, "d_12", "ends_in_02"} == set(FINITE_STATE)


def test_unknown_names_are_explained() -> None:
    with pytest.raises(TaskError, match="chomsky has no task 'sorting'; it has even_pairs, "):
        find("chomsky:sorting")
