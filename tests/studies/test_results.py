"""The results that ship: whole, of today's presets, and enough to judge claims on."""

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from raspl.prediction.store import stored
from raspl.runs.store import Store
from raspl.studies.assess import claims_of, configurations, seeds_there
from raspl.studies.catalogue import STUDIES
from raspl.studies.report import gather, page, readme
from raspl.studies.report.figures import svg
from raspl.studies.report.tables import scorecard
from raspl.studies.scales import LEADING
from raspl.studies.verdicts import Verdict
from raspl.tasks import Scale
from raspl.training.presets import configure

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RESULTS = Path(__file__).parents[2] / "results"

at_each_scale = pytest.mark.parametrize("scale", ["laptop", "desk"])


def words_of(drawing: str) -> list[str]:
    """A drawing's size and words; its coordinates may differ in a digit from machine to machine."""
    return re.findall(r'viewBox="[^"]*"|(?<=>)[^<>]+(?=</text>)', drawing)


@at_each_scale
def test_what_ships_is_of_the_presets_that_ship(scale: Scale) -> None:
    seeds = seeds_there(scale, None, Store(None, RESULTS))
    wanted = configurations(list(STUDIES), scale, seeds)
    found = {path.stem for path in (RESULTS / scale / "runs").glob("*.json")}
    assert found
    assert found <= wanted.keys()


@at_each_scale
def test_claims_are_judged_without_training_and_the_scorecard_says_the_same(scale: Scale) -> None:
    shipped = gather.part(list(STUDIES), scale, None, Store(None, RESULTS))
    claims, written = shipped.claims, shipped.notes
    card = scorecard(claims, shipped.lines, written, shipped.minutes)
    assert sum(claim.decided for claim in claims) >= {"laptop": 14, "desk": 10}[scale]
    assert (RESULTS / scale / "scorecard.md").read_text() == card
    for claim in claims:
        if not claim.begun:
            continue
        plain = (Verdict.REPRODUCED, Verdict.NOT_RUN)
        assert claim.verdict in plain or claim.study.id in written.of
        figure = RESULTS / scale / "figures" / claim.study.id
        assert figure.with_suffix(".png").exists()
        assert words_of(figure.with_suffix(".svg").read_text()) == words_of(svg(claim))


@at_each_scale
def test_the_headline_holds(scale: Scale) -> None:
    (claim,) = claims_of(["headline"], scale, None, Store(None, RESULTS))
    assert claim.verdict is Verdict.REPRODUCED, claim.findings


def test_every_task_has_a_stored_prediction() -> None:
    """Of the usual data: arms with other parameters than the task's own are not predicted."""
    for study in STUDIES.values():
        for arm in study.arms:
            config = arm.configuration("laptop", arm.trained("laptop")[0], 0)
            if config.parameters == configure(arm.task, "laptop", {}).parameters:
                said = stored(RESULTS / "laptop", config.task, config.parameters, "laptop")
                assert said is not None


def test_the_readme_leads_with_the_leading_scale() -> None:
    claims = claims_of(list(STUDIES), LEADING, None, Store(None, RESULTS))
    text = (RESULTS.parent / "README.md").read_text()
    written = text.split(f"{readme.BEGIN}\n")[1].split(readme.END)[0]
    assert written == readme.block(claims)  # if not: raspl study publish


def test_a_build_brings_the_results(tmp_path: Path) -> None:
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path)]
    subprocess.run(command, cwd=RESULTS.parent, check=True, capture_output=True)
    folder = tmp_path / "raspl" / "results" / "laptop"
    assert (folder / "notes.md").is_file()
    for kind in ("runs", "predictions"):
        there = {path.name for path in (RESULTS / "laptop" / kind).iterdir()}
        assert {path.name for path in (folder / kind).iterdir()} == there
    assert not list(tmp_path.rglob("*.png"))


def test_the_report_is_short_at_a_desk_and_fits_a_phone(browser: "Browser", tmp_path: Path) -> None:
    """Before anything is opened: at most six screens, and nothing that scrolls sideways."""
    file = tmp_path / "report.html"
    page.write(gather.parts(list(STUDIES), None, None, Store(None, RESULTS)), file)
    shown = browser.new_page(viewport={"width": 1400, "height": 900})
    shown.goto(file.as_uri())
    assert shown.evaluate("document.documentElement.scrollHeight") <= 6 * 900
    shown.set_viewport_size({"width": 390, "height": 844})
    wide = """() => [document.documentElement, ...document.querySelectorAll("*")]
        .filter((each) => each instanceof HTMLElement && each.checkVisibility() && each.clientWidth)
        .filter((each) => each.scrollWidth > each.clientWidth + 1)
        .map((each) => each.tagName)"""
    assert shown.evaluate(wide) == []
    assert shown.locator("figure.narrow svg").first.is_visible()
    assert not shown.locator("figure.wide svg").first.is_visible()
    shown.close()
