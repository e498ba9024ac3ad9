"""The seventeen finite-state languages of Huang et al.: after each symbol, what may come next.

The label is the set of characters with which some word goes on, `#` for its end. Where both sets
that occur differ only in `#`, that says whether what was read is a word.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from types import MappingProxyType

import numpy as np

from raspl.tasks.automata import NOWHERE, Automaton
from raspl.tasks.literature.strings import bits, letters, parts
from raspl.tasks.task import Task

END = "#"
Draw = Callable[[np.random.Generator, int], Sequence[str]]


def automaton(symbols: str, moves: Sequence[Sequence[int]], accepting: Sequence[int]) -> Automaton:
    table = np.array(moves)
    return Automaton.trimmed(tuple(symbols), table, np.isin(np.arange(len(table)), accepting))


def next_symbols(name: str, about: str, machine: Automaton, draw: Draw | None = None) -> Task:
    """A language as a task; without `draw`, words are uniform among those of their length."""
    sets = [
        "{"
        + ",".join(
            [
                *(machine.symbols[one] for one in np.flatnonzero(row != NOWHERE)),
                *([END] if accepts else []),
            ]
        )
        + "}"
        for row, accepts in zip(machine.moves, machine.accepting, strict=True)
    ]

    def uniform(rng: np.random.Generator, length: int) -> list[str]:
        word = machine.words(rng, np.array([machine.nearest(length)]))[0]
        return [machine.symbols[one] for one in word]

    def label(prefix: Sequence[str]) -> str | None:
        state = machine.after(prefix)
        return None if state is None else sets[state]

    return Task.labelled(
        name,
        machine.symbols,
        draw or uniform,
        label,
        labels=sorted(set(sets)),
        about=about,
        shortest=next(length for length in count(1) if machine.has_words(length)),
    )


def tomita_1(name: str) -> Task:
    return next_symbols(name, "1*", automaton("1", [[0]], [0]))


def tomita_2(name: str) -> Task:
    return next_symbols(name, "(10)*", automaton("01", [[NOWHERE, 1], [0, NOWHERE]], [0]))


def tomita_3(name: str) -> Task:
    def draw(rng: np.random.Generator, length: int) -> list[str]:
        """Blocks of random length; after an odd one of 1s, those of 0s are even."""
        word: list[str] = []
        symbol, only_even = int(rng.integers(2)), False
        while len(word) < length:
            size = min(int(rng.integers(1, 6)), length - len(word))
            if symbol == 0 and only_even:
                size += -1 if size % 2 and size > 1 else size % 2
            word += [str(symbol)] * size
            only_even = only_even or (symbol == 1 and size % 2 == 1)
            symbol = 1 - symbol
        return word

    moves = [[0, 1], [3, 0], [3, 1], [2, NOWHERE]]
    return next_symbols(
        name,
        "no odd block of 1s, and later an odd block of 0s",
        automaton("01", moves, [0, 1, 2]),
        draw,
    )


def tomita_4(name: str) -> Task:
    def draw(rng: np.random.Generator, length: int) -> list[str]:
        word: list[str] = []
        for bit in bits(rng, length):
            word.append("1" if word[-2:] == ["0", "0"] else bit)
        return word

    moves = [[1, 0], [2, 0], [NOWHERE, 0]]
    return next_symbols(name, "no 000", automaton("01", moves, [0, 1, 2]), draw)


def tomita_5(name: str) -> Task:
    moves = [[1, 2], [0, 3], [3, 0], [2, 1]]
    return next_symbols(name, "an even number of 0s and of 1s", automaton("01", moves, [0]))


def tomita_6(name: str) -> Task:
    moves = [[1, 2], [2, 0], [0, 1]]
    return next_symbols(name, "as many 0s as 1s, modulo 3", automaton("01", moves, [0]))


def tomita_7(name: str) -> Task:
    def draw(rng: np.random.Generator, length: int) -> list[str]:
        return [
            bit
            for bit, size in zip("0101", parts(rng, length, 4), strict=True)
            for _ in range(size)
        ]

    moves = [[0, 1], [2, 1], [2, 3], [NOWHERE, 3]]
    return next_symbols(name, "0*1*0*1*", automaton("01", moves, [0, 1, 2, 3]), draw)


def brackets(name: str, depth: int) -> Task:
    moves = [
        [level + 1 if level < depth else NOWHERE, level - 1 if level else NOWHERE]
        for level in range(depth + 1)
    ]
    about = f"brackets a and b, at most {depth} deep"
    return next_symbols(name, about, automaton("ab", moves, [0]))


def five_blocks(name: str) -> Task:
    def draw(rng: np.random.Generator, length: int) -> list[str]:
        sizes = parts(rng, length - 5, 5)
        return [one for one, more in zip("abcde", sizes, strict=True) for _ in range(more + 1)]

    moves = np.full((6, 5), NOWHERE)
    for block in range(5):
        moves[block, block] = moves[block + 1, block] = block + 1
    machine = automaton("abcde", moves.tolist(), [5])
    return next_symbols(name, "aa*bb*cc*dd*ee*", machine, draw)


def ab_d_bc(name: str) -> Task:
    def draw(rng: np.random.Generator, length: int) -> list[str]:
        before, after = parts(rng, length - 1, 2)
        return [*letters(rng, "ab", before), "d", *letters(rng, "bc", after)]

    moves = [[0, 0, NOWHERE, 1], [NOWHERE, 1, 1, NOWHERE]]
    return next_symbols(name, "{a,b}*d{b,c}*", automaton("abcd", moves, [1]), draw)


def ends_in_02(name: str) -> Task:
    """The published label differs from the others': e after a 2 that ends a word, else c."""

    def draw(rng: np.random.Generator, length: int) -> list[str]:
        before, twos = parts(rng, length - 1, 2)
        return [*letters(rng, "012", before), "0", *["2"] * twos]

    def label(prefix: Sequence[str]) -> str:
        others = [symbol for symbol in prefix if symbol != "2"]
        return "e" if prefix[-1] == "2" and others[-1:] == ["0"] else "c"

    return Task.labelled(name, "012", draw, label, labels=("c", "e"), about="{0,1,2}*02*")


def repeated(name: str, word: str) -> Task:
    symbols = "".join(sorted(set(word)))
    moves = np.full((len(word), len(symbols)), NOWHERE)
    for place, symbol in enumerate(word):
        moves[place, symbols.index(symbol)] = (place + 1) % len(word)
    return next_symbols(name, f"({word})*", automaton(symbols, moves.tolist(), [0]))


FINITE_STATE: Mapping[str, Callable[[str], Task]] = MappingProxyType(
    {
        **{f"tomita_{number}": globals()[f"tomita_{number}"] for number in range(1, 8)},
        **{f"d_{depth}": partial(brackets, depth=depth) for depth in (2, 3, 4, 12)},
        "five_blocks": five_blocks,
        "ab_d_bc": ab_d_bc,
        "ends_in_02": ends_in_02,
        "aa": partial(repeated, word="aa"),
        "aaaa": partial(repeated, word="aaaa"),
        "abab": partial(repeated, word="abab"),
    }
)
