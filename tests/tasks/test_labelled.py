"""Tasks from functions that know one example: labels and answers are what plain Python says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl.tasks import FRAME, NOTHING, START, Purpose, Task, TaskError, stream

LETTERS = "abc"


def letters(rng: np.random.Generator, length: int) -> list[str]:
    return list(rng.choice(list(LETTERS), size=length))


def labelled(label: Any, **others: Any) -> Task:
    return Task.labelled("mine", LETTERS, letters, label, **others)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32), asked=st.integers(1, 4))
def test_every_label_is_that_of_its_prefix(seed: int, asked: int) -> None:
    def label(prefix: Sequence[str]) -> str | None:
        return None if len(prefix) % asked else ("even", "odd")[prefix.count("a") % 2]

    task = labelled(label, labels=("even", "odd"))
    drawn = task.examples(stream(seed, Purpose.SHOW), np.array([7, 4, 9])).left_aligned()
    assert drawn.labels is not None
    for row, labels in zip(drawn.tokens, drawn.labels, strict=True):
        names = task.names(row)
        assert row[0] == START
        assert labels[0] == NOTHING
        for end in range(1, len(names)):
            wanted = label(names[1 : end + 1])
            assert task.names([labels[end]]) == ([] if wanted is None else [wanted])
    task.check_solver(9)


def test_labels_may_be_symbols_and_then_are_their_tokens() -> None:
    task = labelled(lambda prefix: prefix[0])
    drawn = task.examples(stream(0, Purpose.SHOW), np.full(5, 6))
    assert drawn.labels is not None
    assert (drawn.labels[:, 1:] == drawn.tokens[:, 1:2]).all()
    assert task.outputs == tuple(range(len(FRAME) + len(LETTERS)))


def test_programs_output_the_numbers_that_labels_name() -> None:
    assert labelled(len, labels=("-1", "7")).outputs[-2:] == (-1, 7)
    assert labelled(len, labels=("no", "yes")).outputs[-2:] == (0, 1)


def test_a_solver_and_prompts_make_a_task() -> None:
    task = Task.from_solver("last", LETTERS, letters, lambda prompt: [prompt[-1], prompt[-1]])
    task.check_solver(5)
    drawn = task.examples(stream(0, Purpose.SHOW), np.array([1, 3]))
    assert drawn.labels is None
    for row, length in zip(drawn.tokens, (1, 3), strict=True):
        names = task.names(row)
        assert names[length + 1] == ">"
        assert names[length + 2 :] == [names[length], names[length], "EoS"]


@pytest.mark.parametrize("kind", ["labelled", "from_solver"])
def test_what_is_drawn_depends_on_its_address_only(kind: str) -> None:
    make = getattr(Task, kind)
    task = make("mine", LETTERS, letters, lambda prefix: prefix[-1])
    lengths = np.array([3, 8, 5])
    first, again, other = (
        task.examples(stream(1, Purpose.TRAIN, step), lengths).tokens for step in (4, 4, 5)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("prompts", "solve", "sentence"),
    [
        (lambda rng, n: 5, list, "prompts(rng, 4) returned 5, and not a list of symbols"),
        (lambda rng, n: None, list, "returned None, and not a list"),
        (lambda rng, n: np.zeros((2, n), int), list, "an array of shape (2, 4); it is called once"),
        (lambda rng, n: [0, 1], list, "0 at position 0, which is not a symbol; its symbols are"),
        (lambda rng, n: [0, 1], list, "Symbols are names, not numbers: was 'a' meant?"),
        (lambda rng, n: "abd", list, "returned 'd' at position 2"),
        (lambda rng, n: [True], list, "returned True at position 0"),
        (lambda rng, n: 1 / 0, list, "ZeroDivisionError"),
        (letters, lambda p: None, "returned None, and not a list of symbols such as ['a', 'b'"),
        (letters, lambda p: ["x"], "returned 'x' at position 0"),
        (letters, lambda p: p[99], "failed on"),
    ],
)
def test_what_a_users_function_returns_is_explained(
    prompts: Any, solve: Any, sentence: str
) -> None:
    task = Task.from_solver("mine", LETTERS, prompts, solve)
    with pytest.raises(TaskError) as error:
        task.check_solver(4)
    assert sentence in str(error.value)
    assert "Task mine" in str(error.value)


def test_functions_that_take_something_else_are_explained() -> None:
    prompts: Any
    label: Any
    prompts, label = (lambda rng, n, extra: ["a"]), (lambda: "a")
    with pytest.raises(TaskError) as error:
        Task.from_solver("mine", LETTERS, prompts, list)
    assert str(error.value) == (
        "Task mine: prompts is called as prompts(rng, length), and yours takes (rng, n, extra)."
    )
    with pytest.raises(TaskError, match=r"label is called as label\(prefix\)"):
        Task.labelled("mine", LETTERS, letters, label)


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        (lambda prefix: "yes", "returned 'yes', which is none of its labels 'a', 'b', 'c'"),
        (lambda prefix: True, "returned True, which is none of its labels"),
        (lambda prefix: ["a"], "returned ['a'], which is none of its labels"),
        (lambda prefix: prefix[3], "label failed on 'a' with IndexError"),
        (lambda prefix: None, "asks for no label in sequences of length 4"),
    ],
)
def test_what_a_users_label_returns_is_explained(label: Any, sentence: str) -> None:
    with pytest.raises(TaskError) as error:
        labelled(label).check_solver(4)
    assert sentence in str(error.value)


def test_labels_need_names_of_their_own() -> None:
    with pytest.raises(TaskError, match="'a' is twice among its symbols, its labels"):
        labelled(len, labels=("a", "x"))


def test_a_labelled_sampler_that_disagrees_with_its_solver_is_refused() -> None:
    def sample(rng: np.random.Generator, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        symbols = rng.integers(2, size=(len(lengths), int(lengths.max())))
        return symbols, symbols

    good = Task("same", "", "ab", sample, lambda prefix: prefix[-1:], is_labelled=True)
    good.check_solver(5)
    bad = Task("first", "", "ab", sample, lambda prefix: prefix[:1], is_labelled=True)
    with pytest.raises(TaskError, match="the sampler gives the answer 'b' and the solver 'a'"):
        bad.check_solver(5)


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        (
            (np.zeros((3, 2), int), np.zeros((3, 1), int)),
            "both of one shape; it returned one array",
        ),
        (np.zeros((3, 2), int), "returned one array of int64 of shape (3, 2)"),
        ((np.zeros((3, 2), int), np.full((3, 2), 5)), "returned label 5; with 2 labels"),
        ((np.zeros((3, 2)), np.zeros((3, 2), int)), "one array of float64 of shape (3, 2)"),
        (None, "something of type NoneType"),
    ],
)
def test_wrong_shapes_are_explained(drawn: Any, sentence: str) -> None:
    task = Task("wrong", "", "ab", lambda rng, n: drawn, list, is_labelled=True, labels=("x", "y"))
    with pytest.raises(TaskError) as error:
        task.examples(stream(0, Purpose.SHOW), np.full(3, 2))
    assert sentence in str(error.value)


def test_a_sampler_that_passes_over_the_length_is_told() -> None:
    same = Task.from_solver("same", ["a", "b"], lambda rng, length: ["a", "b"], lambda p: p[:1])
    with pytest.raises(TaskError, match="as many tokens as those of length 1; draw as many"):
        same.check_solver(8)
