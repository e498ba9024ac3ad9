"""What a task is: an alphabet, a way to draw examples, and a plain-Python solver.

A sampler works in *symbols*: the task's own tokens, numbered from 0. It returns two integer
matrices, one row an example: the prompt and the answer, with `NOTHING` wherever a row has no
token. Holes may stand anywhere, so a sampler never has to move tokens to the left. The frame

    SoS prompt > answer EoS

is the same for every task and is added here, not by the sampler.

A *labelled* task asks for a label at positions of a sequence instead. Its sampler returns two
matrices of one shape: the symbols, and after each the label that is wanted or `NOTHING`. The frame
is `SoS` alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from raspl.tasks import making
from raspl.tasks.examples import (
    END,
    FRAME,
    NOTHING,
    SEPARATOR,
    START,
    Bools,
    Examples,
    Ints,
    TaskError,
    frame,
    frame_labelled,
    interleave,
    keep,
)
from raspl.tasks.making import Draw, Label, Sampler, Solver
from raspl.tasks.randomness import Purpose, stream

__all__ = [
    "END",
    "FRAME",
    "NOTHING",
    "SEPARATOR",
    "START",
    "Bools",
    "Counterfactual",
    "Examples",
    "Ints",
    "Predict",
    "Sampler",
    "Solver",
    "Task",
    "TaskError",
    "frame",
    "interleave",
    "keep",
]

Predict: TypeAlias = Callable[[Ints], Ints]
"""A model's next token at every position of a batch of sequences."""

