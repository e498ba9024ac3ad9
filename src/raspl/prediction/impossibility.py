"""Is a task beyond every RASP-L program, whatever its size? (docs/types.md, theorems 1 and 2.)

On inputs u vⁿ w the outputs of a program settle as n grows: of every legal program if v is a single
symbol, of every strict one if v is a word. So a task whose right answer goes on changing has no
such program. This looks for such u, v and w with the sampler and the solver alone. What it finds
is evidence up to a length: that the answers change for ever is read off their going on to change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import TypeAlias

import numpy as np

from raspl.analysis.disciplines import Discipline
from raspl.synthesis.examples import KnownSource

Word: TypeAlias = tuple[str, ...]
Admits: TypeAlias = Callable[[Sequence[str]], bool]
"""Whether a string is an input of the task."""

REPEATS = (96, 64, 64, 64)
"""How often a word of 1, 2, … symbols is repeated at most."""
AROUND = (2, 1, 1, 1)
"""Symbols before and after it, at most."""
FEW = 5
"""Symbols of which longer words, and what stands around them, are made."""
MOST_SHAPES = 150
"""How many u, v and w are tried for each size of v, the shortest first."""
RUN = 3
"""Repetitions of a word in an input after which what comes before them is tried as a u."""
MOST_BEFORE = 8
"""How many such u are tried for each word, the shortest first."""
CHANGES = 8
"""Changes in the later half, from which on answers count as not settling. A program of our sizes
has settled long before; one change more costs it a comparison more."""
LAST = 10
"""Answers that are asked for first: where they are all alike, nothing more is asked."""
DRAWN = 4_000
"""Inputs that tell which strings the sampler draws."""
MOST_WINDOWS = 2_000
"""Windows that can be expected to be all among those, if every string is drawn."""
WINDOW = 8
START, END = "start of an input", "end of an input"


@dataclass(frozen=True)
class Pumped:
    """Inputs u vⁿ w on which the right answer does not settle."""

    before: Word
    repeated: Word
    after: Word
    answers: tuple[str, ...]
    """For n = 1, 2, …"""

    @property
    def rules(self) -> Discipline:
        """Of which programs there is none that computes the task."""
        return "letter" if len(self.repeated) == 1 else "strict"

    @property
    def sentence(self) -> str:
        program = "RASP-L program" if self.rules == "letter" else "strict RASP-L program"
        return f"No {program} of any size computes it: {self}."

    def __str__(self) -> str:
        parts = (" ".join(self.before), f"({' '.join(self.repeated)})ⁿ", " ".join(self.after))
        shown = " ".join(part for part in parts if part)
        return (
            f"on {shown} the right answer is {', '.join(self.answers[:8])}, … for n = 1, 2, …, and "
            f"still changes up to n = {len(self.answers)}"
        )


def pumped(source: KnownSource, seed: int = 0) -> Pumped | None:
    """Inputs that show that no program computes a task; None if there are none to be found."""
    longest = source.lengths[1]
    if longest is not None and longest < REPEATS[0] + AROUND[0]:
        return None
    inputs, symbols, admits = _domain(source, np.random.default_rng((seed, 4)))
    for before, repeated, after in (*shapes(symbols, admits), *_runs(inputs, symbols, admits)):
        most = REPEATS[len(repeated) - 1]
        ask = partial(_answers, source, before, repeated, after)
        # Most shapes settle, and the last answers show it.
        last = ask(range(most - LAST + 1, most + 1))
        if last is None or len(set(last)) == 1:
            continue
        every = ask(range(1, most + 1))
        if every is not None and goes_on(every[most // 2 :]):
            return Pumped(before, repeated, after, every)
    return None


def _domain(
    source: KnownSource, rng: np.random.Generator
) -> tuple[list[list[str]], list[str], Admits]:
    """Some inputs of the task, their symbols, and which strings of these are inputs.

    A solver may say anything of strings that the sampler never draws. Long strings are drawn too
    rarely to ask for, so a string counts as an input if each of its windows occurs in one.
    """
    shortest, _ = source.lengths
    lengths = [shortest + number % (3 * WINDOW) for number in range(DRAWN)]
    inputs = source.prompts(rng, lengths)
    symbols = sorted({symbol for drawn in inputs for symbol in drawn})
    size = 2
    while size < WINDOW and len(symbols) ** (size + 1) <= MOST_WINDOWS:
        size += 1
    ends = not source.asks_everywhere
    seen = {window for drawn in inputs for window in _windows(drawn, size, ends)}
    return inputs, symbols, lambda string: all(w in seen for w in _windows(string, size, ends))


def _windows(string: Sequence[str], size: int, ends: bool) -> Iterator[Word]:
    """Of a string with its start, and with its end where nothing is asked before it."""
    marked = (START, *string, END) if ends else (START, *string)
    for start in range(max(1, len(marked) - size + 1)):
        yield marked[start : start + size]


def shapes(symbols: Sequence[str], admits: Admits) -> Iterator[tuple[Word, Word, Word]]:
    """Short u and w around each repeated word, the shortest first, where they make inputs."""
    for size in range(1, len(AROUND) + 1):
        # Long enough to hold every window of every longer one.
        fitting = (
            (before, word, after)
            for before, word, after in _all_shapes(symbols, size)
            if admits([*before, *word * WINDOW, *after])
        )
        yield from islice(fitting, MOST_SHAPES)


def _all_shapes(symbols: Sequence[str], size: int) -> Iterator[tuple[Word, Word, Word]]:
    few = symbols[:FEW]
    words = [*filter(_is_primitive, product(symbols if size == 1 else few, repeat=size))]
    for around in range(AROUND[size - 1] + 1):
        for left in range(around + 1):
            sides = product(product(few, repeat=left), product(few, repeat=around - left))
            for (before, after), word in product(sides, words):
                yield before, word, after


def _runs(
    inputs: Sequence[Sequence[str]], symbols: Sequence[str], admits: Admits
) -> Iterator[tuple[Word, Word, Word]]:
    """Words that inputs repeat, after all that comes before them there, however long it is."""
    before: dict[Word, set[Word]] = {}
    for drawn in inputs:
        for word, place in _repeated(tuple(drawn)):
            before.setdefault(word, set()).add(tuple(drawn[:place]))
    for word, found in before.items():
        for start in sorted(found, key=lambda one: (len(one), one))[:MOST_BEFORE]:
            for after in ((), *((symbol,) for symbol in symbols[:FEW])):
                if admits([*start, *word * WINDOW, *after]):
                    yield start, word, after


def _repeated(string: Word) -> Iterator[tuple[Word, int]]:
    """Each word that stands several times in a row, and where it first does."""
    known = set()
    for size in range(1, len(AROUND) + 1):
        for start in range(len(string) - RUN * size + 1):
            word = string[start : start + size]
            is_run = string[start : start + RUN * size] == word * RUN
            if is_run and word not in known and _is_primitive(word):
                known.add(word)
                yield word, start


def _is_primitive(word: Word) -> bool:
    """Whether a word is no repetition of a shorter one."""
    return all(word != word[:size] * (len(word) // size) for size in range(1, len(word)))


def _answers(
    source: KnownSource, before: Word, repeated: Word, after: Word, numbers: Iterable[int]
) -> tuple[str, ...] | None:
    """The first token of each right answer; None if one of the inputs has none."""
    answers = source.answers([[*before, *repeated * number, *after] for number in numbers])
    found = [answer[0] for answer in answers if answer is not None]
    return tuple(found) if len(found) == len(answers) else None


def goes_on(late: Sequence[str]) -> bool:
    """Whether the later answers still change again and again, up to the last."""
    changes = [place for place in range(1, len(late)) if late[place] != late[place - 1]]
    if len(changes) < CHANGES:
        return False
    gaps = np.diff([0, *changes, len(late)])
    return bool(gaps[-1] <= 2 * np.max(gaps[:-1]))
