"""A task's RASP-L program writes exactly the sampler's answers, at any length."""

import numpy as np
import pytest

from raspl import programs
from raspl.tasks import END, SEPARATOR, SHIPPED, Purpose, Task, find, stream

WITH_PROGRAM = [name for name in SHIPPED if find(name).program is not None]
SLOW = {"addition_forward": 20, "addition_reverse": 20}
"""The reference executor takes seconds for long additions; the slow test goes further."""


def writes_the_answers(task: Task, on: str, length: int, number: int) -> None:
    assert task.program is not None
    program = programs.load_single(task.program)
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
    """NAME is the task's own, NAME_paper the same algorithm in the paper's format."""
    ours = {name for name in programs.NAMES if not name.endswith("_paper")}
    assert ours == set(WITH_PROGRAM)
    assert {name.removesuffix("_paper") for name in programs.NAMES} == ours


@pytest.mark.parametrize("name", programs.NAMES)
def test_every_program_has_an_alphabet(name: str) -> None:
    tokens = programs.alphabet(name)
    assert tokens
    task = find(name.removesuffix("_paper"))
    if name == task.name:
        assert tokens == tuple(range(len(task.alphabet)))
