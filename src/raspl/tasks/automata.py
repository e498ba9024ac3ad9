"""Deterministic automata: their runs, their words drawn uniformly, and what kind they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from raspl.tasks.examples import NOTHING, Bools, Ints

NOWHERE = -1
"""In a table of moves: there is none."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """States are numbered from the start state 0 on, and every one of them is on the way to a word.

    What leads to no word has no move.
    """

    symbols: tuple[str, ...]
    moves: Ints
    """Where each state (row) goes on each symbol (column), or NOWHERE."""
    accepting: Bools

    @classmethod
    def trimmed(cls, symbols: Sequence[str], moves: Ints, accepting: Bools) -> "Automaton":
        """An automaton with start state 0 less its useless states, numbered as they are reached."""
        useful = np.array(accepting, dtype=np.bool_)
        for _ in range(len(moves)):
            useful |= (useful[moves] & (moves != NOWHERE)).any(axis=1)
        order = [0]
        for state in order:
            for after in moves[state].tolist():
                if after != NOWHERE and useful[after] and after not in order:
                    order.append(after)
        number = np.full(len(moves) + 1, NOWHERE)  # the last entry is that of NOWHERE
        number[order] = np.arange(len(order))
        return cls(tuple(symbols), number[moves[order]], np.asarray(accepting)[order])

    @property
    def states(self) -> int:
        return len(self.moves)

    def after(self, word: Iterable[str]) -> int | None:
        """The state after a word; None if no word of the language begins so."""
        state, moves = 0, self._moves_by_name
        for symbol in word:
            state = moves[state].get(symbol, NOWHERE)
            if state == NOWHERE:
                return None
        return state

    @cached_property
    def _moves_by_name(self) -> list[dict[str, int]]:
        """Solvers read whole words for every prefix, and dictionaries are faster than arrays."""
        return [dict(zip(self.symbols, row, strict=True)) for row in self.moves.tolist()]

    def runs(self, words: Ints) -> Ints:
        """The states that words go through, the start state first; rows may end in NOTHING."""
        states = np.full((len(words), words.shape[1] + 1), NOTHING, dtype=np.int64)
        states[:, 0] = 0
        for place in range(words.shape[1]):
            now, symbol = states[:, place], words[:, place]
            goes = (now != NOTHING) & (symbol != NOTHING)
            states[goes, place + 1] = self.moves[now[goes], symbol[goes]]
        return states

    @cached_property
    def is_partially_ordered(self) -> bool:
        """Whether no state is ever come back to, once left.

        Of the minimal automaton that says that the language is R-trivial.
        """
        return not self._goes_round(loops=False)

    @cached_property
    def longest(self) -> int | None:
        """The length of the longest word, if there is one."""
        if self._goes_round(loops=True):
            return None
        return max(length for length in range(self.states) if self.has_words(length))

    def _goes_round(self, loops: bool) -> bool:
        """Whether some state can be reached from itself; `loops` counts moves to the same state."""
        step = np.zeros((self.states, self.states), dtype=np.bool_)
        row, column = np.nonzero(self.moves != NOWHERE)
        step[row, self.moves[row, column]] = True
        if not loops:
            np.fill_diagonal(step, False)
        reach = step
        for _ in range(self.states.bit_length()):
            reach = reach | (reach @ reach)
        return bool(reach.diagonal().any())

    def has_words(self, length: int) -> bool:
        return bool(np.isfinite(self._counts(length)[length][0]))

    def nearest(self, length: int) -> int:
        """The length nearest to one asked for that some word has; the shorter of two."""
        for distance in range(max(length, self.states) + 1):
            for near in (length - distance, length + distance):
                if near >= 0 and self.has_words(near):
                    return near
        raise AssertionError("an automaton without words")  # there is one within its states

    def _counts(self, length: int) -> list[NDArray[np.float64]]:
        """For each length up to one, the logarithm of the number of words from each state on."""
        known = self._known_counts
        while len(known) <= length:
            after = np.where(self.moves == NOWHERE, -np.inf, known[-1][self.moves])
            known.append(np.logaddexp.reduce(after, axis=1))
        return known

    @cached_property
    def _known_counts(self) -> list[NDArray[np.float64]]:
        with np.errstate(divide="ignore"):
            return [np.log(self.accepting.astype(np.float64))]

    def words(self, rng: np.random.Generator, lengths: Ints) -> Ints:
        """Words of the given lengths, which must have some, each uniform among those of its length.

        Symbols are drawn one after the other, in proportion to how many words go on with each.
        """
        longest = int(lengths.max(initial=0))
        counts = np.stack(self._counts(longest))
        drawn = np.full((len(lengths), longest), NOTHING, dtype=np.int64)
        chance = rng.random((len(lengths), longest))
        state = np.zeros(len(lengths), dtype=np.int64)
        for place in range(longest):
            (row,) = np.nonzero(lengths > place)
            left = lengths[row] - place
            after = self.moves[state[row]]
            share = counts[left[:, None] - 1, after] - counts[left, state[row]][:, None]
            heap = np.cumsum(np.where(after == NOWHERE, 0.0, np.exp(share)), axis=1)
            symbol = (chance[row, place, None] * heap[:, -1:] >= heap).sum(axis=1)
            drawn[row, place] = symbol
            state[row] = after[np.arange(len(row)), symbol]
        return drawn
