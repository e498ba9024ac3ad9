"""Which candidates are no task worth training on, and which two are the same."""

from collections import Counter
from collections.abc import Hashable

import numpy as np

from raspl.executors.reference import RunError
from raspl.tasks.examples import NOTHING, Examples
from raspl.tasks.random.drawn import LONGEST, Drawn
from raspl.tasks.randomness import Purpose, stream
from raspl.tasks.task import Task, TaskError

LENGTHS = (16, 48)
"""Where labels and answers are looked at."""
LOOKED_AT = 200
MOST_COMMON = 0.9
"""The greatest share of one label or answer."""
LATE = 0.97
"""The same in the last quarter of a sequence: labels may settle, but not on one alone."""
COMPARED, COMPARED_TO = 80, 12
"""Prefixes on which two candidates are compared, and their greatest length."""


def objection(drawn: Drawn) -> str | None:
    """Why a candidate is not worth training on; None if it is."""
    task = drawn.task
    try:
        for length in LENGTHS:
            examples = task.examples(stream(0, Purpose.PROBE, length), np.full(LOOKED_AT, length))
            look = _labels if task.is_labelled else _answers
            found = look(task, examples.left_aligned(), drawn)
            if found is not None:
                return found
        task.examples(stream(0, Purpose.PROBE), np.full(8, LONGEST))
    except TaskError as error:
        return str(error)
    return None


def _labels(task: Task, examples: Examples, drawn: Drawn) -> str | None:
    inputs, labels = examples.questions()
    if _share(labels[labels != NOTHING]) > MOST_COMMON:
        return "One label is nearly all there is."
    late = labels[:, -labels.shape[1] // 4 :]
    if _share(late[late != NOTHING]) > LATE:
        return "In the end one label is nearly all there is."
    pairs = np.unique(np.stack([inputs, labels])[:, labels != NOTHING], axis=1)
    if len(np.unique(pairs[0])) == pairs.shape[1]:
        return "The label is a function of the symbol that it follows."
    return None


def _answers(task: Task, examples: Examples, drawn: Drawn) -> str | None:
    asked = [task.questions(examples, row)[0] for row in range(len(examples))]
    answers = Counter(tuple(answer) for _, answer in asked)
    if max(answers.values()) > MOST_COMMON * len(examples):
        return "One answer is nearly all there is."
    for place in (0, -1):
        pairs = {(prompt[place], tuple(answer)) for prompt, answer in asked}
        if len(pairs) == len({symbol for symbol, _ in pairs}):
            return "The answer is a function of one symbol at the edge of the prompt."
    return None


def _share(values: np.ndarray) -> float:
    """Of the commonest value."""
    return float(np.unique(values, return_counts=True)[1].max() / values.size)


def behaviour(drawn: Drawn) -> Hashable | None:
    """What a candidate does on fixed inputs; the same for two that differ in names only.

    None if there is an input among them that it has no answer to.
    """
    letters, numbers = drawn.letters, np.random.default_rng(0)
    said: dict[str, int] = {}
    found: list[tuple[int, ...]] = []
    for number in range(COMPARED):
        size = number % COMPARED_TO + 1
        prompt = [letters[one] for one in numbers.integers(len(letters), size=size)]
        try:
            answer = drawn.task.solve(prompt)
        except (ValueError, RunError):
            return None
        found.append(tuple(said.setdefault(symbol, len(said)) for symbol in answer))
    return drawn.task.is_labelled, len(letters), tuple(found)
