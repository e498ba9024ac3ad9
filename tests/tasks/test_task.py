"""The frame around prompt and answer, and what every shipped task must keep."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl.tasks import END, SEPARATOR, SHIPPED, START, Purpose, Task, TaskError, find, stream
from raspl.tasks.task import NOTHING, frame, keep

CASES = [(name, on) for name in SHIPPED for on in find(name).distributions]


def lengths_of(task: Task, longest: int, number: int, seed: int) -> np.ndarray:
    top = task.longest if task.shortest > 1 else longest
    assert top is not None
    return np.random.default_rng(seed).integers(task.shortest, top + 1, size=number)


def split(task: Task, row: np.ndarray) -> tuple[list[str], list[str]]:
    names = task.names(row)
    middle = names.index(">")
    assert (names[0], names[-1]) == ("SoS", "EoS")
    return names[1:middle], names[middle + 1 : -1]


@pytest.mark.parametrize(("name", "on"), CASES)
@settings(deadline=None, max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_every_example_is_what_the_solver_says(name: str, on: str, seed: int) -> None:
    task = find(name)
    rng = stream(seed, Purpose.SHOW)
    examples = task.examples(rng, lengths_of(task, 30, 8, seed), on)
    for row in examples.tokens:
        prompt, answer = split(task, row)
        assert list(task.solve(prompt)) == answer


@pytest.mark.parametrize("name", list(SHIPPED))
def test_answers_are_the_tokens_after_the_separator(name: str) -> None:
    task = find(name)
    examples = task.examples(stream(0, Purpose.SHOW), lengths_of(task, 9, 20, 0)).left_aligned()
    for row, answers in zip(examples.tokens, examples.answers, strict=True):
        middle = list(row).index(SEPARATOR)
        size = int((row != NOTHING).sum())
        assert answers.nonzero()[0].tolist() == list(range(middle + 1, size))
        assert (row[0], row[size - 1]) == (START, END)


@pytest.mark.parametrize("name", list(SHIPPED))
def test_what_is_drawn_depends_on_its_address_only(name: str) -> None:
    task = find(name)
    lengths = lengths_of(task, 9, 20, 0)
    first, again = (task.examples(stream(3, Purpose.TRAIN, 7), lengths) for _ in range(2))
    other = task.examples(stream(3, Purpose.TRAIN, 8), lengths)
    assert np.array_equal(first.tokens, again.tokens)
    assert not np.array_equal(first.tokens, other.tokens)


@pytest.mark.parametrize("name", list(SHIPPED))
def test_lengths_beyond_the_alphabet_are_refused(name: str) -> None:
    task = find(name)
    if task.longest is None:
        return
    with pytest.raises(TaskError, match=f"no examples of length {task.longest + 1}"):
        task.examples(stream(0, Purpose.SHOW), np.array([task.longest + 1]))


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(-1, 5), min_size=4, max_size=4), min_size=1, max_size=5))
def test_left_aligning_keeps_tokens_and_order(rows: list[list[int]]) -> None:
    examples = frame(np.array(rows), np.array(rows))
    aligned = examples.left_aligned()
    for before, after in zip(examples.tokens, aligned.tokens, strict=True):
        tokens = before[before != NOTHING]
        assert np.array_equal(after[: len(tokens)], tokens)
        assert (after[len(tokens) :] == NOTHING).all()
    assert np.array_equal(examples.sizes, aligned.sizes)


def test_keep_cuts_rows_at_their_length() -> None:
    kept = keep(np.array([[1, 2, 3], [4, 5, 6]]), np.array([1, 3]))
    assert kept.tolist() == [[1, NOTHING, NOTHING], [4, 5, 6]]


def test_names_and_ids_are_inverse() -> None:
    task = find("count")
    names = ["SoS", "2", "5", ">", "2", "3", "4", "5", "EoS"]
    assert task.names(task.ids(names)) == names
    with pytest.raises(TaskError, match="no token 'x'"):
        task.ids(["x"])


def test_tokens_need_names_of_their_own() -> None:
    with pytest.raises(TaskError, match="name of its own"):
        Task("twice", "", ["a", "a"], find("count").sample, list)
