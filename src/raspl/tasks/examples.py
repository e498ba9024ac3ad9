"""Framed examples: tokens in rows, and what is asked of them."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from raspl.errors import RasplError

Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]

NOTHING = -1
"""Stands in a sampler's matrix where a row has no token, or where no label is asked."""

FRAME = ("SoS", ">", "EoS")
"""The tokens that every alphabet begins with, so that programs may rely on their ids."""
START, SEPARATOR, END = range(len(FRAME))


class TaskError(RasplError):
    """A mistake in a task or in what was asked of it, said in one sentence."""


@dataclass(frozen=True)
class Examples:
    """Framed examples, one a row; `tokens` has NOTHING in the holes."""

    tokens: Ints
    answers: Bools
    """True at the tokens that are the task's output: the answer and the end token."""
    labels: Ints | None = None
    """Of a labelled task: the token that is wanted after each token, NOTHING where none is asked;
    its examples have no answers."""

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
        if self.labels is None:
            return Examples(tokens, answers)
        labels = np.full((len(self), width), NOTHING, dtype=np.int64)
        labels[row, target] = self.labels[row, source]
        return Examples(tokens, answers, labels)

    def rows(self, chosen: slice | Ints) -> "Examples":
        """Some of the examples."""
        labels = None if self.labels is None else self.labels[chosen]
        return Examples(self.tokens[chosen], self.answers[chosen], labels)

    def questions(self) -> tuple[Ints, Ints]:
        """What a model reads, and the token wanted after each; NOTHING where none is asked.

        The examples must be left-aligned.
        """
        if self.labels is not None:
            return self.tokens, self.labels
        wanted = np.where(self.answers[:, 1:], self.tokens[:, 1:], NOTHING)
        return self.tokens[:, :-1], wanted


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


def frame_labelled(symbols: Ints, labels: Ints, first_label: int) -> Examples:
    """Put a start before symbols, and number the labels as tokens, from `first_label` on."""
    rows, width = symbols.shape
    tokens = np.full((rows, width + 1), START, dtype=np.int64)
    tokens[:, 1:] = np.where(symbols < 0, NOTHING, symbols + len(FRAME))
    asked = np.full((rows, width + 1), NOTHING, dtype=np.int64)
    asked[:, 1:] = np.where((labels < 0) | (symbols < 0), NOTHING, labels + first_label)
    return Examples(tokens, np.zeros(tokens.shape, dtype=np.bool_), asked)


def keep(tokens: Ints, lengths: Ints) -> Ints:
    """The first tokens of each row, as many as its length; NOTHING after them."""
    return np.where(np.arange(tokens.shape[1]) < lengths[:, None], tokens, NOTHING)


def interleave(*columns: Ints) -> Ints:
    """Matrices of one shape woven column by column: first of each, second of each, …"""
    return np.stack(columns, axis=2).reshape(len(columns[0]), -1)
