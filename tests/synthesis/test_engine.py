"""The search finds short programs from examples alone, and says what it has exhausted."""

from typing import Any

import numpy as np
import pytest

from raspl.errors import RasplError
from raspl.language.ir.printer import to_source
from raspl.loading import parse
from raspl.prediction.sources import find_source
from raspl.prediction.survival import Survival, examples_at, longer_lengths, survive
from raspl.synthesis.components import TOKENS, Rule, Term
from raspl.synthesis.engine import search
from raspl.synthesis.examples import ExampleSource, LabelledSource, uniform_lengths
from raspl.synthesis.matches import Matches
from raspl.synthesis.program_text import program_body, program_text
from raspl.synthesis.result import Progress, Result
from raspl.synthesis.settings import Settings, settings_for
from tests.markdown import blocks


def found(name: str, **settings: Any) -> tuple[ExampleSource, Result]:
    source = find_source(name)
    result = search(source, Settings(stop_at_first=True, **{"budget": 3600, **settings}))
    assert result.finds, result.statement()
    return source, result


def survival(source: ExampleSource, result: Result, number: int = 0) -> Survival:
    lengths = longer_lengths(source, result.settings.max_length)
    return survive(result.finds[number].graph, examples_at(source, lengths))


EASY = [
    ("sort", 8),
    ("shift", 6),
    ("running_maximum", 6),
    ("after_marker", 6),
    ("conjunction", 20),
    ("copy_unique", 6),
    ("mode", 6),
]
STRICT = {"rules": "strict"}
HARDER = [("majority", 6), ("first_again", 5)]


@pytest.mark.parametrize(("name", "length"), EASY)
def test_a_program_for_every_length_is_found(name: str, length: int) -> None:
    source, result = found(name, max_length=length)
    beyond = survival(source, result)
    assert beyond.survives
    assert max(beyond.exact_match) == 10 * length
    assert_legal_source(result)


def assert_legal_source(result: Result) -> None:
    for find in result.finds:
        (program,) = parse(to_source(find.graph)).values()
        assert program.graph.bits == find.graph.bits


@pytest.mark.slow
@pytest.mark.parametrize(("name", "settings"), [("parity_plain", {}), ("copy_repeat", STRICT)])
def test_the_hard_tasks_are_exhausted_to_cost_four(name: str, settings: Any) -> None:
    """By the strict reading, in which counts can't do index arithmetic."""
    result = search(
        find_source(name),
        Settings(max_length=6, max_cost=4, budget=3600, work=10**13, deep=False, **settings),
    )
    assert result.exhausted == 4
    assert not result.finds


@pytest.mark.slow
@pytest.mark.parametrize(("name", "length"), HARDER)
def test_a_program_for_every_length_is_found_slowly(name: str, length: int) -> None:
    test_a_program_for_every_length_is_found(name, length)


def test_what_is_found_for_count_is_legal_source() -> None:
    _, result = found("count", max_length=4, work=300_000_000)
    assert_legal_source(result)


def test_the_cheapest_is_proved() -> None:
    _, result = found("sort", max_length=5)
    assert result.is_proved
    assert result.finds[0].cost == 1
    assert result.exhausted == 0
    assert "No program of cost 0 or less" in result.statement()
    assert "examples, finds checked on 300 more)" in result.statement()


def test_a_find_of_cost_nothing_rules_nothing_out() -> None:
    def sample(rng: np.random.Generator, length: int) -> list[int]:
        return [int(token) for token in rng.integers(9, size=length)]

    same = LabelledSource("same", sample, lambda prefix: prefix[-1])
    result = search(same, Settings(max_length=3))
    assert result.finds[0].cost == 0
    assert result.statement().startswith("No cost is ruled out")


def test_a_program_that_is_made_in_two_ways_is_one_find() -> None:
    """A head of sort compares the tokens with themselves, as a pair and as one sequence."""
    _, result = found("sort", max_length=5, keep=3)
    shown = [program_text(find.term, find.graph.bits) for find in result.finds]
    assert len(set(shown)) == len(shown) == 3
    assert result.is_proved


def test_the_cheaper_way_to_make_a_program_counts() -> None:
    dear = Term(Rule("pair", "Int", ("Int", "Int"), op=">", value="Int", reduction="min"))
    cheap = Term(Rule("self", "Int", ("Int",), op=">", value="Int", reduction="min"))
    inner = Term(Rule("replace", "Int", ("Int",), literals=(1, 2)), (TOKENS,))
    dear, cheap = Term(dear.rule, (inner, inner, TOKENS)), Term(cheap.rule, (inner, TOKENS))
    assert program_body(dear) == program_body(cheap)
    matches = Matches(4)
    for term in (cheap, dear):
        matches.add(term)
    assert matches.cheapest_first() == [cheap]
    matches = Matches(4)
    for term in (dear, cheap, cheap):
        matches.add(term)
    assert matches.cheapest_first() == [cheap]
    assert matches.lowest_cost == cheap.cost


