"""Random automata and transducers as tasks. Most have no program in the language."""

from collections.abc import Sequence
from random import Random

import numpy as np

from raspl.tasks.examples import Ints, keep
from raspl.tasks.random.drawn import LETTERS, Drawn
from raspl.tasks.task import Task


def automaton(name: str, rng: Random) -> Drawn:
    """The state of a random automaton, or whether it accepts: after every symbol or at the end."""
    states, letters = rng.randint(2, 6), LETTERS[: rng.randint(2, 4)]
    moves = np.array([[rng.randrange(states) for _ in letters] for _ in range(states)])
    asks_state = rng.random() < 0.5
    said = np.arange(states) if asks_state else np.array([rng.randrange(2) for _ in range(states)])
    names = [f"q{state}" if asks_state else str(state) for state in range(said.max() + 1)]
    outputs = said[moves]
    about = f"moves {moves.tolist()}" + ("" if asks_state else f", accepting {said.tolist()}")
    return made(name, rng.random() < 0.6, letters, names, moves, outputs, about)


def transducer(name: str, rng: Random) -> Drawn:
    """The outputs of a random Mealy machine: as labels, or written after the prompt."""
    states, letters = rng.randint(2, 5), LETTERS[: rng.randint(2, 4)]
    moves = np.array([[rng.randrange(states) for _ in letters] for _ in range(states)])
    names = [str(number) for number in range(rng.randint(2, 4))]
    outputs = np.array([[rng.randrange(len(names)) for _ in letters] for _ in range(states)])
    about = f"moves {moves.tolist()}, outputs {outputs.tolist()}"
    is_labelled = rng.random() < 0.6
    return made(name, is_labelled, letters, names, moves, outputs, about, writes_all=True)


def made(
    name: str,
    is_labelled: bool,
    letters: str,
    names: Sequence[str],
    moves: Ints,
    outputs: Ints,
    about: str,
    writes_all: bool = False,
) -> Drawn:
    """The task of a machine that outputs `outputs[state, symbol]` when it reads a symbol.

    Without labels, the answer is its last output, or all of them.
    """

    def run(rows: Ints) -> Ints:
        state = np.zeros(len(rows), dtype=np.int64)
        found = np.empty_like(rows)
        for place in range(rows.shape[1]):
            found[:, place] = outputs[state, rows[:, place]]
            state = moves[state, rows[:, place]]
        return found

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        rows = rng.integers(len(letters), size=(len(lengths), int(lengths.max())))
        found = run(rows)
        if is_labelled:
            return keep(rows, lengths), keep(found, lengths)
        answers = found + len(letters)
        if writes_all:
            return keep(rows, lengths), keep(answers, lengths)
        return keep(rows, lengths), np.take_along_axis(answers, lengths[:, None] - 1, axis=1)

    def solve(prefix: Sequence[str]) -> list[str]:
        state, found = 0, []
        for letter in prefix:
            symbol = letters.index(letter)
            found.append(names[int(outputs[state, symbol])])
            state = int(moves[state, symbol])
        return found if writes_all and not is_labelled else found[-1:]

    if is_labelled:
        task = Task(name, about, letters, sample, solve, is_labelled=True, labels=names)
    else:
        task = Task(name, about, (*letters, *names), sample, solve)
    return Drawn(task, letters, about)
