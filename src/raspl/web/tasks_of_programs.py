"""A program as a task: random prompts, and what the program makes of them as the answers.

A program that writes keeps the constants around its prompt (`START … GO`), and its answer is what
it writes. Of any other program the answer is its last output.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from raspl.errors import RasplError
from raspl.program import Program
from raspl.tasks.task import NOTHING, Ints, Task, TaskError
from raspl.web.programs import end_token, find_program, read_tokens, token_names

FEWEST_TOKENS = 2
DEFAULT_TOKENS = tuple(range(10))
DISTINCT_TOKENS = 40
TRIED = 200
"""Prompts from which the answers' tokens are learned."""


def task_from_json(text: str) -> Task:
    """The task of a request of the playground."""
    return task_of(json.loads(text))


def task_of(request: dict[str, Any]) -> Task:
    """The task that a program sets, with prompts like the input beside it."""
    program = find_program(request["text"], request["program"])
    if len(program.graph.inputs) != 1:
        raise RasplError("only a program of one sequence can be turned into a task")
    (given,) = read_tokens(program, request["input"])
    end = end_token(program, request["until"]) if request["generate"] else None
    if request["generate"] and end is None:
        raise RasplError("a program that writes needs an end: define END, and write it")
    return _ProgramTask(program, given, end).task()


class _ProgramTask:
    """A sampler and a solver made of a program."""

    def __init__(self, program: Program, given: list[int], end: int | None) -> None:
        self._program = program
        self._end = end
        constants = set(token_names(program).values())
        plain = [n for n, token in enumerate(given) if token not in constants]
        first, last = (plain[0], plain[-1] + 1) if plain else (len(given), len(given))
        self._before, self._after = given[:first], given[last:]
        middle = given[first:last]
        self._distinct = end is not None and len(set(middle)) == len(middle) > 1
        self._tokens = self._alphabet(middle, constants)
        lengths = [1 + number * (self.longest - 1) // (TRIED - 1) for number in range(TRIED)]
        drawn = self._drawn(np.random.default_rng(0), lengths)
        answers = {token for answer in drawn[1] if answer is not None for token in answer}
        if not answers:
            raise RasplError("on random prompts the program fails or writes without end")
        numbers = {*self._tokens, *self._before, *self._after, *answers}
        if end is None:
            # An output that grows with the input, such as a count, has tokens up to its greatest.
            numbers |= set(range(min(answers), max(answers) + 1))
        self._numbers = sorted(numbers)
        self._symbol = {number: place for place, number in enumerate(self._numbers)}

    @property
    def longest(self) -> int:
        """The greatest length of a prompt."""
        return len(self._tokens) if self._distinct else 64

    def _alphabet(self, middle: list[int], constants: set[int]) -> list[int]:
        if self._distinct:
            return [token for token in range(DISTINCT_TOKENS) if token not in constants]
        found = sorted(set(middle))
        return found if len(found) >= FEWEST_TOKENS else [*DEFAULT_TOKENS]

    def task(self) -> Task:
        """The task, whose symbols are the program's tokens by number."""
        return Task(
            self._program.name,
            f"what the program {self._program.name} makes of random prompts",
            [str(number) for number in self._numbers],
            self.sample,
            self.solve,
            longest=self.longest if self._distinct else None,
        )

    def sample(self, rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        """Prompts of these lengths, and the answers; a prompt without an answer is drawn again."""
        prompts, answers = self._drawn(rng, [int(length) for length in lengths])
        for _ in range(20):
            missing = [row for row, answer in enumerate(answers) if not self._is_known(answer)]
            if not missing:
                break
            again = self._drawn(rng, [int(lengths[row]) for row in missing])
            for row, prompt, answer in zip(missing, *again, strict=True):
                prompts[row], answers[row] = prompt, answer
        else:
            raise TaskError("the program has no answer to most random prompts")
        return self._matrix(prompts), self._matrix([answer or [] for answer in answers])

    def solve(self, prompt: Any) -> list[str]:
        """The program's own answer."""
        answer = self._answers([[int(name) for name in prompt]])[0]
        return [str(token) for token in answer or []]

    def _is_known(self, answer: list[int] | None) -> bool:
        return answer is not None and all(token in self._symbol for token in answer)

    def _drawn(
        self, rng: np.random.Generator, lengths: list[int]
    ) -> tuple[list[list[int]], list[list[int] | None]]:
        prompts = [[*self._before, *self._middle(rng, length), *self._after] for length in lengths]
        return prompts, self._answers(prompts)

    def _middle(self, rng: np.random.Generator, length: int) -> list[int]:
        chosen = rng.choice(self._tokens, length, replace=not self._distinct)
        return [int(token) for token in chosen]

    def _answers(self, prompts: list[list[int]]) -> list[list[int] | None]:
        if self._end is None:
            results = self._program.batch(prompts)
            return [
                None if row in results.errors or results.outputs(row)[-1] is None
                else [int(results[row][-1])]
                for row in range(len(prompts))
            ]  # fmt: skip
        limit = 2 * max(map(len, prompts)) + 8
        done = self._program.generate_many(prompts, self._end, limit)
        return [
            [int(token) for token in whole[len(prompt) : -1]]
            if isinstance(whole, np.ndarray) and whole[-1] == self._end
            else None
            for prompt, whole in zip(prompts, done, strict=True)
        ]

    def _matrix(self, rows: list[list[int]]) -> Ints:
        matrix = np.full((len(rows), max(map(len, rows), default=0)), NOTHING, dtype=np.int64)
        for number, row in enumerate(rows):
            matrix[number, : len(row)] = [self._symbol[token] for token in row]
        return matrix