def test_shortcuts_of_parity_and_repeat_copy_fail_beyond() -> None:
    """What fits two bits does not fit more."""
    for name in ("parity_plain", "copy_repeat"):
        source, result = found(name, max_length=2, rules="strict", work=500_000_000)
        beyond = survival(source, result)
        assert not beyond.survives
        assert beyond.failure is not None


def test_nothing_cheap_explains_parity() -> None:
    result = search(find_source("parity_plain"), Settings(max_length=6, max_cost=2, deep=False))
    assert not result.finds
    assert result.exhausted == 2


def test_repeat_copy_has_a_legal_program_that_counts_within_a_segment() -> None:
    """A finding: a count compared with itself stands in for the index arithmetic it lacks."""
    source, result = found("copy_repeat", max_length=6)
    assert survival(source, result).survives
    assert result.finds[0].cost == 3
    assert result.exhausted == 2


PAIRS = [("count", 2, 2, 5), ("mode", 2, None, 6), ("first_again", 2, None, 5)]


@pytest.mark.parametrize(("name", "narrow", "only", "wide"), PAIRS)
def test_diversity(name: str, narrow: int, only: int | None, wide: int) -> None:
    """Few lengths leave a shortcut that is cheaper than any program; more lengths rule it out."""
    source, poor = found(name, max_length=narrow, min_length=only)
    assert not survive(poor.finds[0].graph, examples_at(source, [wide])).survives
    rich = search(
        source, Settings(max_length=wide, max_cost=poor.finds[0].cost, budget=3600, deep=False)
    )
    assert all(find.cost > poor.finds[0].cost for find in rich.finds)
    assert rich.exhausted >= poor.finds[0].cost


def test_a_budget_ends_the_search_with_the_best_so_far() -> None:
    result = search(find_source("parity_plain"), Settings(max_length=6, budget=0.3))
    assert result.seconds < 5
    assert result.exhausted >= 0


def test_progress_says_how_much_of_the_work_is_used() -> None:
    seen: list[Progress] = []
    search(find_source("parity_plain"), Settings(max_length=6, work=500_000_000), seen.append)
    shares = [progress.work for progress in seen]
    assert shares == sorted(shares)
    assert 0 < shares[0] <= shares[-1] <= 1.5
    assert str(seen[0]).endswith("% of the work it may do")


def test_an_interrupt_gives_what_is_known() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.cost >= 2:
            raise KeyboardInterrupt

    settings = Settings(max_length=6)
    result = search(find_source("parity_plain"), settings, interrupt)
    assert result.ended_by == "user"
    assert "You ended the search" in result.statement()
    assert result.exhausted >= 1


def test_the_search_sees_nothing_but_examples_of_training_lengths() -> None:
    seen: list[int] = []

    def sample(rng: np.random.Generator, length: int) -> list[int]:
        seen.append(length)
        return [int(token) for token in rng.integers(2, 9, size=length)]

    search(LabelledSource("noname", sample, max), Settings(max_length=4, stop_at_first=True))
    assert set(seen) == {1, 2, 3, 4}


def test_lengths_that_a_task_lacks_are_refused() -> None:
    with pytest.raises(RasplError, match="examples of length 20, so it can't be trained up to 30"):
        uniform_lengths(find_source("conjunction"), 30, 5)
    assert uniform_lengths(find_source("sort"), 3, 5) == [1, 2, 3, 1, 2]
    assert np.all(np.array(uniform_lengths(find_source("sort"), 3, 4, 3)) == 3)


def test_the_documented_programs_solve_their_tasks() -> None:
    documented = {
        name: program
        for block in blocks("docs/theory.md")
        if block.info == ("python", "legal")
        for name, program in parse(block.text).items()
    }
    for name, task in (("sort", "sort"), ("mode", "mode"), ("copy_repeat", "copy_repeat")):
        assert survive(
            documented[name].graph, examples_at(find_source(task), [1, 2, 7, 60])
        ).survives


@pytest.mark.parametrize(
    ("name", "asked", "chosen"),
    [("sort", None, 5), ("conjunction", None, 20), ("sort", 8, 8)],
)
def test_the_usual_length_is_the_nearest_that_a_source_has(
    name: str, asked: int | None, chosen: int
) -> None:
    source = find_source(name)
    assert settings_for(source, asked).max_length == chosen
    assert settings_for(source, asked).min_length is None
    one = settings_for(source, asked, one_length=True, budget=7)
    assert (one.min_length, one.budget) == (chosen, 7)
