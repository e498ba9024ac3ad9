"""Does a program that fits the training lengths survive on longer ones?

This is where the theory looks at lengths beyond training, and it says at which: to tell a program
from a shortcut. The search itself never does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from raspl.executors import batch
from raspl.language.ir.graph import Graph
from raspl.prediction.sources import TaskSource
from raspl.synthesis.correctness import correct_mask
from raspl.synthesis.examples import Example, ExampleSource, KnownSource

ByLength: TypeAlias = Mapping[int, Sequence[Example]]
FACTORS = (2, 10)
"""Times the training length."""
EXAMPLES = 40
LONGEST = 1000
"""Programs are tried at twice the training length in any case, and at ten times up to this."""


@dataclass(frozen=True)
class Failure:
    """An input on which a program goes wrong: the first wrong token of it."""

    tokens: tuple[int, ...]
    """The input up to the place where the output is wrong."""
    wanted: int
    given: int | None
    """None if the program fails with an error."""


@dataclass(frozen=True)
class Survival:
    """Exact match by length, and one failure if there is any."""

    exact_match: dict[int, float]
    failure: Failure | None

    @property
    def survives(self) -> bool:
        return all(value == 1.0 for value in self.exact_match.values())


def examples_at(source: ExampleSource, lengths: Iterable[int], seed: int = 0) -> ByLength:
    """Examples of each length, as the task is tested."""
    drawn = {}
    for length in lengths:
        rng = np.random.default_rng((seed, 2, length))
        at_test = source.at_test(length) if isinstance(source, TaskSource) else source
        drawn[length] = at_test.draw(rng, [length] * EXAMPLES)
    return drawn


def survive(graph: Graph, beyond: ByLength) -> Survival:
    """Try a program on examples, by their length."""
    exact_match: dict[int, float] = {}
    failure: Failure | None = None
    for length, examples in beyond.items():
        correct = correct_mask(graph, examples)
        exact_match[length] = float(correct.mean())
        if failure is None and not correct.all():
            failure = _failure(graph, examples[int(np.flatnonzero(~correct)[0])])
    return Survival(exact_match, failure)


def longer_lengths(source: ExampleSource, trained_to: int) -> list[int]:
    """Twice and ten times the training length, as far as the task has them, and as is affordable.

    A task of one length is asked at that length, if it is tested on other examples than trained on.
    """
    if isinstance(source, TaskSource) and source.length_parameter is not None:
        return [trained_to, *(factor * trained_to for factor in FACTORS)]
    shortest, longest = source.lengths
    if shortest == longest:
        has_more = isinstance(source, TaskSource) and source.task.test_on != source.on
        return [trained_to] if has_more else []
    top = min(longest or FACTORS[-1] * trained_to, max(LONGEST, FACTORS[0] * trained_to))
    return sorted({min(top, factor * trained_to) for factor in FACTORS} - {trained_to})


def failure_in_words(failure: Failure, source: KnownSource) -> str:
    """The input, what is wanted and what comes, by the names of the tokens."""
    given = "an error" if failure.given is None else source.show_output(failure.given)
    wanted = source.show_output(failure.wanted)
    return f"`{source.show(failure.tokens)}`, where the answer is {wanted} but it gives {given}"


def _failure(graph: Graph, example: Example) -> Failure:
    results = batch.run(graph, [example.tokens])
    if 0 in results.errors:
        place = results.errors[0].position
        after = next((w for w in example.wanted[place:] if w is not None), None)
        return Failure(example.tokens[: place + 1], after or 0, None)
    for place, (wanted, output) in enumerate(zip(example.wanted, results[0], strict=True)):
        if wanted is not None and wanted != output:
            return Failure(example.tokens[: place + 1], wanted, int(output))
    raise AssertionError("a failing example is right everywhere")
