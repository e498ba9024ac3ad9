"""The examples of a task as a source that the search can draw from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from raspl.synthesis.examples import Example, ExampleSource
from raspl.synthesis.practice import PRACTICE
from raspl.tasks import SHIPPED, ShippedTask, find
from raspl.tasks.registry import unknown_task
from raspl.tasks.shipped import Value
from raspl.tasks.task import FRAME, NOTHING, Task, TaskError

MOST_LITERALS = 6
"""An alphabet up to this size is offered to the search as literals in full."""
NAMES = (*SHIPPED, *PRACTICE)


@dataclass(frozen=True)
class TaskSource:
    """The examples of a task on one of its distributions."""

    task: Task
    on: str = "train"
    shipped: ShippedTask | None = None
    """None for a user's own task: of such a task nobody has said what programs it has."""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    """Those that the task was built with, if they were set."""

    @property
    def name(self) -> str:
        return self.task.name

    @property
    def literals(self) -> tuple[int, ...]:
        size = len(self.task.alphabet)
        return tuple(range(size if size <= MOST_LITERALS else len(FRAME)))

    @property
    def lengths(self) -> tuple[int, int | None]:
        return self.task.shortest, self.task.longest

    @property
    def length_parameter(self) -> str | None:
        """The parameter that sets the length of a shipped task, if it has only one."""
        return None if self.shipped is None else self.shipped.length_parameter

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        drawn = self.task.examples(rng, np.array(lengths), self.on).left_aligned()
        examples = []
        for row, answers in zip(drawn.tokens, drawn.answers, strict=True):
            size = int((row != NOTHING).sum())
            wanted = (int(t) if a else None for t, a in zip(row[1:size], answers[1:], strict=False))
            examples.append(Example(tuple(map(int, row[: size - 1])), tuple(wanted)))
        return examples

    def show(self, tokens: Sequence[int]) -> str:
        return " ".join(self.task.names(tokens))

    def at_test(self, length: int) -> TaskSource:
        """The task as it is tested at a length: on its test distribution, and built for that length
        if it has to be."""
        task = self.task
        if self.shipped is not None and self.length_parameter is not None:
            task = self.shipped.build(**{**self.parameters, self.length_parameter: length})
        return replace(self, task=task, on=task.test_on)


def find_source(
    task: str | Path | Task, values: Mapping[str, Value] = MappingProxyType({})
) -> ExampleSource:
    """The examples of a task: a shipped one or one for practice by its name, one in a file, or a
    Task, which is taken as the user's own."""
    name = task.name if isinstance(task, Task) else str(task)
    if values and (isinstance(task, Task) or name in PRACTICE):
        raise TaskError(f"{name} takes no parameters here.")
    if isinstance(task, Task):
        return TaskSource(task)
    if name in PRACTICE:
        return PRACTICE[name]
    if name not in SHIPPED and not name.endswith(".py"):
        raise unknown_task(name, NAMES)
    return TaskSource(find(name, values), shipped=SHIPPED.get(name), parameters=values)
