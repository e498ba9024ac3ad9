"""Search for the cheapest RASP-L programs that explain examples.

Bottom-up by cost: each level holds the values that first appear at that cost, merged by behaviour.
As long as levels are small they are kept; the last level is only compared with the goal. What fits
the examples is tried on more examples of the same lengths; if it fails there, those join the
examples and the search starts again. No task's name or known answer enters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from raspl.language.ir.graph import Graph
from raspl.synthesis.agreement import failures
from raspl.synthesis.bank import Bank, Batch
from raspl.synthesis.choices import Cases
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import Rule, Term, describe, to_graph
from raspl.synthesis.examples import Example, Source, uniform_lengths
from raspl.synthesis.goals import Goals
from raspl.synthesis.heads import heads
from raspl.synthesis.maps import Scope, maps
from raspl.synthesis.matches import NO_COST, Hits
from raspl.synthesis.source_text import body

NEAR = 2
"""How much more than what is exhausted a find may cost to end a search that stops at the first."""
COUNTEREXAMPLES = 8
"""How many examples are added when what was found fails on others of the same lengths."""


@dataclass(frozen=True)
class Settings:
    """What is searched, and for how long."""

    max_length: int = 5
    min_length: int | None = None
    """Where examples are all of one length, equal to `max_length`."""
    budget: float = 60.0
    """Seconds."""
    examples: int = 24
    held_in: int = 300
    """Examples of the same lengths on which a find is tried before it counts."""
    keep: int = 5
    """How many programs are wanted."""
    seed: int = 0
    max_cost: int = 5
    stop_at_first: bool = False
    """End with a find that costs little more than what is exhausted, proved cheapest or not."""
    count_selects: bool = True
    """Whether a selector may compare a count with itself at other positions (see the docs)."""
    most_kept: int = 3_000_000
    """A level of more candidates than this is compared with the goal and not kept."""
    most_bytes: int = 1_500_000_000


@dataclass(frozen=True)
class Progress:
    """Where a search stands."""

    cost: int
    candidates: int
    distinct: int
    rate: float
    seconds: float
    found: int
    round: int


@dataclass(frozen=True)
class Find:
    """A program that fits every example of the training lengths that it was tried on."""

    term: Term
    graph: Graph

    @property
    def cost(self) -> int:
        return self.term.cost


@dataclass(frozen=True)
class Result:
    """What was found, and what can be said about the rest."""

    source: str
    settings: Settings
    finds: tuple[Find, ...]
    exhausted: int
    """No program of this cost or less fits: all were considered."""
    components: str
    examples: tuple[Example, ...]
    candidates: int
    distinct: int
    seconds: float
    rounds: int
    interrupted: bool

    @property
    def is_out_of_time(self) -> bool:
        """Whether a longer budget would have gone further."""
        return self.interrupted or self.seconds >= self.settings.budget

    @property
    def is_proved(self) -> bool:
        """Whether no cheaper program than the first find exists over the components."""
        return bool(self.finds) and self.finds[0].cost <= self.exhausted + 1

    @property
    def complete(self) -> str:
        """Up to which cost every program was tried, as the end of a clause."""
        return f"up to cost {self.exhausted}" if self.exhausted >= 0 else "at no cost yet"

    def statement(self) -> str:
        """What was exhausted, in one sentence."""
        ruled_out = (
            "No cost is ruled out over the components by"
            if self.exhausted < 0
            else f"No program of cost {self.exhausted} or less over the components fits"
        )
        return (
            f"{ruled_out} the examples of the training lengths (searched on {len(self.examples)} "
            f"examples, finds checked on {self.settings.held_in} more)."
        )


class _Stop(Exception):
    """Time is up, or enough is known."""


def search(
    source: Source, settings: Settings, watch: Callable[[Progress], None] | None = None
) -> Result:
    """The cheapest programs for a source of examples."""
    lengths = uniform_lengths(source, settings.max_length, settings.examples, settings.min_length)
    rng = np.random.default_rng((settings.seed, 0))
    examples = source.draw(rng, lengths)
    more = uniform_lengths(source, settings.max_length, settings.held_in, settings.min_length)
    held_in = source.draw(np.random.default_rng((settings.seed, 1)), more)
    run = _Run(source, settings, watch, held_in)
    interrupted = False
    try:
        while True:
            failed = run.once(examples)
            if not failed:
                break
            examples = [*examples, *failed]
    except _Stop:
        pass
    except KeyboardInterrupt:
        interrupted = True
    return run.result(interrupted)


class _Run:
    """One search: rounds over growing sets of examples."""

    def __init__(
        self,
        source: Source,
        settings: Settings,
        watch: Callable[[Progress], None] | None,
        held_in: list[Example],
    ) -> None:
        self._source, self._settings, self._watch = source, settings, watch
        self._held_in = held_in
        self._began = time.monotonic()
        self._shown = 0.0
        self._candidates = 0
        self._rounds = 0
        self._finds: dict[str, Find] = {}
        self._judged: dict[Term, list[Example]] = {}
        self._level = -1
        self._certified = -1
        self._examples: list[Example] = []
        self._bank: Bank | None = None
        self._hits = Hits(settings.keep)

    def once(self, examples: list[Example]) -> list[Example]:
        """Search these examples; if nothing holds, give those that what was found fails on."""
        settings, literals = self._settings, self._source.literals
        self._examples = examples
        self._rounds += 1
        self._level = -1
        layout = Layout(tuple(examples))
        bank = self._bank = Bank(layout, settings.most_bytes)
        hits = self._hits = Hits(settings.keep)
        cases = Cases(bank, layout.wanted)
        for batch in leaves(layout, literals):
            bank.add(batch)
        cost = 0
        while True:
            bank.close()
            cases.learn(cost)
            cases.join(cost, hits)
            goals = Goals(layout.wanted, literals, bank, cases.goals(cost), hits)
            if cost == 0:
                for batch in leaves(layout, literals):
                    goals.check(replace(batch, values=batch.values[layout.asked]), 0)
                self._exhaust(0)
            cost += 1
            before = self._candidates
            for batch in self._batches(Scope(bank, literals, True, settings.count_selects), cost):
                goals.check(batch, cost)
                if hits.has_news and (failed := self._judge(hits, layout.bits)):
                    return failed
            self._exhaust(cost)
            self._end_if_done(cost)
            if self._candidates - before > settings.most_kept:
                return []
            for batch in self._batches(Scope(bank, literals, False, settings.count_selects), cost):
                bank.add(batch)
            if bank.full:
                return []

    def _batches(self, scope: Scope, cost: int) -> Iterator[Batch]:
        bank = scope.bank
        for make in (maps, heads):
            for batch in make(scope, cost):
                self._candidates += batch.values.shape[1]
                self._tick(cost, bank)
                yield batch

    def _tick(self, cost: int, bank: Bank) -> None:
        now = time.monotonic()
        seconds = now - self._began
        if self._watch is not None and now - self._shown > 0.2:
            self._shown = now
            rate = self._candidates / max(seconds, 1e-9)
            self._watch(
                Progress(
                    cost, self._candidates, bank.distinct, rate, seconds, len(self._finds),
                    self._rounds,
                )
            )  # fmt: skip
        if seconds > self._settings.budget:
            raise _Stop

    def _judge(self, hits: Hits, bits: int) -> list[Example]:
        """Try new hits on more examples of the same lengths.

        Gives counterexamples to those that are cheaper than anything that holds: another program
        that behaves alike on the examples might hold, and more examples will tell the two apart.
        """
        failed: list[Example] = []
        hits.has_news = False
        for term in hits.cheapest_first():
            if term not in self._judged:
                graph = to_graph(term, bits)
                self._judged[term] = failures(graph, self._held_in, 2)
                if not self._judged[term]:
                    self._keep(Find(term, graph))
            if term.cost < self._cheapest:
                failed += self._judged[term]
        if self._settings.stop_at_first and self._cheapest <= self._level + 1:
            raise _Stop
        return list(dict.fromkeys(failed))[:COUNTEREXAMPLES]

    def _keep(self, find: Find) -> None:
        """A program that is made in two ways is one find, at the lesser cost."""
        text = body(find.term)
        if text not in self._finds or find.cost < self._finds[text].cost:
            self._finds[text] = find

    def _exhaust(self, cost: int) -> None:
        """All programs of this cost were compared with the goal."""
        self._level = cost
        # Whatever fits all examples behaves like a hit, so below the hits there is nothing.
        self._certified = max(self._certified, min(cost, self._hits.least - 1))

    def _end_if_done(self, cost: int) -> None:
        if self._cheapest <= cost or cost >= self._settings.max_cost:
            raise _Stop
        if self._settings.stop_at_first and self._cheapest <= cost + NEAR:
            raise _Stop

    @property
    def _cheapest(self) -> int:
        return min((find.cost for find in self._finds.values()), default=NO_COST)

    def result(self, interrupted: bool) -> Result:
        finds = sorted(self._finds.values(), key=_order)[: self._settings.keep]
        return Result(
            source=self._source.name,
            settings=self._settings,
            finds=tuple(finds),
            exhausted=self._certified,
            components=describe(self._source.literals, self._settings.count_selects),
            examples=tuple(self._examples),
            candidates=self._candidates,
            distinct=0 if self._bank is None else self._bank.distinct,
            seconds=time.monotonic() - self._began,
            rounds=self._rounds,
            interrupted=interrupted,
        )


def _order(find: Find) -> tuple[int, float]:
    from raspl.analysis.cost import description_length

    return find.cost, description_length(find.graph)


def leaves(layout: Layout, literals: tuple[int, ...]) -> Iterator[Batch]:
    """What costs nothing: the tokens, the literals, the indices, and "no such index"."""
    shape = (len(layout), 1)
    yield Batch(Rule("tokens", "Int"), (), layout.tokens[:, None])
    for value in literals:
        rule = Rule("literal", "Int", literals=(value,))
        yield Batch(rule, (), np.full(shape, value, dtype=layout.dtype))
    yield Batch(Rule("indices", "Index"), (), layout.places[:, None])
    none = np.full(shape, np.iinfo(layout.dtype).min, dtype=layout.dtype)
    yield Batch(Rule("none", "Index"), (), none)
