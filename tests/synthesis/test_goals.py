"""The last step sees what enumeration would: against every candidate of the next cost."""

import numpy as np

from raspl.synthesis.agreement import right
from raspl.synthesis.choices import Cases
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import to_graph
from raspl.synthesis.goals import Goal, Goals
from raspl.synthesis.heads import heads
from raspl.synthesis.maps import Scope, maps
from raspl.synthesis.matches import Hits
from tests.synthesis.test_source_text import LITERALS, filled_bank


def test_asked_rows_are_those_of_the_whole():
    """The last step computes a part of what a kept level computes."""
    bank = filled_bank("sort", 1)
    asked = bank.layout.asked
    whole = {}
    for make in (maps, heads):
        for batch in make(Scope(bank, LITERALS, False), 2):
            for column, args in enumerate(zip(*batch.args, strict=True)):
                whole[batch.rule, args] = batch.values[asked, column]
    compared = 0
    for make in (maps, heads):
        for batch in make(Scope(bank, LITERALS, True), 2):
            for column, args in enumerate(zip(*batch.args, strict=True)):
                if (batch.rule, args) in whole:
                    compared += 1
                    assert np.array_equal(whole[batch.rule, args], batch.values[:, column])
    assert compared > 1000


def test_every_hit_fits():
    """Covers, goals, replacements and choices all give programs that the executor confirms."""
    for name in ("sort", "majority", "parity-plain"):
        bank = filled_bank(name, 1)
        layout: Layout = bank.layout
        hits = Hits(8)
        cases = Cases(bank, layout.wanted)
        for cost in (0, 1):
            cases.learn(cost)
            cases.join(cost, hits)
        goals = Goals(layout.wanted, LITERALS, bank, cases.goals(1), hits)
        for make in (maps, heads):
            for batch in make(Scope(bank, LITERALS, True), 2):
                goals.check(batch, 2)
        assert hits.cheapest_first()
        for cost, terms in hits.by_cost.items():
            for term in terms:
                assert term.cost == cost
                assert right(to_graph(term, layout.bits), layout.examples).all()


def test_the_whole_is_always_a_goal():
    bank = filled_bank("sort", 0)
    cases = Cases(bank, bank.layout.wanted)
    cases.learn(0)
    first = cases.goals(0)[0]
    assert isinstance(first, Goal)
    assert first.mask.all()
    assert first.extra == 0
