"""Does a network run a program? Every variable is looked for at every site, pair by pair."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from raspl.errors import RasplError
from raspl.inside.cache import Cache, Forgetful
from raspl.inside.counterfactual import column
from raspl.inside.pairs import (
    Domain,
    Pairs,
    Scrambled,
    drawn,
    joined,
    of_lengths,
    pairs,
    scrambled,
)
from raspl.inside.records import Alignment, Cell, Longer, Row, Score
from raspl.inside.subjects import Subject, predicted
from raspl.inside.subspaces import (
    Effort,
    Streams,
    Swap,
    any_directions,
    discriminants,
    fit,
    interval,
    share,
    sizes,
    smallest,
)
from raspl.inside.variables import Variable, variables
from raspl.language.ir.graph import Graph
from raspl.tasks import Purpose, stream

LEAST = 40
"""Fewer pairs than this say nothing."""

Watch = Callable[[int, int, str], None]
"""Is told how many of how many fits are done, and what comes next."""


class AlignmentError(RasplError):
    """A network and a program that can't be compared."""


@dataclass(frozen=True)
class Numbers:
    """How many pairs are drawn for what."""

    fitted: int = 512
    held_out: int = 128
    scored: int = 192
    agreement: int = 300


@dataclass(frozen=True)
class Question:
    """What is asked of a network."""

    subject: Subject
    graph: Graph
    trained: Domain
    beyond: tuple[Domain, ...]
    effort: Effort = field(default_factory=Effort)
    numbers: Numbers = field(default_factory=Numbers)
    seed: int = 0
    looked_at: Callable[[Variable], Sequence[int]] | None = None
    """Which sites are looked at, where it is known that others can't hold a variable."""
    only_until_found: bool = False
    """Whether sites behind one where the variable was found may be left out."""
    shuffled: bool = False
    """A control: the streams are taken from another source than the variable's values."""


@dataclass(frozen=True)
class Answer:
    """The rows of the table, and how far network and program agree without any swap."""

    rows: tuple[Row, ...]
    agreement: float
    longer: tuple[Longer, ...]
    seconds: float

    def named(self, question: Question, run: str, task: str, trained_to: int) -> Alignment:
        return Alignment(
            run=run,
            task=task,
            program=question.graph.name,
            sites=question.subject.sites,
            width=question.subject.width,
            trained_to=trained_to,
            agreement=self.agreement,
            longer=self.longer,
            rows=self.rows,
            seconds=round(self.seconds, 1),
        )


def in_words(domain: Domain) -> str:
    lengths = ", ".join(map(str, domain.lengths))
    return f"length {lengths}" + ("" if domain.on == "train" else f" ({domain.on})")


def align(
    question: Question, watch: Watch = lambda done, total, what: None, cache: Cache | None = None
) -> Answer:
    """Look for every variable. What the cache holds is not done again."""
    began = time.monotonic()
    wanted = variables(question.graph)
    if not wanted:
        raise AlignmentError(
            f"{question.graph.name} has no variable to look for: no head and no named step."
        )
    memory = Forgetful() if cache is None else cache
    places = len(question.subject.sites)
    rows = []
    for number, variable in enumerate(wanted):

        def tell(site: int, number: int = number, name: str = variable.name) -> None:
            what = f"{name} · {question.subject.sites[site]}"
            watch(number * places + site, len(wanted) * places, what)

        rows.append(row(question, number, memory, tell))
    watch(len(wanted) * places, len(wanted) * places, "done")
    agreement, _ = _agreement(question, question.trained)
    longer = tuple(_longer(question, domain) for domain in question.beyond)
    return Answer(tuple(rows), agreement, longer, time.monotonic() - began)


def row(
    question: Question,
    number: int,
    memory: Cache,
    tell: Callable[[int], None] = lambda site: None,
) -> Row:
    """One variable of the program, by its number; what the memory holds is not done again."""
    variable = variables(question.graph)[number]
    empty = Row(variable=variable.name, type=str(variable.node.type), depth=variable.depth)
    known = memory.row(number)
    if known is not None:
        return known
    sites = _sites(question, variable)
    if not sites:
        return empty.replace(untested="no site can hold it")
    sets = Sets.drawn(question, number, variable)
    if min(len(sets.fitted), len(sets.held_out), len(sets.scored)) < LEAST:
        untested = empty.replace(
            untested="it never differs, or never matters, on the task's inputs"
        )
        memory.keep_row(number, untested)
        return untested
    cells: list[Cell] = []
    for site in sites:
        tell(site)
        cell = memory.cell(number, site)
        if cell is None:
            cell = _cell(question, sets, number, site)
            memory.keep_cell(number, site, cell)
        cells.append(cell)
        if question.only_until_found and cell.trained.answers >= question.effort.enough:
            break
    found = empty.replace(cells=tuple(cells))
    memory.keep_row(number, found)
    return found


def _sites(question: Question, variable: Variable) -> Sequence[int]:
    """All of them, but at the embedding no head has looked at other positions yet."""
    if question.looked_at is not None:
        return question.looked_at(variable)
    return range(1 if variable.depth else 0, len(question.subject.sites))


