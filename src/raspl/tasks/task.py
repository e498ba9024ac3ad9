"""What a task is: an alphabet, a way to draw examples, and a plain-Python solver.

A sampler works in *symbols*: the task's own tokens, numbered from 0. It returns two integer
matrices, one row an example: the prompt and the answer, with `NOTHING` wherever a row has no
token. Holes may stand anywhere, so a sampler never has to move tokens to the left. The frame

    SoS prompt > answer EoS

is the same for every task and is added here, not by the sampler.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from raspl.errors import RasplError
from raspl.tasks.randomness import Purpose, stream

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Sampler: TypeAlias = Callable[[np.random.Generator, Ints], tuple[Ints, Ints]]
Solver: TypeAlias = Callable[[Sequence[str]], Sequence[str]]

Predict: TypeAlias = Callable[[Ints], Ints]
"""A model's next token at every position of a batch of sequences."""

NOTHING = -1
"""Stands in a sampler's matrix where a row has no token."""

FRAME = ("SoS", ">", "EoS")
"""The tokens that every alphabet begins with, so that programs may rely on their ids."""
START, SEPARATOR, END = range(len(FRAME))
CHECKED = 20
"""Examples on which a sampler and a solver are compared before training."""


class TaskError(RasplError):
    """A mistake in a task or in what was asked of it, said in one sentence."""


@dataclass(frozen=True)
class Examples:
    """Framed examples, one a row; `tokens` has NOTHING in the holes."""

    tokens: Ints
    answers: Bools
    """True at the tokens that are the task's output: the answer and the end token."""

    @property
    def present(self) -> Bools:
        return np.not_equal(self.tokens, NOTHING)

    @property
    def sizes(self) -> Ints:
        """How many tokens each example has."""
        return np.asarray(self.present.sum(axis=1), dtype=np.int64)

    def __len__(self) -> int:
        return len(self.tokens)

    def left_aligned(self) -> "Examples":
        """The same examples without holes between tokens; holes only on the right."""
        present = self.present
        column = np.cumsum(present, axis=1) - 1
        row, source = np.nonzero(present)
        width = int(column[:, -1].max(initial=-1)) + 1
        tokens = np.full((len(self), width), NOTHING, dtype=np.int64)
        answers = np.zeros((len(self), width), dtype=np.bool_)
        target = column[row, source]
        tokens[row, target] = self.tokens[row, source]
        answers[row, target] = self.answers[row, source]
        return Examples(tokens, answers)


@dataclass(frozen=True)
class Counterfactual:
    """Is a model running the algorithm, or does it fit the training set? Tests that tell."""

    words: Mapping[str, str]
    """Each test in a few words, by its name."""
    run: Callable[[Predict, int, int], Mapping[str, float]]
    """From a model's predictions, a seed and a length to the share passed, by the test's name."""


