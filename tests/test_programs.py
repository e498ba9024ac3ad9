"""The shipped programs, by generation, against plain Python."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl import IllegalProgram, load, programs

START, END = -1, -2


def generated(name: str, prompt: list[int], until: int, limit: int = 1000) -> list[int]:
    """What a program writes after a prompt."""
    sequence = programs.load(name).generate(prompt, until=until, limit=limit)
    return [int(token) for token in sequence[len(prompt) :]]


COUNT_EXAMPLES = st.lists(
    st.tuples(st.integers(0, 154), st.integers(0, 20)), min_size=1, max_size=4
)


@given(examples=COUNT_EXAMPLES)
@settings(deadline=None)
def test_count_looks_at_the_latest_example_of_a_packed_context(
    examples: list[tuple[int, int]],
) -> None:
    context: list[int] = []
    for a, length in examples:
        prompt = [START, a, a + length]
        answer = [*range(a, a + length + 1), END]
        assert generated("count_paper", [*context, *prompt], END) == answer
        context += prompt + answer


def test_count_to_150() -> None:
    assert generated("count_paper", [START, 2, 150], END) == [*range(2, 151), END]


@given(x=st.lists(st.integers(-5, 5), min_size=1, max_size=30))
def test_mode(x: list[int]) -> None:
    output = programs.load("mode_paper")(x).tolist()
    for i, winner in enumerate(output):
        counts = Counter(x[: i + 1])
        assert counts[winner] == max(counts.values())


@given(x=st.lists(st.integers(0, 127), unique=True, max_size=40))
@settings(deadline=None)
def test_copy_unique(x: list[int]) -> None:
    assert generated("copy_unique_paper", [START, *x, END, START], END) == [*x, END]


@given(x=st.lists(st.integers(0, 127), unique=True, max_size=40))
@settings(deadline=None)
def test_sort(x: list[int]) -> None:
    assert generated("sort_paper", [*x, START], END) == [*sorted(x), END]


@given(x=st.lists(st.integers(0, 1), max_size=40))
def test_conjunction(x: list[int]) -> None:
    expected = [int(all(x[: i + 1])) for i in range(len(x))]
    assert programs.load("conjunction_paper")(x).tolist() == expected


PLUS, EQUALS, STOP, TOP_HINT = -2, -3, -5, -100


def addition(a: int, b: int, digits: int, order: int) -> tuple[list[int], list[int]]:
    """The prompt and the answer; order -1 writes the answer from the least significant digit."""
    hints = [TOP_HINT - place for place in range(digits + 1)]

    def hinted(number: int) -> list[tuple[int, int]]:
        written = [int(digit) for digit in str(number).zfill(digits + 1)]
        return list(zip(hints, written, strict=True))

    def flat(pairs: list[tuple[int, int]]) -> list[int]:
        return [token for pair in pairs for token in pair]

    prompt = [START, *flat(hinted(a)), PLUS, *flat(hinted(b)), EQUALS]
    return prompt, [*flat(hinted(a + b)[::order]), STOP]


def hardest(digits: int, rng: random.Random) -> tuple[int, int]:
    """Two numbers whose carry runs through every digit, as in 381 + 619."""
    a = rng.randrange(1, 10**digits)
    return a, 10**digits - a


DIRECTIONS = [("addition_reverse_paper", -1), ("addition_forward_paper", 1)]


@pytest.mark.parametrize(("name", "order"), DIRECTIONS)
@given(a=st.integers(0, 99_999), b=st.integers(0, 99_999), padding=st.integers(0, 2))
@settings(deadline=None, max_examples=60)
def test_addition_of_small_numbers(name: str, order: int, a: int, b: int, padding: int) -> None:
    digits = len(str(max(a, b))) + padding
    prompt, answer = addition(a, b, digits, order)
    assert generated(name, prompt, STOP) == answer


@pytest.mark.parametrize("digits", [1, 2, 3, 7, 20, 55, 100])
@pytest.mark.parametrize(("name", "order"), DIRECTIONS)
def test_addition_up_to_100_digits(name: str, order: int, digits: int) -> None:
    rng = random.Random(digits)
    cases = [hardest(digits, rng), (rng.randrange(10**digits), rng.randrange(10**digits))]
    for a, b in cases:
        prompt, answer = addition(a, b, digits, order)
        assert generated(name, prompt, STOP) == answer


PAPER_PROMPT = [-1, -100, 0, -101, 0, -102, 8, -103, 8,
                -2, -100, 0, -101, 8, -102, 4, -103, 2, -3]  # fmt: skip


def test_the_worked_example_88_plus_842() -> None:
    assert addition(88, 842, 3, 1)[0] == PAPER_PROMPT
    assert generated("addition_reverse_paper", PAPER_PROMPT, STOP) == [
        -103,
        0,
        -102,
        3,
        -101,
        9,
        -100,
        0,
        -5,
    ]
    assert generated("addition_forward_paper", PAPER_PROMPT, STOP) == [
        -100,
        0,
        -101,
        9,
        -102,
        3,
        -103,
        0,
        -5,
    ]


EVEN, ODD, ANSWER, PARITY_END, FIRST_HINT = -1, -2, -3, -4, 10


@given(bits=st.lists(st.integers(0, 1), min_size=1, max_size=100))
@settings(deadline=None, max_examples=50)
def test_parity_with_its_scratchpad(bits: list[int]) -> None:
    hints = range(FIRST_HINT, FIRST_HINT + len(bits))
    prompt = [token for pair in zip(hints, bits, strict=True) for token in pair]
    answer, sign = [EVEN], EVEN
    for hint, bit in zip(hints, bits, strict=True):
        if bit:
            sign = ODD if sign == EVEN else EVEN
            answer += [hint, sign]
    assert generated("parity_scratchpad_paper", [*prompt, ANSWER], PARITY_END) == [
        *answer,
        PARITY_END,
    ]
    assert (sign == ODD) == bool(sum(bits) % 2)


ILLEGAL = {
    "addition_naive": {"R101", "R102", "R104", "R105", "R106", "R108", "R113", "R201"},
    "binary_mode": {"R303"},
    "parity_plain": {"R301"},
    "copy_repeat": {"R301"},
    "addition_plain": {"R301"},
}


@pytest.mark.parametrize("name", programs.ILLEGAL)
def test_illegal_programs_are_refused(name: str) -> None:
    with pytest.raises(IllegalProgram) as caught:
        load(programs.path(name))
    assert {d.rule.code for d in caught.value.diagnostics} == ILLEGAL[name]


def test_naive_addition_gets_one_diagnostic_for_each_offence() -> None:
    with pytest.raises(IllegalProgram) as caught:
        load(programs.path("addition_naive"))
    offences = [
        d.span.text[d.span.column - 1 : d.span.end_column - 1] for d in caught.value.diagnostics
    ]
    for offence in ["len(inp) / 2", "range(half)[::-1]", "for", "inp[place]", "inp[half + place]",
                    "answer[place]", "1 if total > 9 else 0"]:  # fmt: skip
        assert offences.count(offence) == 1, offence


@pytest.mark.parametrize("name", programs.NAMES)
def test_shipped_files_are_named_after_their_program(name: str) -> None:
    assert programs.load(name).name == name
