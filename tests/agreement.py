"""Whether the executors agree on a program, and the least program on which they don't."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from raspl.executors import batch, reference, stream
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Input, Select, Value
from tests.sampling import Case, Columns

Outcome = list[Value] | tuple[object, ...]
"""The output at every position, or the identity and the message of the error."""
Executor = Callable[[Graph, Sequence[Columns]], list[Outcome]]


def _stepping(machine: type[reference.Machine] | type[stream.Machine]) -> Executor:
    def execute(graph: Graph, inputs: Sequence[Columns]) -> list[Outcome]:
        return [_steps(machine(graph), columns) for columns in inputs]

    return execute


def _steps(machine: reference.Machine | stream.Machine, columns: Columns) -> Outcome:
    try:
        return [machine.step(*tokens) for tokens in zip(*columns, strict=True)]
    except reference.RunError as error:
        return (*error.identity, str(error))


def _batched(graph: Graph, inputs: Sequence[Columns]) -> list[Outcome]:
    results = batch.run(graph, *(list(column) for column in zip(*inputs, strict=True)))
    outcomes: list[Outcome] = []
    for number in range(len(inputs)):
        try:
            outcomes.append(results.outputs(number))
        except reference.RunError as error:
            outcomes.append((*error.identity, str(error)))
    return outcomes


REFERENCE = _stepping(reference.Machine)
FAST: Mapping[str, Executor] = {"stream": _stepping(stream.Machine), "batch": _batched}


def same(expected: Outcome, outcome: Outcome) -> bool:
    """Equal, and integers where integers are meant."""
    if isinstance(outcome, list) and any(type(v) not in (int, type(None)) for v in outcome):
        return False
    return expected == outcome


def disagreement(case: Case, fast: Mapping[str, Executor] = FAST) -> str | None:
    """What an executor gets wrong, if any does."""
    expected = REFERENCE(case.graph, case.batch)
    for name, executor in fast.items():
        try:
            outcomes = executor(case.graph, case.batch)
        except Exception as error:  # a crash is a disagreement too, to be shrunk like any
            return f"{name} raises {error!r}"
        for columns, right, wrong in zip(case.batch, expected, outcomes, strict=True):
            if not same(right, wrong):
                return f"{name} on {columns}\n gives {wrong}\n and not {right}"
    return None


def shrunk(case: Case, fails: Callable[[Case], bool]) -> Case:
    """The least case that fails and can be reached by taking things away."""
    smaller = next((c for c in _smaller(case) if fails(c)), None)
    return case if smaller is None else shrunk(smaller, fails)


def _smaller(case: Case) -> Iterator[Case]:
    graph = case.graph
    for node in graph.nodes[:-1]:
        if not isinstance(node, Select | Input):
            yield replace(case, graph=replace(graph, output=node))
    for number in range(len(case.batch)) if len(case.batch) > 1 else ():
        yield replace(case, batch=(case.batch[number],))
    for number, columns in enumerate(case.batch):
        for place in range(len(columns[0])):
            shorter = [column[:place] + column[place + 1 :] for column in columns]
            parts = (*case.batch[:number], shorter, *case.batch[number + 1 :])
            yield replace(case, batch=parts)


def counterexample(case: Case) -> str | None:
    """The shrunk disagreement on a case as source, or None if there is none."""
    if disagreement(case) is None:
        return None
    least = shrunk(case, lambda smaller: disagreement(smaller) is not None)
    return f"{least}{disagreement(least)}"
