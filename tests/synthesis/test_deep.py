"""States of automata: what is found without positions, with them, and not at all.

The format is `BOS & a & b & …`: at every `&` the state after the symbols so far is asked.
"""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from raspl.prediction.sources import find_source
from raspl.prediction.survival import examples_at, survive
from raspl.synthesis import Result, Settings, search
from raspl.synthesis.deep import MOST_COST
from raspl.synthesis.examples import LabelledSource
from raspl.synthesis.histories import Grid, seeds

BOS, AND, A, B, C = range(5)
MOST = 42
"""Tokens of the longest training example: words of 20 symbols."""
Word = Callable[[np.random.Generator, int], Sequence[int]]


def language(name: str, word: Word, state: Callable[[Sequence[int]], int]) -> LabelledSource:
    """Words of a language, with the state of its automaton wanted at every `&`."""

    def sample(rng: np.random.Generator, length: int) -> list[int]:
        symbols = word(rng, length // 2)
        return [BOS, AND, *(token for symbol in symbols for token in (symbol, AND))][:length]

    def label(prefix: Sequence[int]) -> int | None:
        return state([token for token in prefix if token > AND]) if prefix[-1] == AND else None

    return LabelledSource(name, sample, label, tuple(range(5)), (4, None))


def cycle(*symbols: int) -> Word:
    return lambda rng, length: [symbols[at % len(symbols)] for at in range(length)]


def any_of(*symbols: int) -> Word:
    return lambda rng, length: [int(symbol) for symbol in rng.choice(symbols, size=length)]


def runs(rng: np.random.Generator, length: int) -> list[int]:
    """Words of a*b*a*."""
    first, second = sorted(rng.integers(length + 1, size=2).tolist())
    return [A] * first + [B] * (second - first) + [A] * (length - second)


ABBC = language("(abbc)*", cycle(A, B, B, C), lambda word: len(word) % 4)
LAST = language("(a|b)*b", any_of(A, B), lambda word: int(word[-1:] == [B]))
EVEN = language("(aa)*", cycle(A), lambda word: len(word) % 2)
PHASES = language("a*b*a*", runs, lambda word: 0 if B not in word else 1 if word[-1] == B else 2)


def found(source: LabelledSource) -> Result:
    return search(source, Settings(max_length=MOST, max_cost=2, held_in=80, budget=3600))


@pytest.mark.parametrize("source", [ABBC, PHASES], ids=lambda source: source.name)
def test_a_program_without_positions_is_found(source: LabelledSource) -> None:
    find = found(source).cheapest(positions=False)
    assert find is not None
    assert "strict" in find.disciplines
    assert survive(find.graph, examples_at(source, [10 * MOST])).survives


def test_the_last_symbol_takes_a_position() -> None:
    result = found(LAST)
    assert result.cheapest(positions=False) is None
    find = result.cheapest()
    assert find is not None
    assert find.positions
    assert survive(find.graph, examples_at(LAST, [10 * MOST])).survives


def test_what_counts_modulo_two_is_a_shortcut() -> None:
    """A table may remember every training length; it is wrong beyond."""
    for find in found(EVEN).finds:
        assert not survive(find.graph, examples_at(EVEN, [10 * MOST])).survives


def test_many_outputs_may_take_a_dear_program() -> None:
    """Ten states take a decision each."""
    source = find_source("language:(ab)+a+b+a+")
    result = search(source, Settings(max_length=50, max_cost=2, positions=False, budget=3600))
    assert result.finds[0].cost > MOST_COST
    assert survive(result.finds[0].graph, examples_at(source, [200])).survives


def test_a_large_alphabet_may_hide_the_first_token() -> None:
    """Only the frequent tokens are weighed. What marks the start is rare in long examples."""
    many = range(AND + 1, AND + 40)
    source = LabelledSource(
        "at least five",
        lambda rng, length: [BOS, *rng.choice([*many], size=length - 1).tolist()],
        lambda prefix: int(prefix.count(A) >= 5),
        (BOS, *many),
        (2, None),
    )
    grid = Grid.of(source.draw(np.random.default_rng(0), [60] * 30), np.dtype(np.int16))
    assert grid.anchor == BOS
    assert BOS not in grid.alphabet
    for family in seeds(grid, positions=True):
        assert len(family)
