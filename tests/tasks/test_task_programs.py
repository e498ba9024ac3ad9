"""A task's RASP-L program writes exactly the sampler's answers, at any length."""

import numpy as np
import pytest

from raspl.tasks import END, SEPARATOR, SHIPPED, Purpose, Task, find, stream
from raspl.tasks.programs import FOLDER, next_token

WITH_PROGRAM = [name for name in SHIPPED if find(name).program is not None]
SLOW = {"addition-forward": 20, "addition-reverse": 20}
"""The reference executor takes seconds for long additions; the slow test goes further."""


def writes_the_answers(task: Task, on: str, length: int, number: int) -> None:
    assert task.program is not None
    program = next_token(task.program)
    examples = task.examples(stream(5, Purpose.SHOW, length), np.full(number, length), on)
    for row in examples.left_aligned().tokens:
        example = row[row >= 0].tolist()
        prompt = example[: example.index(SEPARATOR) + 1]
        assert program.generate(prompt, until=END, limit=2 * len(example)).tolist() == example


@pytest.mark.parametrize("name", WITH_PROGRAM)
def test_program_writes_the_answers_at_train_lengths_and_beyond(name: str) -> None:
    task = find(name)
    lengths = [20] if name == "conjunction" else [1, 2, 3, 8, SLOW.get(name, 60)]
    for on in task.distributions:
        for length in lengths:
            writes_the_answers(task, on, length, 2 if length > 10 and name in SLOW else 8)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW))
def test_addition_programs_at_fifty_digits(name: str) -> None:
    for on in ("balanced", "hard", "easy"):
        writes_the_answers(find(name), on, 50, 2)


def test_every_program_belongs_to_a_task() -> None:
    used = {find(name).program for name in WITH_PROGRAM}
    assert used == set(FOLDER.glob("*.py"))
