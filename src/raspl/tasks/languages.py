"""A regular language as a labelled task: the state of its minimal automaton, after every symbol.

A word is read symbol by symbol with a mark before, between and after them, `SoS & a & b &`. At
every mark the state after the symbols so far is asked for, at the first one the start state. So the
state is asked for at a place that carries no symbol of its own.
"""

from collections.abc import Sequence

import numpy as np

from raspl.tasks.automata import Automaton
from raspl.tasks.examples import NOTHING, Ints
from raspl.tasks.regexes import minimal
from raspl.tasks.task import Task

MARK = "&"


def language(regex: str) -> Task:
    """State prediction on the words of a regular language.

    A regex has letters and digits, which stand for themselves, `|`, `*`, `+`, `?` and brackets. A
    task's length counts the symbols of a word; where no word has the length that is asked for, the
    nearest is taken.
    """
    return state_prediction(f"language:{regex}", f"the state of {regex}", minimal(regex))


def state_prediction(name: str, about: str, automaton: Automaton) -> Task:
    """Of any automaton, the state after every symbol of a word."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        near = {length: automaton.nearest(length) for length in set(lengths.tolist())}
        sizes = np.array([near[length] for length in lengths.tolist()])
        words = automaton.words(rng, sizes)
        symbols = np.zeros((len(words), 2 * words.shape[1] + 1), dtype=np.int64)
        symbols[:, 1::2] = words + 1
        symbols[np.arange(symbols.shape[1]) > 2 * sizes[:, None]] = NOTHING
        labels = np.full(symbols.shape, NOTHING)
        labels[:, ::2] = automaton.runs(words)
        return symbols, labels

    def solve(prefix: Sequence[str]) -> list[str]:
        is_marked = len(prefix) % 2 == 1 and set(prefix[::2]) == {MARK}
        state = automaton.after(prefix[1::2]) if is_marked else None
        return [] if state is None else [f"q{state}"]

    return Task(
        name,
        about,
        (MARK, *automaton.symbols),
        sample,
        solve,
        longest=automaton.longest,
        is_labelled=True,
        labels=[f"q{state}" for state in range(automaton.states)],
    )
