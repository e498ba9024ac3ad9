"""What a search says about a task, in the three terms of the conjecture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from raspl.language.graph import Graph
from raspl.language.primitives import Input, Select
from raspl.meaning.cost import is_head, measure
from raspl.tasks.programs import next_token

from .examples import Framed, Source
from .rules import Term
from .search import Result
from .show import source as show
from .survival import Survival, longer_lengths, survive

Verdict = Literal["will generalise", "will not", "unknown"]


@dataclass(frozen=True)
class Judged:
    """A program with what is known about it."""

    origin: str
    """found, or shipped with the task."""
    cost: int
    source: str
    measures: Mapping[str, float]
    exact: Mapping[int, float]
    """Exact match at the lengths that were looked at."""
    failure: str | None

    @property
    def survives(self) -> bool:
        return self.failure is None


@dataclass(frozen=True)
class Reading:
    """A verdict with its reasons, over one set of components."""

    verdict: Verdict
    realizability: str
    simplicity: str
    diversity: str
    statement: str
    """What the search exhausted."""
    components: str
    programs: tuple[Judged, ...]
    candidates: int
    seconds: float


def graph_cost(graph: Graph) -> int:
    """The measure of the search on any program: its maps and its heads."""
    maps = sum(
        bool(node.args) and not is_head(node) and not isinstance(node, Input | Select)
        for node in graph.nodes
    )
    return maps + measure(graph).heads


def compares_counts(term: Term) -> bool:
    """Whether a selector of a program compares a count with itself at other positions."""
    is_own = term.rule.name == "self" and term.rule.operands[0] == "Count"
    return is_own or any(compares_counts(arg) for arg in term.args)


def reading(source: Source, result: Result) -> Reading:
    """The verdict on a task from the result of a search on its training lengths."""
    lengths = longer_lengths(source, result.settings.max_length)
    judged = [
        _judged("found", find.graph, find.cost, show(find.term, find.graph.bits), source, lengths)
        for find in result.finds
    ]
    shipped = _shipped(source, lengths)
    survivors = [program for program in judged if program.survives]
    shortcuts = [program for program in judged if not program.survives]
    verdict, diversity = _verdict(result, survivors, shortcuts, shipped)
    best = min(survivors, key=lambda p: p.cost, default=shipped)
    return Reading(
        verdict=verdict,
        realizability=_realizability(best, lengths, result),
        simplicity=_simplicity(best, result),
        diversity=diversity,
        statement=result.statement(),
        components=result.components,
        programs=tuple(judged + ([shipped] if shipped else [])),
        candidates=result.candidates,
        seconds=result.seconds,
    )


def _verdict(
    result: Result, survivors: list[Judged], shortcuts: list[Judged], shipped: Judged | None
) -> tuple[Verdict, str]:
    cheapest_shortcut = min(shortcuts, key=lambda p: p.cost, default=None)
    program = min(survivors, key=lambda p: p.cost, default=shipped)
    if program is None and cheapest_shortcut is None:
        return "will not", "Nothing that fits was found, so there is no shortcut to speak of."
    if program is None and cheapest_shortcut is not None:
        return "will not", (
            f"Only shortcuts fit: the cheapest costs {cheapest_shortcut.cost} and goes wrong on "
            f"{cheapest_shortcut.failure}."
        )
    assert program is not None
    if cheapest_shortcut is not None and cheapest_shortcut.cost < program.cost:
        return "will not", (
            f"A shortcut of cost {cheapest_shortcut.cost} fits the training lengths, cheaper than "
            f"the program's {program.cost}; it goes wrong on {cheapest_shortcut.failure}."
        )
    if cheapest_shortcut is not None and cheapest_shortcut.cost == program.cost:
        return "unknown", (
            f"A shortcut fits at the program's own cost of {program.cost}; it goes wrong on "
            f"{cheapest_shortcut.failure}."
        )
    if program.cost > result.exhausted + 1:
        return "will generalise", (
            f"No shortcut of cost {result.exhausted} or less exists over the components; from "
            f"{result.exhausted + 1} to {program.cost - 1} the search is not complete, and what "
            "it saw there held no shortcut."
        )
    return "will generalise", (
        f"No program cheaper than {program.cost} fits the training lengths over the components."
    )


def _realizability(best: Judged | None, lengths: list[int], result: Result) -> str:
    looked = ", ".join(map(str, lengths))
    if best is None:
        return (
            f"No program that is right at lengths {looked} was found, up to cost "
            f"{result.exhausted}; the task ships none."
        )
    return f"A program that is right at lengths {looked} is {best.origin}."


def _simplicity(best: Judged | None, result: Result) -> str:
    if best is None:
        return f"Nothing of cost {result.exhausted} or less."
    listed = ", ".join(f"{name} {value:g}" for name, value in best.measures.items())
    return f"It costs {best.cost} ({listed})."


def _shipped(source: Source, lengths: list[int]) -> Judged | None:
    if not isinstance(source, Framed) or source.task.program is None:
        return None
    graph = next_token(source.task.program).graph
    text = source.task.program.read_text(encoding="utf-8")
    return _judged("shipped with the task", graph, graph_cost(graph), text, source, lengths)


def _judged(
    origin: str, graph: Graph, cost: int, text: str, source: Source, lengths: list[int]
) -> Judged:
    survival = survive(graph, source, lengths)
    return Judged(
        origin,
        cost,
        text,
        asdict(measure(graph)),
        survival.exact,
        _words(survival, source),
    )


def _words(survival: Survival, source: Source) -> str | None:
    failure = survival.failure
    if failure is None:
        return None
    given = "an error" if failure.given is None else source.show([failure.given])
    wanted = source.show([failure.wanted])
    return f"`{source.show(failure.tokens)}`, where {wanted} is wanted and {given} comes"
