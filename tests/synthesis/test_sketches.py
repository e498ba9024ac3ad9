"""The last step sees what enumeration would: against every candidate of the next cost."""

import numpy as np

from raspl.synthesis.choices import Choices
from raspl.synthesis.columns import Layout
from raspl.synthesis.correctness import correct_mask
from raspl.synthesis.enumeration import candidates
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.matches import Matches
from raspl.synthesis.scope import Scope
from raspl.synthesis.sketches import Sketch, SketchMatcher
from tests.synthesis.test_program_text import LITERALS, filled_bank


def test_asked_rows_are_those_of_the_whole() -> None:
    """The last step computes a part of what a kept level computes."""
    bank = filled_bank("sort", 1)
    asked = bank.layout.asked
    whole = {}
    for batch in candidates(Scope(bank, LITERALS, False), 2):
        for column, args in enumerate(zip(*batch.args, strict=True)):
            whole[batch.rule, args] = batch.values[asked, column]
    compared = 0
    for batch in candidates(Scope(bank, LITERALS, True), 2):
        for column, args in enumerate(zip(*batch.args, strict=True)):
            if (batch.rule, args) in whole:
                compared += 1
                assert np.array_equal(whole[batch.rule, args], batch.values[:, column])
    assert compared > 1000


def test_every_match_fits() -> None:
    """Covers, sketches, replacements and choices all give programs that the executor confirms."""
    for name in ("sort", "majority", "parity_plain"):
        bank = filled_bank(name, 1)
        layout: Layout = bank.layout
        matches = Matches(8)
        choices = Choices(bank, layout.wanted)
        for cost in (0, 1):
            choices.add_level(cost)
            choices.add_matches(cost, matches)
        matcher = SketchMatcher(layout.wanted, bank, choices.sketches(1), matches)
        for batch in candidates(Scope(bank, LITERALS, True), 2):
            matcher.check(batch, 2)
        assert matches.cheapest_first()
        for cost, terms in matches.by_cost.items():
            for term in terms:
                assert term.cost == cost
                assert correct_mask(to_graph(term, layout.bits), layout.examples).all()


def test_blocks_are_promising_that_hold_a_match() -> None:
    """Blocks are looked at together first: those that are passed over then hold nothing."""
    for name in ("sort", "majority", "parity_plain"):
        bank = filled_bank(name, 1)
        wanted, matches = bank.layout.wanted, Matches(1000)
        choices = Choices(bank, wanted)
        choices.add_level(0)
        choices.add_level(1)
        matcher = SketchMatcher(wanted, bank, choices.sketches(1), matches)
        blocks = list(candidates(Scope(bank, LITERALS, True), 2))
        promising = matcher.promising(blocks, 2)
        assert promising.any()
        assert not promising.all()
        for block in [b for b, is_promising in zip(blocks, promising, strict=True) if is_promising]:
            matcher.check(block, 2)
        some = matches.cheapest_first()
        assert some
        for block in blocks:
            matcher.check(block, 2)
        assert matches.cheapest_first() == some


def test_the_whole_program_is_always_a_sketch() -> None:
    bank = filled_bank("sort", 0)
    choices = Choices(bank, bank.layout.wanted)
    choices.add_level(0)
    first = choices.sketches(0)[0]
    assert isinstance(first, Sketch)
    assert first.mask.all()
    assert first.extra_cost == 0
