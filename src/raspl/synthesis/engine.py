"""Search for the cheapest RASP-L programs that explain examples.

Bottom-up by cost: each level holds the values that first appear at that cost, merged by behaviour.
As long as levels are small they are kept; the last level is only compared with the sketches. What
matches the examples is tried on more examples of the same lengths; if it fails there, those join
the examples and the search starts again. No task's name or known answer enters.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from raspl.analysis.cost import description_length
from raspl.synthesis.bank import Bank, Batch
from raspl.synthesis.choices import Choices
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import Rule, Term, describe, to_graph
from raspl.synthesis.correctness import counterexamples
from raspl.synthesis.examples import Example, ExampleSource, uniform_lengths
from raspl.synthesis.heads import heads
from raspl.synthesis.maps import Scope, maps
from raspl.synthesis.matches import NO_COST, Matches
from raspl.synthesis.program_text import program_body
from raspl.synthesis.result import Find, Progress, Result
from raspl.synthesis.settings import Settings
from raspl.synthesis.sketches import SketchMatcher

NEAR = 2
"""How much more than what is exhausted a find may cost to end a search that stops at the first."""
COUNTEREXAMPLES = 8
"""How many examples are added when what was found fails on others of the same lengths."""


class _Stop(Exception):
    """Time is up, or enough is known."""


def search(
    source: ExampleSource, settings: Settings, watch: Callable[[Progress], None] | None = None
) -> Result:
    """The cheapest programs for a source of examples."""
    lengths = uniform_lengths(source, settings.max_length, settings.examples, settings.min_length)
    rng = np.random.default_rng((settings.seed, 0))
    examples = source.draw(rng, lengths)
    more = uniform_lengths(source, settings.max_length, settings.held_in, settings.min_length)
    held_in = source.draw(np.random.default_rng((settings.seed, 1)), more)
    rounds = _Rounds(source, settings, watch, held_in)
    interrupted = False
    try:
        while True:
            failed = rounds.search_once(examples)
            if not failed:
                break
            examples = [*examples, *failed]
    except _Stop:
        pass
    except KeyboardInterrupt:
        interrupted = True
    return rounds.result(interrupted)


class _Rounds:
    """One search: rounds over growing sets of examples."""

    def __init__(
        self,
        source: ExampleSource,
        settings: Settings,
        watch: Callable[[Progress], None] | None,
        held_in: list[Example],
    ) -> None:
        self._source, self._settings, self._watch = source, settings, watch
        self._held_in = held_in
        # 0 and 1 are the truth values, so every program can make them.
        self._literals = tuple(dict.fromkeys((*source.literals, 0, 1)))
        self._began = time.monotonic()
        self._shown = 0.0
        self._candidates = 0
        self._rounds = 0
        self._finds: dict[str, Find] = {}
        self._counterexamples: dict[Term, list[Example]] = {}
        self._level = -1
        self._certified = -1
        self._examples: list[Example] = []
        self._bank: Bank | None = None
        self._matches = Matches(settings.keep)

    def search_once(self, examples: list[Example]) -> list[Example]:
        """Search these examples; if nothing holds, give those that what was found fails on."""
        settings, literals = self._settings, self._literals
        self._examples = examples
        self._rounds += 1
        self._level = -1
        layout = Layout(tuple(examples))
        bank = self._bank = Bank(layout, settings.most_bytes)
        matches = self._matches = Matches(settings.keep)
        choices = Choices(bank, layout.wanted)
        for batch in leaves(layout, literals):
            bank.add(batch)
        cost = 0
        while True:
            bank.close()
            choices.add_level(cost)
            choices.add_matches(cost, matches)
            sketches = choices.sketches(cost)
            matcher = SketchMatcher(layout.wanted, literals, bank, sketches, matches)
            if cost == 0:
                for batch in leaves(layout, literals):
                    matcher.check(replace(batch, values=batch.values[layout.asked]), 0)
                self._exhaust(0)
            cost += 1
            before = self._candidates
            for batch in self._batches(Scope(bank, literals, True, settings.count_selects), cost):
                matcher.check(batch, cost)
                if matches.has_new and (failed := self._try_more(matches, layout.bits)):
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

    def _try_more(self, matches: Matches, bits: int) -> list[Example]:
        """Try new matches on more examples of the same lengths.

        Gives counterexamples to those that are cheaper than anything that holds: another program
        that behaves alike on the examples might hold, and more examples will tell the two apart.
        """
        failed: list[Example] = []
        matches.has_new = False
        for term in matches.cheapest_first():
            if term not in self._counterexamples:
                graph = to_graph(term, bits)
                self._counterexamples[term] = counterexamples(graph, self._held_in, 2)
                if not self._counterexamples[term]:
                    self._keep(Find(term, graph))
            if term.cost < self._cheapest:
                failed += self._counterexamples[term]
        if self._settings.stop_at_first and self._cheapest <= self._level + 1:
            raise _Stop
        known = set(self._examples)
        # A program that fails on known examples leaves its range where nothing is asked.
        return [e for e in dict.fromkeys(failed) if e not in known][:COUNTEREXAMPLES]

    def _keep(self, find: Find) -> None:
        """A program that is made in two ways is one find, at the lesser cost."""
        text = program_body(find.term)
        if text not in self._finds or find.cost < self._finds[text].cost:
            self._finds[text] = find

    def _exhaust(self, cost: int) -> None:
        """All programs of this cost were compared with the examples."""
        self._level = cost
        # Whatever fits all examples behaves like a match, so below the matches there is nothing.
        self._certified = max(self._certified, min(cost, self._matches.lowest_cost - 1))

    def _end_if_done(self, cost: int) -> None:
        if self._cheapest <= cost or cost >= self._settings.max_cost:
            raise _Stop
        if self._settings.stop_at_first and self._cheapest <= cost + NEAR:
            raise _Stop

    @property
    def _cheapest(self) -> int:
        return min((find.cost for find in self._finds.values()), default=NO_COST)

    def result(self, interrupted: bool) -> Result:
        finds = sorted(self._finds.values(), key=_cost_and_length)[: self._settings.keep]
        return Result(
            source=self._source.name,
            settings=self._settings,
            finds=tuple(finds),
            exhausted=self._certified,
            components=describe(self._literals, self._settings.count_selects),
            examples=tuple(self._examples),
            candidates=self._candidates,
            distinct=0 if self._bank is None else self._bank.distinct,
            seconds=time.monotonic() - self._began,
            rounds=self._rounds,
            interrupted=interrupted,
        )


def _cost_and_length(find: Find) -> tuple[int, float]:
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
