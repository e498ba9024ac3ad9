"""Search for the cheapest RASP-L programs that explain examples.

Two searches share their finds. The one in `enumeration` goes through all programs by cost, and so
it also rules out. The one in `deep` looks for tables of values that are made in several rounds, and
so it goes further. Both see short examples only. What fits those is tried on more examples, of all
the training lengths; if it fails there, the shortest failures join the examples. No task's name or
known answer enters.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from raspl.analysis.cost import description_length
from raspl.synthesis.bank import Bank
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import Term
from raspl.synthesis.correctness import Checked
from raspl.synthesis.deep import Deep, Determining
from raspl.synthesis.enumeration import Enumeration
from raspl.synthesis.examples import Example, ExampleSource
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.histories import Grid
from raspl.synthesis.matches import NO_COST, Matches
from raspl.synthesis.program_text import program_body
from raspl.synthesis.question import Question, question_of
from raspl.synthesis.result import Ending, Find, Progress, Result, cheapest_of
from raspl.synthesis.settings import Settings
from raspl.synthesis.tables import conflict, entries_of, table_term
from raspl.synthesis.wording import describe

NEAR = 2
"""How much more than what is exhausted a find may cost to end a search that stops at the first."""
COUNTEREXAMPLES = 8
"""How many examples are added when what was found fails on others of the training lengths."""
SHALLOW = 2
"""The cost to which programs are enumerated before the deep search."""
REPEATS = 4
"""How often the deep search starts again with more examples."""
TRIED = 3
"""Tables of one round of the deep search that are tried on more examples."""


ALIKE = 2
"""Finds that differ in numbers alone, at most."""
NUMBER = re.compile(r"(?<![\w.])-?\d+")


class _Stop(Exception):
    """Time is up, or enough is known."""


def search(
    source: ExampleSource, settings: Settings, watch: Callable[[Progress], None] | None = None
) -> Result:
    """The cheapest programs for a source of examples."""
    return answer(question_of(source, settings), watch)


def answer(question: Question, watch: Callable[[Progress], None] | None = None) -> Result:
    """The cheapest programs for the examples of a question."""
    rounds = _Search(question, watch)
    interrupted = False
    try:
        rounds.run()
    except _Stop:
        pass
    except KeyboardInterrupt:
        interrupted = True
    return rounds.result(interrupted)


class _Search:
    """One search: rounds over growing sets of examples."""

    def __init__(self, question: Question, watch: Callable[[Progress], None] | None) -> None:
        self._name, self._settings, self._watch = question.name, question.settings, watch
        self._literals = question.literals
        self._examples = list(question.examples)
        self._checked = Checked(question.held_in)
        self._began = time.monotonic()
        self._shown = 0.0
        self._candidates = 0
        self._work = 0
        self._rounds = 0
        self._finds: dict[str, Find] = {}
        self._counterexamples: dict[Term, list[Example]] = {}
        self._level = -1
        self._certified = -1
        self._bank: Bank | None = None
        self._matches = Matches(question.settings.keep)
        self._ended_by: Ending | None = None

    def run(self) -> None:
        """Cheap programs, then deep ones, then dearer ones as long as there is work to do."""
        settings = self._settings
        self._enumerate(min(SHALLOW, settings.max_cost))
        if settings.stop_at_first and self._is_done(settings.positions):
            return
        for positions in (False, True)[: 1 + settings.positions]:
            if settings.deep and not self._is_done(positions):
                self._search_deep(positions)
        if self._level < settings.max_cost and not self._is_done(settings.positions):
            self._enumerate(settings.max_cost)

    def _enumerate(self, most: int) -> None:
        """Try all programs up to a cost, from the first again whenever examples have been added."""
        while True:
            failed = self._enumerate_once(most)
            if not failed:
                return
            self._examples = [*self._examples, *failed]

    def _enumerate_once(self, most: int) -> list[Example]:
        settings = self._settings
        self._rounds += 1
        self._level = -1
        layout = Layout(tuple(self._examples))
        matches = self._matches = Matches(settings.keep)
        enumeration = Enumeration(layout, self._literals, settings, matches)
        self._bank = enumeration.bank
        for cost, candidates in enumeration.steps():
            if candidates is not None:
                self._count(cost, candidates, len(layout))
            if matches.has_new and (failed := self._try_more(matches, layout.bits)):
                return failed
            if candidates is None:
                self._exhaust(cost)
                if cost >= most or (cost and self._is_done(settings.positions)):
                    return []
        return []

    def _search_deep(self, positions: bool) -> None:
        """Look for tables of values, again with more examples as long as what fits them fails."""
        for _ in range(REPEATS):
            dtype = Layout(tuple(self._examples)).dtype
            deep = Deep(Grid.of(self._examples, dtype), positions, self._settings.seed)
            failed: list[Example] = []
            for found in deep.rounds():
                self._count(self._level, deep.candidates, len(self._examples))
                deep.candidates = 0
                known = self._cheapest_of(positions)
                for one in [one for one in found if one.program.cost < known][:TRIED]:
                    failed += self._refitted(one, np.iinfo(dtype).bits)
                if self._cheapest_of(positions) < known:
                    break
            fresh = [e for e in dict.fromkeys(failed) if e not in set(self._examples)]
            if not fresh or self._cheapest_of(positions) < NO_COST:
                return
            fresh.sort(key=lambda example: len(example.tokens))
            self._examples = [*self._examples, *fresh[:COUNTEREXAMPLES]]

    def _refitted(self, found: Determining, bits: int) -> list[Example]:
        """Try what a deep search found on more examples; give those that refute it.

        What the program lacks is filled in from them: they contradict each other if its values
        don't determine the output.
        """
        graph = to_graph(found.program, bits)
        failed = self._checked.counterexamples(graph, 2)
        if not failed:
            self._keep(Find(found.program, graph))
            return []
        columns = [self._checked.values(to_graph(term, bits)) for term in found.terms]
        given = [column for column in columns if column is not None]
        if len(given) < len(columns):
            return failed
        wanted = self._checked.wanted
        rows = conflict(given, wanted)
        if rows is not None:
            return [self._checked.until(row) for row in rows]
        entries = entries_of(given, wanted)
        program = None if entries is None else table_term(found.terms, entries)
        if program is None:
            return failed
        self._keep(Find(program, to_graph(program, bits)))
        return []

    def _count(self, cost: int, candidates: int, rows: int) -> None:
        """Count work, and stop when there is no more of it, or of time."""
        self._candidates += candidates
        self._work += candidates * rows
        now = time.monotonic()
        seconds = now - self._began
        if self._watch is not None and now - self._shown > 0.2:
            self._shown = now
            rate = self._candidates / max(seconds, 1e-9)
            distinct = 0 if self._bank is None else self._bank.distinct
            found, share = len(self._finds), self._work / max(self._settings.work, 1)
            self._watch(
                Progress(
                    cost, self._candidates, distinct, rate, seconds, found, self._rounds, share
                )
            )
        if self._work > self._settings.work:
            self._ended_by = "work"
        elif seconds > self._settings.budget:
            self._ended_by = "clock"
        if self._ended_by is not None:
            raise _Stop

    def _try_more(self, matches: Matches, bits: int) -> list[Example]:
        """Try new matches on more examples of the training lengths.

        Gives counterexamples to those that are cheaper than anything that holds: another program
        that behaves alike on the examples might hold, and more examples will tell the two apart.
        """
        failed: list[Example] = []
        matches.has_new = False
        for term in matches.cheapest_first():
            if term not in self._counterexamples:
                graph = to_graph(term, bits)
                self._counterexamples[term] = self._checked.counterexamples(graph, 2)
                if not self._counterexamples[term]:
                    self._keep(Find(term, graph))
                elif term.rule.name == "table":
                    self._refitted(Determining(term.args, term), bits)
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

    def _is_done(self, positions: bool) -> bool:
        """Whether the cheapest program is known, or one that is cheap enough."""
        near = NEAR if self._settings.stop_at_first else 0
        return self._cheapest_of(positions) <= self._level + near

    @property
    def _cheapest(self) -> int:
        return self._cheapest_of(positions=True)

    def _cheapest_of(self, positions: bool) -> int:
        """What the cheapest find costs; without positions, of those that look at none."""
        costs = (one.cost for one in self._finds.values() if positions or not one.positions)
        return min(costs, default=NO_COST)

    def result(self, interrupted: bool) -> Result:
        return Result(
            source=self._name,
            settings=self._settings,
            finds=self._best(),
            exhausted=self._certified,
            components=describe(self._literals, self._settings.fragment),
            examples=tuple(self._examples),
            candidates=self._candidates,
            distinct=0 if self._bank is None else self._bank.distinct,
            seconds=time.monotonic() - self._began,
            rounds=self._rounds,
            ended_by="user" if interrupted else self._ended_by,
        )

    def _best(self) -> tuple[Find, ...]:
        """The cheapest finds, of each idea a few."""
        alike: Counter[str] = Counter()
        finds = []
        for find in sorted(self._finds.values(), key=_cost_and_length):
            # Programs that differ in numbers alone, such as a default that is never met, are one
            # idea. Two are kept, as one of them may go wrong on longer inputs.
            idea = NUMBER.sub("#", program_body(find.term))
            alike[idea] += 1
            if alike[idea] <= ALIKE:
                finds.append(find)
        return cheapest_of(finds, self._settings.keep)


def _cost_and_length(find: Find) -> tuple[int, float]:
    return find.cost, description_length(find.graph)