CHECKED = 20
"""Examples on which a sampler and a solver are compared."""
GROWN = 4
"""Examples so many times as long must have more tokens."""


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
    """From the prompt's token names to the answer's, in plain Python: the definition. Of a labelled
    task: from the symbols so far to their label, and to nothing where none is asked."""
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
    is_labelled: bool = False
    """Whether it asks for labels at positions of a sequence, and not for an answer after it."""
    labels: Sequence[str] = ()
    """The names of labels that are not symbols; if there are none, its labels are symbols."""
    separator: bool = True
    """Whether `>` stands between prompt and answer."""
    solve_many: Callable[[Sequence[Sequence[str]]], list[list[str] | None]] | None = None
    """What `solve` does, for many prompts at once, where that is much faster; None for a prompt
    that has no answer."""

    @classmethod
    def from_solver(
        cls, name: str, symbols: Sequence[str], prompts: Draw, solve: Solver, **others: Any
    ) -> "Task":
        """A task of which `prompts(rng, length)` gives one prompt, and `solve(prompt)` its answer.

        Both are lists of symbols. `others` are further fields of a Task, such as `longest`.
        """
        solver = making.checked_solver(name, symbols, solve)
        sampler = making.prompt_sampler(name, symbols, prompts, solver)
        return cls(name, others.pop("about", ""), symbols, sampler, solver, **others)

    @classmethod
    def labelled(
        cls,
        name: str,
        symbols: Sequence[str],
        draw: Draw,
        label: Label,
        *,
        labels: Sequence[str] = (),
        **others: Any,
    ) -> "Task":
        """A task that asks for a label at positions of a sequence.

        `draw(rng, length)` gives the symbols of one sequence, and `label(prefix)` the label wanted
        after that prefix, or None where nothing is asked. Labels are symbols, or names from
        `labels`. `others` are further fields of a Task, such as `longest`.
        """
        solver = making.label_solver(name, labels or symbols, label)
        sampler = making.label_sampler(name, symbols, labels or symbols, draw, solver)
        about = others.pop("about", "")
        return cls(name, about, symbols, sampler, solver, is_labelled=True, labels=labels, **others)

    def __post_init__(self) -> None:
        wrong = [symbol for symbol in self.symbols if not isinstance(symbol, str)]
        if wrong:
            raise TaskError(
                f"Task {self.name}: symbols are names, and {wrong[0]!r} is not one; "
                f"write {str(wrong[0])!r}."
            )
        if len(set(self.alphabet)) != len(self.alphabet):
            twice = next(name for name in self.alphabet if self.alphabet.count(name) > 1)
            raise TaskError(
                f"Task {self.name}: every token needs a name of its own, and {twice!r} is twice "
                f"among its {'symbols, its labels' if self.labels else 'symbols'} and the frame's "
                f"{', '.join(FRAME)}."
            )
        if self.test_on not in self.distributions:
            raise TaskError(f"Task {self.name} is tested on {self.test_on!r}, which it lacks.")

    @cached_property
    def alphabet(self) -> tuple[str, ...]:
        """Token names by id."""
        return (*FRAME, *self.symbols, *self.labels)

    @property
    def first_label(self) -> int:
        """The id of a labelled task's first label."""
        return len(FRAME) + (len(self.symbols) if self.labels else 0)

    @cached_property
    def outputs(self) -> tuple[int, ...]:
        """What a program outputs for each token id.

        A symbol is its id. Labels that are no symbols are the numbers that they name, if they all
        name one; if not, they are numbered from 0.
        """
        ids = range(len(self.alphabet) - len(self.labels))
        try:
            values = [int(label) for label in self.labels]
        except ValueError:
            values = list(range(len(self.labels)))
        return (*ids, *values)

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
        size = self.shortest if self.has_one_length else max(length, self.shortest)
        size = min(size, self.longest or size)
        drawn = self.examples(stream(0, Purpose.SHOW), np.full(CHECKED, size)).left_aligned()
        for example in range(len(drawn)):
            for given, wanted in self.questions(drawn, example):
                self.check_answer(given, wanted)
        if self.is_labelled and (drawn.questions()[1] == NOTHING).all():
            raise TaskError(f"Task {self.name} asks for no label in sequences of length {size}.")
        self._check_growth(size)

    def _check_growth(self, length: int) -> None:
        """Longer examples must have more tokens, if not at every step: a language lacks lengths."""
        long = min(GROWN * length, self.longest or GROWN * length)
        sizes = {
            int(size)
            for one in (self.shortest, long)
            for size in self.examples(stream(0, Purpose.SHOW), np.full(CHECKED, one)).sizes
        }
        if long > self.shortest and len(sizes) == 1:
            raise TaskError(
                f"Task {self.name}: examples of length {long} have as many tokens as those of "
                f"length {self.shortest}; draw as many symbols as the length says."
            )

    def questions(self, examples: Examples, row: int) -> list[tuple[list[str], list[str]]]:
        """What the solver is asked in a left-aligned example, with what the sampler says."""
        if examples.labels is None:
            return [self.parts(examples.tokens[row], examples.answers[row])]
        names = self.names(examples.tokens[row])
        labels = [self.names([label]) for label in examples.labels[row]]
        return [(names[1 : end + 1], labels[end]) for end in range(1, len(names))]

    def check_answer(self, given: list[str], wanted: list[str]) -> None:
        try:
            solved = list(self.solve(given))
        except TaskError:
            raise
        except Exception as error:
            raise TaskError(
                f"Task {self.name}: its solver failed on the prompt {' '.join(given)!r} with "
                f"{type(error).__name__}: {error}."
            ) from error
        if solved != wanted:
            raise TaskError(
                f"Task {self.name}: for the prompt {' '.join(given)!r} the sampler gives the "
                f"answer {' '.join(wanted)!r} and the solver {' '.join(map(str, solved))!r}. If "
                "both are one function, it gives two answers to one prompt."
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
        labels = (self.labels or self.symbols) if self.is_labelled else None
        making.check_drawn(self.name, drawn, self.symbols, labels)
        if self.is_labelled:
            return frame_labelled(*drawn, first_label=self.first_label)
        return frame(*drawn, self.separator)

    def check_length(self, length: int) -> None:
        if length < self.shortest or (self.longest is not None and length > self.longest):
            most = "any length" if self.longest is None else self.longest
            raise TaskError(
                f"Task {self.name} has no examples of length {length}: "
                f"its lengths go from {self.shortest} to {most}."
            )