class Sets:
    """The pairs of one variable, with their streams once they are asked for."""

    def __init__(self, question: Question, mixed: Scrambled, *parts: Pairs) -> None:
        self.fitted, self.held_out, self.scored, *self.beyond = parts
        self.mixed = mixed
        self._question = question
        self._streams: dict[int, Streams] = {}
        self._mixed: list[torch.Tensor] = []

    @classmethod
    def drawn(cls, question: Question, number: int, variable: Variable) -> Sets:
        counts, graph = question.numbers, question.graph

        def made(part: int, domain: Domain, size: int, crossing: bool) -> tuple[Pairs, bool]:
            rng = stream(question.seed, Purpose.INSIDE, number, part)
            some, crosses = pairs(graph, variable, domain, size, rng)
            if crossing and not crosses:
                others = of_lengths(graph, variable, domain, size, rng, one_length=False)
                some = joined([some, others]).rows(rng.permutation(len(some) + len(others))[:size])
            return (some.shuffled(rng) if question.shuffled else some), crosses

        # What is scored beyond training must be of the kind that the directions were fitted to.
        beyond = [
            made(part, domain, counts.scored, False)
            for part, domain in enumerate(question.beyond, 3)
        ]
        crossing = any(crosses for _, crosses in beyond)
        trained = [
            made(part, question.trained, size, crossing)
            for part, size in enumerate((counts.fitted, counts.held_out, counts.scored))
        ]
        found = [some for some, _ in (*trained, *beyond)]
        rng = stream(question.seed, Purpose.INSIDE, number, 1_000)
        strangers = question.effort.strangers
        mixed = scrambled(graph, variable, question.trained, counts.fitted, rng, strangers)
        return cls(question, mixed, *found)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Numbers of dimensions to try."""
        values = np.unique(self.mixed.values[self.mixed.where])
        return sizes(self._question.subject.width, len(values))

    def swap(self, which: Pairs, site: int) -> Swap:
        subject = self._question.subject
        if id(which) not in self._streams:
            self._streams[id(which)] = Streams.of(subject, which)
        return Swap.of(subject, site, which, self._streams[id(which)])

    def starts(self, site: int) -> list[torch.Tensor]:
        """Directions to begin with, from the task's inputs and from scrambled ones."""
        subject = self._question.subject
        if not self._mixed:
            with torch.no_grad():
                self._mixed = subject.streams(torch.from_numpy(self.mixed.tokens))
        where = self.mixed.where
        rows = self._mixed[site][:, subject.lead :][torch.from_numpy(where)]
        most, ridges = max(self.sizes), self._question.effort.ridges
        return [
            *discriminants(*self.swap(self.fitted, site).labelled(self.fitted), most, ridges),
            *discriminants(rows, self.mixed.values[where], most, ridges),
        ]


def _cell(question: Question, sets: Sets, number: int, site: int) -> Cell:
    rng = stream(question.seed, Purpose.INSIDE, number, 1_001, site)
    fitted, held_out = sets.swap(sets.fitted, site), sets.swap(sets.held_out, site)
    found = fit(fitted, sets.starts(site), sets.sizes, held_out, question.effort, rng)
    k = smallest(found, held_out, rng)
    scored = sets.swap(sets.scored, site)
    return Cell(
        site=site,
        dimensions=k,
        trained=_score(scored, found.directions[k], rng),
        beyond=tuple(
            _score(sets.swap(one, site), found.directions[k], rng) if len(one) else NOTHING
            for one in sets.beyond
        ),
        whole=round(share(scored.hits(None).answers), 4),
        random=round(share(scored.hits(any_directions(found.directions[k], rng)).answers), 4),
        steps=found.steps,
    )


NOTHING = Score(answers=0.0, low=0.0, high=1.0, changed=0.0, asked=0.0, pairs=0)


def _score(swap: Swap, directions: torch.Tensor, rng: np.random.Generator) -> Score:
    hits = swap.hits(directions)
    low, high = interval(hits.answers, rng)
    return Score(
        answers=round(share(hits.answers), 4),
        low=round(low, 4),
        high=round(high, 4),
        changed=round(hits.changed, 4),
        asked=round(hits.asked, 4),
        pairs=len(hits.answers),
    )


def _longer(question: Question, domain: Domain) -> Longer:
    agreement, exact = _agreement(question, domain)
    return Longer(where=in_words(domain), agreement=agreement, exact=exact)


def _agreement(question: Question, domain: Domain) -> tuple[float, float]:
    """How often the network says what the program says, by output; whole answers right."""
    rng = stream(question.seed, Purpose.INSIDE, 10_000)
    inputs = drawn(domain, rng, rng.choice(domain.lengths, size=question.numbers.agreement))
    wanted = column(question.graph, question.graph.output, inputs.tokens, inputs.sizes)
    subject = question.subject
    said = predicted(subject, torch.from_numpy(inputs.tokens))
    same = (said == subject.numbers(torch.from_numpy(wanted.values))).numpy()
    same &= ~wanted.failed[:, None]
    right = (same | ~inputs.asked).all(axis=1)
    return float(same[inputs.asked].mean()), float(right.mean())
