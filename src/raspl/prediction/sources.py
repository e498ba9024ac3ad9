"""The examples of a task as a source that the search can draw from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from raspl.language.vocabulary import Vocabulary
from raspl.synthesis.examples import Example, KnownSource
from raspl.synthesis.names import Names
from raspl.synthesis.practice import PRACTICE
from raspl.tasks import SHIPPED, ShippedTask, find
from raspl.tasks.registry import is_own, unknown_task
from raspl.tasks.shipped import Value
from raspl.tasks.task import FRAME, NOTHING, START, Task, TaskError

MOST_LITERALS = 6
"""An alphabet up to this size is offered to the search as literals in full."""
CHECKED_AT = 5
"""The length at which a sampler and a solver are compared."""
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
        if self.task.is_labelled:
            return self._literals_of_labels()
        size = len(self.task.alphabet)
        return tuple(range(size if size <= MOST_LITERALS else len(FRAME)))

    def _literals_of_labels(self) -> tuple[int, ...]:
        """Truth values, which no frame's token stands for here; symbols and labels if few."""
        task, found = self.task, {0, 1}
        symbols = range(len(FRAME), len(FRAME) + len(task.symbols))
        for some in (symbols, task.outputs[task.first_label :]):
            if len(found.union(some)) <= MOST_LITERALS:
                found.update(some)
        return tuple(sorted(found))

    @property
    def lengths(self) -> tuple[int, int | None]:
        return self.task.shortest, self.task.longest

    @property
    def asks_everywhere(self) -> bool:
        return self.task.is_labelled

    @property
    def length_parameter(self) -> str | None:
        """The parameter that sets the length of a shipped task, if it has only one."""
        return None if self.shipped is None else self.shipped.length_parameter

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        drawn = self.task.examples(rng, np.array(lengths), self.on).left_aligned()
        examples = []
        outputs, reads_all = self.task.outputs, self.task.is_labelled
        inputs, asked = (part.tolist() for part in drawn.questions())
        for row, wants, size in zip(inputs, asked, drawn.sizes.tolist(), strict=True):
            read = size if reads_all else size - 1
            wanted = (None if token == NOTHING else outputs[token] for token in wants[:read])
            examples.append(Example(tuple(row[:read]), tuple(wanted)))
        return examples

    @property
    def names(self) -> Names:
        task = self.task
        if not task.labels:
            return Names(Vocabulary.of(task.alphabet))
        # A sequence starts with SoS, and has no other token of the frame.
        ids = [START, *range(len(FRAME), task.first_label)]
        return Names(Vocabulary.of({task.alphabet[id_]: id_ for id_ in ids}), self._outputs)

    @property
    def _outputs(self) -> dict[int, str]:
        """What a program outputs, by name."""
        task = self.task
        first = task.first_label if task.is_labelled else 0
        return dict(zip(task.outputs[first:], task.alphabet[first:], strict=True))

    def show(self, tokens: Sequence[int]) -> str:
        return " ".join(self.task.names(tokens))

    def show_output(self, value: int) -> str:
        """By name, unless it is the number of no label."""
        return self._outputs.get(value, str(value))

    def prompts(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[list[str]]:
        task, drawn = self.task, self.task.examples(rng, np.array(lengths), self.on)
        if task.is_labelled:
            return [task.names(row)[1:] for row in drawn.tokens]
        rows = zip(drawn.tokens, drawn.answers, strict=True)
        return [task.parts(row, is_answer)[0] for row, is_answer in rows]

    def answers(self, prompts: Sequence[Sequence[str]]) -> list[list[str] | None]:
        if self.task.solve_many is not None:
            return self.task.solve_many(prompts)
        return [self._answer(prompt) for prompt in prompts]

    def _answer(self, prompt: Sequence[str]) -> list[str] | None:
        try:
            return list(self.task.solve(prompt)) or None
        except (ValueError, KeyError, IndexError, TaskError):
            return None

    def at_test(self, length: int) -> TaskSource:
        """The task as it is tested at a length: on its test distribution, and built for that length
        if it has to be."""
        task = self.task
        if self.shipped is not None and self.length_parameter is not None:
            task = self.shipped.build(**{**self.parameters, self.length_parameter: length})
        return replace(self, task=task, on=task.test_on)


def find_source(
    task: str | Path | Task, values: Mapping[str, Value] = MappingProxyType({})
) -> KnownSource:
    """The examples of a task: a shipped one or one for practice by its name, one in a file, or a
    Task, which is taken as the user's own."""
    name = task.name if isinstance(task, Task) else str(task)
    if values and (isinstance(task, Task) or name in PRACTICE):
        raise TaskError(f"{name} takes no parameters here.")
    if isinstance(task, Task):
        return checked(task)
    if name in PRACTICE:
        return PRACTICE[name]
    if name in SHIPPED:
        return TaskSource(find(name, values), shipped=SHIPPED[name], parameters=values)
    if not is_own(name):
        raise unknown_task(name, NAMES)
    return checked(find(name, values))


def checked(task: Task) -> TaskSource:
    """The examples of a user's own task, whose sampler and solver must agree."""
    task.check_solver(CHECKED_AT)
    return TaskSource(task)
