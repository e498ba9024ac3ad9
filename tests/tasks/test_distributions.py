"""The samplers' distributions, tested statistically on fixed seeds."""

from collections import Counter

import numpy as np
import pytest

from raspl.tasks import NOTHING, Ints, Purpose, find, stream
from raspl.tasks.addition.task import (
    FIRST_HINT,
    Summands,
    balanced,
    balanced_nines,
    hard,
    standard,
)
from raspl.tasks.mode.task import CHOSEN
from raspl.tasks.parity.task import FIRST_HINT as PARITY_HINT

MANY = 20_000


def looks_uniform(values: Ints, low: int, high: int) -> bool:
    """Chi-square below its mean plus five standard deviations."""
    counts = np.bincount(values - low, minlength=high - low + 1)
    if len(counts) > high - low + 1:
        return False
    expected = len(values) / len(counts)
    statistic = ((counts - expected) ** 2 / expected).sum()
    freedom = len(counts) - 1
    return bool(statistic < freedom + 5 * np.sqrt(2 * freedom))


def rng() -> np.random.Generator:
    return stream(1, Purpose.SHOW)


def longest_chain(first: Ints, second: Ints) -> int:
    """By definition: a sum of at least 10, then sums of 9, each digit least significant first."""
    best = running = 0
    for a, b in zip(first, second, strict=True):
        if a + b >= 10:
            running = 1
        elif a + b == 9 and running:
            running += 1
        else:
            running = 0
        best = max(best, running)
    return best


def test_count_starts_anywhere_the_length_allows() -> None:
    prompt, _ = find("count", {"numbers": 30}).sample(rng(), np.full(MANY, 8))
    assert looks_uniform(prompt[:, 0], 0, 22)


def test_count_lists_every_example() -> None:
    examples = find("count", {"numbers": 30}).enumerated(8)
    assert examples is not None
    assert len(np.unique(examples.tokens[:, 1])) == len(examples) == 23


@pytest.mark.parametrize("length", [1, 2, 5, 6, 20])
def test_modes_are_unique_and_of_five_letters(length: int) -> None:
    prompt, answer = find("mode").sample(rng(), np.full(500, length))
    for row, winner in zip(prompt, answer[:, 0], strict=True):
        counts = Counter(row.tolist()).most_common()
        assert len(counts) <= CHOSEN
        assert counts[0][0] == winner
        assert len(counts) == 1 or counts[0][1] > counts[1][1]


def test_modes_are_spread_over_the_alphabet() -> None:
    _, answer = find("mode").sample(rng(), np.full(MANY, 12))
    assert looks_uniform(answer[:, 0], 0, 51)


