"""The results that ship: whole, of today's presets, and enough to judge claims on."""

import re
from pathlib import Path

from raspl.studies.assess import Places, claims_of, configurations, seeds_there
from raspl.studies.catalogue import STUDIES
from raspl.studies.checks import Verdict
from raspl.studies.predictions import stored
from raspl.studies.report.figures import svg
from raspl.studies.report.tables import scorecard

RESULTS = Path(__file__).parents[2] / "results"


def told(drawing: str) -> list[str]:
    """A drawing's size and words; its coordinates may differ in a digit from machine to machine."""
    return re.findall(r'viewBox="[^"]*"|(?<=>)[^<>]+(?=</text>)', drawing)


def test_what_ships_is_of_the_presets_that_ship() -> None:
    seeds = seeds_there("laptop", None, Places(None, RESULTS))
    wanted = configurations(list(STUDIES), "laptop", seeds)
    found = {path.stem for path in (RESULTS / "laptop" / "runs").glob("*.json")}
    assert found
    assert found <= wanted.keys()


def test_claims_are_judged_without_training_and_the_scorecard_says_the_same() -> None:
    places = Places(None, RESULTS)
    claims, notes = claims_of(list(STUDIES), "laptop", None, places), places.notes("laptop")
    assert sum(claim.decided for claim in claims) >= 18
    assert (RESULTS / "laptop" / "scorecard.md").read_text() == scorecard(claims, notes)
    for claim in claims:
        assert claim.verdict is Verdict.HOLDS or claim.study.id in notes.of
        figure = RESULTS / "laptop" / "figures" / claim.study.id
        assert figure.with_suffix(".png").exists()
        assert told(figure.with_suffix(".svg").read_text()) == told(svg(claim))


def test_the_headline_holds_on_three_seeds() -> None:
    (claim,) = claims_of(["headline"], "laptop", 3, Places(None, RESULTS))
    assert claim.verdict is Verdict.HOLDS, claim.findings


def test_every_task_has_a_stored_prediction() -> None:
    for study in STUDIES.values():
        for config in study.runs("laptop", 1).values():
            assert stored(RESULTS / "laptop", config) is not None