@dataclass(frozen=True)
class Task:
    name: str
    about: str
    symbols: Sequence[str]
    sample: Sampler
    """Draws examples of the given lengths: the training distribution unless a run names another."""
    solve: Solver
    """From the prompt's token names to the answer's, in plain Python: the definition."""
    variants: Mapping[str, Sampler] = field(default_factory=dict)
    """Other named distributions in the same format."""
    test_on: str = "train"
    """The distribution that length generalisation is judged on."""
    every: Callable[[int], tuple[Ints, Ints]] | None = None
    """All examples of a length, where there are few enough to test every one."""
    shortest: int = 1
    longest: int | None = None
    """The greatest length that the alphabet allows."""
    final: int | None = None
    """How many of the last answer tokens are the final answer; None, without scratchpad, if all."""
    program: Path | None = None
    """RASP-L source of the next-token program in this task's format."""
    words: Mapping[str, str] = field(default_factory=dict)
    """Distributions as a sentence names them, such as "hard carries" for "hard"."""
    counterfactual: "Counterfactual | None" = None
    """Tests on sequences that no example looks like."""
    separator: bool = True
    """Whether `>` stands between prompt and answer."""

    def __post_init__(self) -> None:
        wrong = [symbol for symbol in self.symbols if not isinstance(symbol, str)]
        if wrong:
            raise TaskError(
                f"Task {self.name}: symbols are names, and {wrong[0]!r} is none; "
                f"write {str(wrong[0])!r}."
            )
        names = (*FRAME, *self.symbols)
        if len(set(names)) != len(names):
            raise TaskError(f"Task {self.name}: every token needs a name of its own.")
        if self.test_on not in self.distributions:
            raise TaskError(f"Task {self.name} is tested on {self.test_on!r}, which it lacks.")

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """Token names by id."""
        return (*FRAME, *self.symbols)

    @property
    def has_one_length(self) -> bool:
        return self.shortest == self.longest

    @property
    def distributions(self) -> Mapping[str, Sampler]:
        return {"train": self.sample, **self.variants}

    def names(self, tokens: Sequence[int] | Ints) -> list[str]:
        """Token names, for people; holes are left out."""
        return [self.alphabet[int(token)] for token in tokens if token != NOTHING]

    def ids(self, names: Sequence[str]) -> list[int]:
        index = {name: number for number, name in enumerate(self.alphabet)}
        unknown = [name for name in names if name not in index]
        if unknown:
            raise TaskError(f"Task {self.name} has no token {unknown[0]!r}.")
        return [index[name] for name in names]

    def examples(self, rng: np.random.Generator, lengths: Ints, on: str = "train") -> Examples:
        """Examples of the given lengths from a named distribution."""
        if on not in self.distributions:
            known = ", ".join(self.distributions)
            raise TaskError(f"Task {self.name} has no distribution {on!r}; it has {known}.")
        self.check_length(int(lengths.min()))
        self.check_length(int(lengths.max()))
        try:
            drawn = self.distributions[on](rng, lengths)
        except TaskError:
            raise
        except Exception as error:
            raise TaskError(
                f"Task {self.name}: its sampler for {on!r} failed with {type(error).__name__}: "
                f"{error}"
            ) from error
        found = self.framed(drawn)
        if len(found) != len(lengths):
            raise TaskError(
                f"Task {self.name}: asked for {len(lengths)} examples, its sampler for {on!r} "
                f"returned {len(found)}."
            )
        return found

    def check_solver(self, length: int) -> None:
        """A user's sampler and solver must say the same of what is right."""
        size = self.shortest if self.longest == self.shortest else max(length, self.shortest)
        drawn = self.examples(stream(0, Purpose.SHOW), np.full(CHECKED, size))
        for row, is_answer in zip(drawn.tokens, drawn.answers, strict=True):
            prompt, answer = self.parts(row, is_answer)
            try:
                solved = list(self.solve(prompt))
            except Exception as error:
                raise TaskError(
                    f"Task {self.name}: its solver failed on {' '.join(prompt)!r} with "
                    f"{type(error).__name__}: {error}"
                ) from error
            if solved != answer:
                raise TaskError(
                    f"Task {self.name}: of {' '.join(prompt)!r} the sampler says "
                    f"{' '.join(answer)!r} and the solver {' '.join(map(str, solved))!r}."
                )

    def parts(self, row: Ints, is_answer: Bools) -> tuple[list[str], list[str]]:
        """The names of an example's prompt and of its answer, without the frame."""
        prompt, answer = self.names(row[~is_answer]), self.names(row[is_answer])
        return prompt[1:-1] if self.separator else prompt[1:], answer[:-1]

    def enumerated(self, length: int) -> Examples | None:
        """Every example of a length, if the task can list them."""
        if self.every is None:
            return None
        self.check_length(length)
        return self.framed(self.every(length))

    def framed(self, drawn: tuple[Ints, Ints]) -> Examples:
        """What a sampler drew, checked, as it may be a user's own."""
        fits = isinstance(drawn, tuple) and len(drawn) == 2 and all(map(is_table, drawn))
        if not fits or len(drawn[0]) != len(drawn[1]):
            raise TaskError(
                f"Task {self.name}: a sampler must return two integer arrays, prompts and answers, "
                "with a row for each example."
            )
        largest = max(int(part.max(initial=0)) for part in drawn)
        if largest >= len(self.symbols):
            raise TaskError(
                f"Task {self.name}: a sampler returned symbol {largest}; with {len(self.symbols)} "
                f"symbols they go from 0 to {len(self.symbols) - 1}."
            )
        smallest = min(int(part.min(initial=0)) for part in drawn)
        if smallest < NOTHING:
            raise TaskError(
                f"Task {self.name}: a sampler returned symbol {smallest}; symbols go from 0, and "
                f"{NOTHING} stands where a row has no token."
            )
        return frame(*drawn, self.separator)

    def check_length(self, length: int) -> None:
        if length < self.shortest or (self.longest is not None and length > self.longest):
            most = "any length" if self.longest is None else self.longest
            raise TaskError(
                f"Task {self.name} has no examples of length {length}: "
                f"its lengths go from {self.shortest} to {most}."
            )


def is_table(part: object) -> bool:
    return isinstance(part, np.ndarray) and part.ndim == 2 and part.dtype.kind in "iu"


def frame(prompt: Ints, answer: Ints, separator: bool = True) -> Examples:
    """Put start, separator and end around symbols, which move up behind the frame's ids."""
    rows = len(prompt)
    if len(answer) != rows:
        raise TaskError(f"A sampler returned {rows} prompts but {len(answer)} answers.")
    left, right = prompt.shape[1], answer.shape[1]
    tokens = np.empty((rows, left + right + 3), dtype=np.int64)
    tokens[:, 0] = START
    tokens[:, 1 : left + 1] = np.where(prompt < 0, NOTHING, prompt + len(FRAME))
    tokens[:, left + 1] = SEPARATOR if separator else NOTHING
    tokens[:, left + 2 : -1] = np.where(answer < 0, NOTHING, answer + len(FRAME))
    tokens[:, -1] = END
    answers = np.zeros(tokens.shape, dtype=np.bool_)
    answers[:, left + 2 :] = True
    return Examples(tokens, answers)


def keep(tokens: Ints, lengths: Ints) -> Ints:
    """The first tokens of each row, as many as its length; NOTHING after them."""
    return np.where(np.arange(tokens.shape[1]) < lengths[:, None], tokens, NOTHING)


def interleave(*columns: Ints) -> Ints:
    """Matrices of one shape woven column by column: first of each, second of each, …"""
    return np.stack(columns, axis=2).reshape(len(columns[0]), -1)
