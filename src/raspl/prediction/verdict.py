"""What a search says about a task, in the three terms of the conjecture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from raspl.analysis.cost import is_head, measure
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Input, Select
from raspl.prediction.sources import Framed
from raspl.prediction.survival import Survival, longer_lengths, survive
from raspl.synthesis.components import Term
from raspl.synthesis.engine import Result
from raspl.synthesis.examples import Source
from raspl.synthesis.source_text import source as show
from raspl.tasks.programs import next_token
from raspl.tasks.registry import SHIPPED
from raspl.words import span

Verdict = Literal["will generalise", "will not", "unknown"]
FOUND, SHIPS = "found", "shipped with the task"
NOTHING_BEYOND: tuple[Verdict, str] = (
    "unknown",
    "The task has nothing beyond these lengths to tell a program from a shortcut by; a smaller "
    "--max-length may leave something.",
)


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
        _judged(FOUND, find.graph, find.cost, show(find.term, find.graph.bits), source, lengths)
        for find in result.finds
    ]
    shipped = _shipped(source, sorted({result.settings.max_length, *lengths}))
    programs = (*judged, *([shipped] if shipped else []))
    best = best_of(programs)
    verdict, diversity = (
        _verdict(source, result, best, shortcut_of(programs)) if lengths else NOTHING_BEYOND
    )
    return Reading(
        verdict=verdict,
        realizability=_realizability(best, shipped, lengths),
        simplicity=_simplicity(best),
        diversity=diversity,
        statement=result.statement(),
        components=result.components,
        programs=programs,
        candidates=result.candidates,
        seconds=result.seconds,
    )


def best_of(programs: Sequence[Judged]) -> Judged | None:
    """The cheapest find that survives; if there is none, the task's own program if that does."""
    survivors = [program for program in programs if program.survives]
    finds = [program for program in survivors if program.origin == FOUND]
    return min(finds or survivors, key=lambda program: program.cost, default=None)


def shortcut_of(programs: Sequence[Judged]) -> Judged | None:
    """The cheapest find that goes wrong beyond training."""
    finds = (one for one in programs if one.origin == FOUND and not one.survives)
    return min(finds, key=lambda program: program.cost, default=None)


def _verdict(
    source: Source, result: Result, program: Judged | None, shortcut: Judged | None
) -> tuple[Verdict, str]:
    if program is None and shortcut is None:
        return _nothing_fits(source, result)
    if program is None and shortcut is not None:
        return "will not", (
            f"Only shortcuts were found: the cheapest costs {shortcut.cost} and goes wrong on "
            f"{shortcut.failure}."
        )
    assert program is not None
    if shortcut is not None and shortcut.cost < program.cost:
        return "will not", (
            f"A shortcut of cost {shortcut.cost} fits the training lengths, cheaper than "
            f"the program's {program.cost}; it goes wrong on {shortcut.failure}."
        )
    if shortcut is not None and shortcut.cost == program.cost:
        return "unknown", (
            f"A shortcut fits at the program's own cost of {program.cost}; it goes wrong on "
            f"{shortcut.failure}."
        )
    if program.cost > result.exhausted + 1:
        return "will generalise", (
            f"The search over the components is complete {result.complete} and met no shortcut "
            f"there; at cost {span(result.exhausted + 1, program.cost - 1)} it is not complete, "
            "and met none either."
        )
    return "will generalise", (
        f"No program cheaper than {program.cost} fits the training lengths over the components."
    )


def _nothing_fits(source: Source, result: Result) -> tuple[Verdict, str]:
    """A search that ends leaves dearer programs, so alone it decides nothing."""
    searched = (
        "Nothing that fits was found, and the search is complete "
        f"{result.complete} over the components."
    )
    own = source.task if isinstance(source, Framed) and source.is_own else None
    if own is None and source.name in SHIPPED:
        return "will not", (
            f"{searched} The paper gives no program for this task and raspl.tasks ships none, so "
            "none is taken to exist."
        )
    ways = []
    if own is not None:
        verb = "write the program into" if own.program is None else "mend the program of"
        ways.append(f"{verb} the task (program=, see docs/tasks.md)")
    if result.is_out_of_time:
        ways.append("search longer (--budget)")
    to_do = f": {' or '.join(ways)}" if ways else ""
    return "unknown", f"{searched} A program that costs more may exist{to_do}."


def _realizability(best: Judged | None, shipped: Judged | None, lengths: list[int]) -> str:
    looked = named_lengths(lengths)
    if best is not None:
        whence = "was found" if best.origin == FOUND else "comes with the task"
        return f"A program that is right at {looked} {whence}."
    own = (
        "the task comes with none"
        if shipped is None
        else f"the one that comes with the task goes wrong on {shipped.failure}"
    )
    return f"No program that is right at {looked} was found; {own}."


def named_lengths(lengths: Sequence[int]) -> str:
    """Lengths beyond training in words; there are none if a task ends where training does."""
    if not lengths:
        return "the training lengths"
    *others, last = map(str, lengths)
    return f"lengths {', '.join(others)} and {last}" if others else f"length {last}"


def _simplicity(best: Judged | None) -> str:
    if best is None:
        return "There is no program whose cost could be told."
    listed = ", ".join(f"{name} {value:g}" for name, value in best.measures.items())
    return f"It costs {best.cost} ({listed})."


def _shipped(source: Source, lengths: list[int]) -> Judged | None:
    if not isinstance(source, Framed) or source.task.program is None:
        return None
    graph = next_token(source.task.program).graph
    text = Path(source.task.program).read_text(encoding="utf-8")
    return _judged(SHIPS, graph, graph_cost(graph), text, source, lengths)


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
