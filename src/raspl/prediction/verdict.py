"""What a search says about a task, in the three terms of the conjecture."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from raspl.analysis.cost import is_head, measure
from raspl.analysis.disciplines import disciplines_of
from raspl.analysis.positions import looks_at_positions
from raspl.analysis.weighing import weighs
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Input, Select
from raspl.prediction.impossibility import Pumped
from raspl.prediction.prediction import (
    FOUND,
    SHIPPED_PROGRAM,
    JudgedProgram,
    Judgement,
    Origin,
    Verdict,
)
from raspl.prediction.sources import TaskSource
from raspl.prediction.survival import ByLength, examples_at, failure_in_words, survive
from raspl.prediction.wording import lengths_in_words
from raspl.programs import load_single
from raspl.synthesis import Result
from raspl.synthesis.examples import KnownSource
from raspl.synthesis.program_text import program_text
from raspl.words import span


class Said(NamedTuple):
    """A sentence, and the part of it that speaks of task files or options (`Judgement.asides`)."""

    sentence: str
    aside: str = ""


_SMALLER = "; a smaller --max-length may leave something"
NOTHING_BEYOND: tuple[Verdict, Said] = (
    "unknown",
    Said(
        "The task has nothing beyond these lengths to tell a program from a shortcut by"
        f"{_SMALLER}.",
        _SMALLER,
    ),
)


def graph_cost(graph: Graph) -> int:
    """The measure of the search on any program: its maps and its heads."""
    maps = sum(
        bool(node.args) and not is_head(node) and not isinstance(node, Input | Select)
        for node in graph.nodes
    )
    return maps + measure(graph).heads


def impossible(beyond: Pumped) -> Judgement:
    """The verdict on a task that no program of any size computes."""
    reference = " See docs/types.md."
    return Judgement(
        verdict="will not",
        realizability=f"{beyond.sentence}{reference}",
        simplicity="There is no program, so there is no cost.",
        diversity="Whatever fits the training lengths is a shortcut.",
        asides={"realizability": reference},
        statement="Nothing was searched: what is impossible needs no search.",
    )


def judge(source: KnownSource, result: Result, beyond: ByLength) -> Judgement:
    """The verdict on a task from the result of a search on its training lengths.

    `beyond` are examples of longer lengths, which tell a program from a shortcut.
    """
    lengths = list(beyond)
    own = _own_program(source, result.settings.max_length, beyond)
    programs = (*_found_programs(source, result, beyond), *([own] if own else []))
    # What decides is a function of the programs alone.
    judged = Judgement(programs=programs)
    verdict, diversity = (
        _verdict(source, result, judged.program, judged.shortcut) if lengths else NOTHING_BEYOND
    )
    realizability = _realizability(judged.program, own, lengths)
    said = {"realizability": realizability, "diversity": diversity}
    return Judgement(
        verdict=verdict,
        realizability=realizability.sentence,
        simplicity=_simplicity(judged.program),
        diversity=diversity.sentence,
        asides={term: one.aside for term, one in said.items() if one.aside},
        statement=result.statement(),
        exhausted=result.exhausted,
        components=result.components,
        programs=programs,
        candidates=result.candidates,
        seconds=result.seconds,
    )


def _verdict(
    source: KnownSource,
    result: Result,
    program: JudgedProgram | None,
    shortcut: JudgedProgram | None,
) -> tuple[Verdict, Said]:
    if program is None and shortcut is None:
        return _nothing_fits(source, result)
    if program is None and shortcut is not None:
        return "will not", Said(
            f"Only shortcuts were found: the cheapest costs {shortcut.cost} and goes wrong on "
            f"{shortcut.failure}."
        )
    assert program is not None
    if shortcut is not None and shortcut.cost < program.cost:
        return "will not", Said(
            f"A shortcut of cost {shortcut.cost} fits the training lengths, cheaper than "
            f"the program's {program.cost}; it goes wrong on {shortcut.failure}."
        )
    if shortcut is not None and shortcut.cost == program.cost:
        return "unknown", Said(
            f"A shortcut fits at the program's own cost of {program.cost}; it goes wrong on "
            f"{shortcut.failure}."
        )
    if program.cost > result.exhausted + 1:
        return "will generalise", Said(
            f"No shortcut was found: {result.tried}. At cost "
            f"{span(result.exhausted + 1, program.cost - 1)} it did not try all."
        )
    return "will generalise", Said(
        f"No program cheaper than {program.cost} that the search can build fits the training "
        "lengths."
    )


def _nothing_fits(source: KnownSource, result: Result) -> tuple[Verdict, Said]:
    """A search that ends leaves dearer programs, so alone it decides nothing."""
    searched = f"Nothing that fits was found: {result.tried}."
    task = source if isinstance(source, TaskSource) else None
    if task is not None and task.shipped is not None and task.shipped.is_of_the_paper:
        return "will not", Said(
            f"{searched} The paper gives no program for this task, and raspl ships none."
        )
    ways = []
    if task is not None and task.shipped is None:
        verb = "write the program into" if task.task.program is None else "correct the program of"
        ways.append(f"{verb} the task (program=, see docs/tasks.md)")
    if result.is_out_of_time:
        ways.append("search longer (--budget)")
    to_do = f": {' or '.join(ways)}" if ways else ""
    return "unknown", Said(f"{searched} A program that costs more may exist{to_do}.", to_do)


def _realizability(
    best: JudgedProgram | None, own: JudgedProgram | None, lengths: list[int]
) -> Said:
    looked = lengths_in_words(lengths)
    if best is not None:
        whence = "was found" if best.origin == FOUND else "comes with the task"
        return Said(f"A program that is right at {looked} {whence}.")
    other = (
        "; the task comes with none"
        if own is None
        else f"; the one that comes with the task goes wrong on {own.failure}"
    )
    return Said(f"No program that is right at {looked} was found{other}.", other)


def _simplicity(best: JudgedProgram | None) -> str:
    if best is None:
        return "No program was found, so there is no cost."
    listed = ", ".join(f"{name} {value:g}" for name, value in best.measures.items())
    return f"It costs {best.cost} ({listed})."


def _found_programs(source: KnownSource, result: Result, beyond: ByLength) -> list[JudgedProgram]:
    judged = []
    for find in result.finds:
        text = program_text(find.term, find.graph.bits, names=source.names)
        judged.append(_judged(FOUND, find.graph, find.cost, text, source, beyond))
    return judged


def _own_program(source: KnownSource, trained_to: int, beyond: ByLength) -> JudgedProgram | None:
    """The program that comes with a task, tried at the training length too."""
    if not isinstance(source, TaskSource) or source.task.program is None:
        return None
    graph = load_single(source.task.program, source.task.alphabet).graph
    text = Path(source.task.program).read_text(encoding="utf-8")
    tried = {**examples_at(source, {trained_to} - set(beyond)), **beyond}
    return _judged(SHIPPED_PROGRAM, graph, graph_cost(graph), text, source, tried)


def _judged(
    origin: Origin, graph: Graph, cost: int, text: str, source: KnownSource, beyond: ByLength
) -> JudgedProgram:
    survival = survive(graph, beyond)
    return JudgedProgram(
        origin=origin,
        cost=cost,
        source=text,
        disciplines=disciplines_of(graph),
        positions=looks_at_positions(graph),
        weighs=weighs(graph),
        measures=asdict(measure(graph)),
        exact_match=survival.exact_match,
        failure=None if survival.failure is None else failure_in_words(survival.failure, source),
    )
