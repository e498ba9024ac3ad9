"""Studies at the paper's lengths with small models."""

import pytest

from raspl.runs.costs import Estimator
from raspl.studies.arms import CONJUNCTION, COUNT, PARITY, over
from raspl.studies.catalogue import study_of
from raspl.studies.evidence import Evidence
from raspl.studies.minutes import minutes
from raspl.studies.scales import lengths_of
from tests.studies.made import as_the_paper_says, record, records


def test_a_desk_judges_at_the_papers_lengths() -> None:
    for name in ("sort-50", "copy", "count-lengths", "mode-lengths", "parity-scratchpad"):
        at_a_desk, at_the_papers = (
            {(getattr(check, "place", None), getattr(check, "far", None)) for check in checks}
            for checks in (study_of(name).checks("desk"), study_of(name).checks("paper"))
        )
        assert at_a_desk <= at_the_papers, name
    lengths = lengths_of("sort", "desk")
    assert (lengths.own, lengths.target, lengths.beyond(30)) == (40, 50, 40)
    digits = lengths_of("addition_reverse", "desk")
    assert (digits.own, digits.target, digits.beyond(20)) == (40, 50, 30)
    digits = lengths_of("addition_forward", "desk")
    assert (digits.own, digits.target, digits.beyond(15)) == (20, 25, 20)


def test_an_arm_is_judged_on_further_seeds_of_its_own() -> None:
    found = records(["headline"], as_the_paper_says, "desk", 3)
    further = records(["parity_scratchpad"], as_the_paper_says, "desk", 8)
    seen = Evidence(study_of("headline"), "desk", 3, {**found, **further})
    assert len(seen.sample(PARITY, 40, 50).values) == 8
    assert len(seen.sample(COUNT, 40, 50).values) == 3
    assert seen.seeds_in_words == "3 to 8 seeds per point"
    assert len(seen.found) == len(seen.wanted()) == len(found) + 5
    gap = Evidence(study_of("headline"), "desk", 2, {**found, **further})
    assert len(gap.sample(COUNT, 40, 50).values) == 3
    lacking = {name: one for name, one in further.items() if one.config.seed != 25}
    cut = Evidence(study_of("headline"), "desk", 3, {**found, **lacking})
    assert len(cut.sample(PARITY, 40, 50).values) == 4


def test_each_training_length_is_judged_on_the_seeds_it_has() -> None:
    """One of them is the headline's, which may be there on more seeds than the others."""
    curve = over(COUNT)
    found = records(["count-lengths"], as_the_paper_says, "desk", 2)
    further = records(["count"], as_the_paper_says, "desk", 5)
    seen = Evidence(study_of("count-lengths"), "desk", 2, {**found, **further})
    assert len(seen.sample(curve, 40, 50).values) == 5
    assert len(seen.sample(curve, 60, 150).values) == 2


def test_minutes_are_measured_and_the_papers_estimated() -> None:
    found = records(["headline"], as_the_paper_says, "desk", 2)
    found = {name: one.replace(cpu_seconds=90.0) for name, one in found.items()}
    evidence = Evidence(study_of("headline"), "desk", 2, found)
    lines = minutes(evidence, Estimator({}))
    assert [line.arm for line in lines] == list(study_of("headline").arms)
    for line in lines:
        assert line.measured == 1.5
        assert line.factor is not None
        assert line.factor > 10
    recipe = CONJUNCTION.configuration("paper", 20, 0)
    known = {recipe.name: record(recipe, as_the_paper_says).replace(cpu_seconds=600.0)}
    seen = Evidence(study_of("conjunction"), "desk", 2, {})
    (line,) = minutes(seen, Estimator(known))
    assert (line.measured, line.factor) == (None, None)
    assert line.paper == pytest.approx(10, rel=0.01)