@pytest.mark.parametrize("name", ["copy_unique", "sort"])
def test_tokens_are_drawn_without_replacement(name: str) -> None:
    prompt, _ = find(name).sample(rng(), np.full(MANY // 10, 10))
    assert all(len(set(row)) == 10 for row in prompt.tolist())
    assert looks_uniform(prompt[:, 3], 0, 99)


def test_repeat_copy_uses_both_tokens_evenly() -> None:
    prompt, _ = find("copy_repeat").sample(rng(), np.full(MANY // 10, 10))
    assert looks_uniform(prompt.reshape(-1), 0, 1)


def test_standard_lengths_are_uniform_and_independent() -> None:
    generator = rng()
    lengths = generator.integers(1, 9, size=MANY)
    first, second = standard(generator, lengths)
    one, two = (width_of(digits) for digits in (first, second))
    # A number of one digit may be 0, so length 1 is told from nothing here.
    assert looks_uniform(np.maximum(one, 1), 1, 8)
    assert looks_uniform(np.maximum(two, 1), 1, 8)
    assert abs(np.corrcoef(one, two)[0, 1]) < 5 / np.sqrt(MANY)


def test_in_a_test_both_numbers_have_the_length() -> None:
    first, second = standard(rng(), np.full(200, 6))
    assert (first[:, 5] > 0).all()
    assert (second[:, 5] > 0).all()


def width_of(digits: Ints) -> Ints:
    used = digits > 0
    return np.where(used.any(axis=1), digits.shape[1] - used[:, ::-1].argmax(axis=1), 0)


def test_balanced_carry_chains_are_uniform() -> None:
    first, second = balanced(rng(), np.full(MANY, 7))
    chains = np.array([longest_chain(a, b) for a, b in zip(first, second, strict=True)])
    assert looks_uniform(chains, 0, 7)


def share_carried_into(summands: Summands, nines: int) -> float:
    """Of the places right above so many nines in a row, the share that a carry comes into."""
    length = 12
    first, second = summands(rng(), np.full(MANY, length))
    carried = []
    for sums in first + second:
        for place in range(nines, length):
            below = place - nines
            if all(sums[below:place] == 9):
                carry = 0
                for each in sums[:below]:
                    carry = int(each + carry >= 10)
                carried.append(carry)
    return float(np.mean(carried))


def test_nines_carry_half_of_the_time_where_that_is_balanced_too() -> None:
    for nines in (2, 4, 6):
        assert share_carried_into(balanced, nines) > 0.85
        assert 0.42 < share_carried_into(balanced_nines, nines) < 0.58
    first, second = balanced_nines(rng(), np.full(MANY, 7))
    assert ((first >= 0) & (first <= 9) & (second >= 0) & (second <= 9)).all()
    assert (first[:, -1] > 0).all()


def test_balanced_examples_have_every_pair_of_digits_with_and_without_carry() -> None:
    first, second = balanced(rng(), np.full(MANY, 7))
    carry = np.zeros(MANY, dtype=int)
    seen = set()
    for place in range(7):
        seen |= set(zip(first[:, place], second[:, place], carry, strict=True))
        carry = (first[:, place] + second[:, place] + carry) // 10
    # A first number never begins with 0, so all but the leading pairs occur: 100 pairs, 2 carries.
    assert len(seen) == 200


def test_hard_chains_are_as_long_as_the_number() -> None:
    lengths = rng().integers(1, 9, size=500)
    for a, b, length in zip(*hard(rng(), lengths), lengths, strict=True):
        assert longest_chain(a, b) == length


@pytest.mark.parametrize("order", ["forward", "reverse"])
def test_addition_hints_are_a_uniform_slice(order: str) -> None:
    prompt, _ = find(f"addition_{order}", {"hints": 20}).sample(rng(), np.full(MANY, 4))
    hints = prompt[:, 0:10:2]
    assert (np.diff(hints, axis=1) == 1).all()
    assert np.array_equal(hints, prompt[:, 11::2])
    assert looks_uniform(hints[:, 0], FIRST_HINT, FIRST_HINT + 15)


def test_parity_hints_are_a_uniform_slice_and_bits_are_fair() -> None:
    prompt, _ = find("parity_scratchpad", {"hints": 20}).sample(rng(), np.full(MANY, 6))
    assert (np.diff(prompt[:, ::2], axis=1) == 1).all()
    assert looks_uniform(prompt[:, 0], PARITY_HINT, PARITY_HINT + 14)
    assert looks_uniform(prompt[:, 1::2].reshape(-1), 0, 1)


@pytest.mark.parametrize(("on", "low", "high"), [("seen", 0, 14), ("unseen", 15, 19)])
def test_conjunction_zeros_lie_where_they_should(on: str, low: int, high: int) -> None:
    bits, answer = find("conjunction").distributions[on](rng(), np.full(MANY, 20))
    zeros = (bits == 0).sum(axis=1)
    assert np.array_equal(zeros == 0, answer[:, 0] == 1)
    assert zeros.max() == 1
    assert looks_uniform(answer[:, 0], 0, 1)
    assert looks_uniform((bits == 0).argmax(axis=1)[zeros == 1], low, high)


def test_rows_end_where_their_length_says() -> None:
    lengths = np.array([1, 5, 3])
    prompt, _ = find("mode").sample(rng(), lengths)
    assert ((prompt != NOTHING).sum(axis=1) == lengths).all()
