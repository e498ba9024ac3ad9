"""The results that ship: whole, of today's presets, and enough to judge claims on."""

import re
from pathlib import Path

from raspl.prediction.store import stored
from raspl.runs.store import Store
from raspl.studies.assess import claims_of, configurations, lines_of, seeds_there
from raspl.studies.catalogue import STUDIES
from raspl.studies.report import notes
from raspl.studies.report.figures import svg
from raspl.studies.report.tables import scorecard
from raspl.studies.verdicts import Verdict
from raspl.tasks import parameters

RESULTS = Path(__file__).parents[2] / "results"


def words_of(drawing: str) -> list[str]:
    """A drawing's size and words; its coordinates may differ in a digit from machine to machine."""
    return re.findall(r'viewBox="[^"]*"|(?<=>)[^<>]+(?=</text>)', drawing)


def test_what_ships_is_of_the_presets_that_ship() -> None:
    seeds = seeds_there("laptop", None, Store(None, RESULTS))
    wanted = configurations(list(STUDIES), "laptop", seeds)
    found = {path.stem for path in (RESULTS / "laptop" / "runs").glob("*.json")}
    assert found
    assert found <= wanted.keys()


def test_claims_are_judged_without_training_and_the_scorecard_says_the_same() -> None:
    claims = claims_of(list(STUDIES), "laptop", None, Store(None, RESULTS))
    written = notes.shipped(RESULTS, "laptop")
    lines = lines_of("laptop", None, Store(None, RESULTS))
    assert sum(claim.decided for claim in claims) >= 14
    assert (RESULTS / "laptop" / "scorecard.md").read_text() == scorecard(claims, lines, written)
    for claim in claims:
        assert claim.verdict is Verdict.REPRODUCED or claim.study.id in written.of
        figure = RESULTS / "laptop" / "figures" / claim.study.id
        assert figure.with_suffix(".png").exists()
        assert words_of(figure.with_suffix(".svg").read_text()) == words_of(svg(claim))


def test_the_headline_holds_on_three_seeds() -> None:
    (claim,) = claims_of(["headline"], "laptop", 3, Store(None, RESULTS))
    assert claim.verdict is Verdict.REPRODUCED, claim.findings


def test_every_task_has_a_stored_prediction() -> None:
    """Of the usual data: arms that change a task's own parameters are not predicted."""
    for study in STUDIES.values():
        for arm in study.arms:
            known = parameters(arm.task).keys()
            if known.isdisjoint(arm.changes):
                config = arm.configuration("laptop", arm.trained("laptop")[0], 0)
                said = stored(RESULTS / "laptop", config.task, config.parameters, "laptop")
                assert said is not None
