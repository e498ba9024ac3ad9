"""Figures, report, tables and the export, on made records."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from raspl.errors import RasplError
from raspl.prediction import store as predictions
from raspl.prediction.prediction import Verdict
from raspl.runs import store
from raspl.runs.costs import AROUND, Estimator, operations
from raspl.runs.folder import RunFolder
from raspl.runs.records import RunRecord
from raspl.runs.store import Store
from raspl.studies import conjecture
from raspl.studies.assess import claims_of, own_claims, seeds_there
from raspl.studies.catalogue import STUDIES, study_of
from raspl.studies.claims import Claim, judge
from raspl.studies.minutes import minutes
from raspl.studies.publish import publish
from raspl.studies.report import export, figures, gather, notes, panels, readme, tables
from raspl.studies.report import page as report
from raspl.studies.report.notes import Notes
from raspl.studies.report.page import Part
from raspl.studies.scales import FIRST_SEED, LEADING
from raspl.words import duration
from tests.studies.made import as_the_paper_says, records, said


def claim_of(name: str, seeds: int = 2) -> Claim:
    return judge(study_of(name), "smoke", seeds, records([name], as_the_paper_says, seeds=seeds))


ONE_OF_EACH = sorted({study.figure: study.id for study in STUDIES.values()}.values())


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_figure_is_the_same_bytes_twice_and_states_scale_seeds_and_cost(
    name: str, tmp_path: Path
) -> None:
    claim = claim_of(name)
    figures.save(claim, tmp_path)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    figures.save(claim, tmp_path)
    assert first == {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(first) == {f"{name}.png", f"{name}.svg"}
    text = first[f"{name}.svg"].decode()
    for word in ("smoke scale", "2 seeds", " s of one CPU core"):
        assert word in text


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_a_figure_without_runs_says_so(name: str) -> None:
    assert "no run" in figures.svg(judge(study_of(name), "smoke", 1, {}))


def scorecard(seeds: int, found: Mapping[str, RunRecord], *folders: Path) -> list[conjecture.Line]:
    return conjecture.scorecard("smoke", seeds, found, folders, conjecture.arms_of_all_tasks())


def test_of_two_predictions_the_earlier_counts(tmp_path: Path) -> None:
    predictions.store(tmp_path / "mine", said("count", "will not", made="2026-02"), "smoke")
    predictions.store(
        tmp_path / "shipped", said("count", "will generalise", made="2026-01"), "smoke"
    )
    lines = scorecard(1, {}, tmp_path / "mine", tmp_path / "shipped")
    assert lines[0].predicted == "will generalise"


def test_the_report_is_one_page_that_needs_nothing_else(tmp_path: Path) -> None:
    claims = [claim_of("headline"), claim_of("addition-balanced")]
    predictions.store(tmp_path, said("count", "will generalise", "a program <of 3 lines>"), "smoke")
    found = dict(claims[0].evidence.records)
    lines = scorecard(2, found, tmp_path)
    written = Notes("What was <tried>.", {"headline": "No & more."})
    page = report.page([Part("smoke", claims, lines, written)])
    assert "<script" not in page
    assert 'src="http' not in page
    assert 'href="http' not in page
    assert "What was &lt;tried&gt;." in page
    first, second = page.split('<details class="claim"')[1:]
    assert "No &amp; more." in first
    assert "No &amp; more." not in second
    assert "a program &lt;of 3 lines&gt;" in page
    assert "object at 0x" not in page  # whatever a template shows, it shows as words
    assert ">100\N{NO-BREAK SPACE}%, 100\N{NO-BREAK SPACE}%</td>" in page
    for word in ("raspl study run headline --scale smoke --seeds 2", "SoS", "RASP-L program"):
        assert word in page
    ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_the_conjectures_scorecard_compares(tmp_path: Path) -> None:
    verdicts: dict[str, Verdict]
    verdicts = {"count": "will generalise", "sort": "will not", "mode": "unknown"}
    for task, verdict in verdicts.items():
        predictions.store(tmp_path, said(task, verdict), "smoke")
    found = records(["headline"], as_the_paper_says, seeds=1)
    lines = {one.task: one for one in scorecard(1, found, tmp_path)}
    assert lines["count"].agrees is True
    assert lines["sort"].agrees is False
    assert lines["mode"].agrees is None
    assert lines["copy_repeat"].outcome == "does not"
    assert lines["conjunction"].outcome == "not run"


def test_results_ship_and_are_read_on_a_fresh_clone(tmp_path: Path) -> None:
    results = tmp_path / "results"
    for one in records(["conjunction", "copy"], as_the_paper_says, seeds=3).values():
        store.ship(results, one)
    (results / "smoke" / "notes.md").write_text(
        "What was tried.\n\n## copy\n\nHow it went.\n\nMore.\n\n## conjunction\n\nWell.\n"
    )
    claims = publish("smoke", 3, tmp_path / "no runs", results)
    again = claims_of(["conjunction", "copy"], "smoke", 3, Store(None, results))
    assert [str(claim.verdict) for claim in again] == ["reproduced", "reproduced"]
    decided = {claim.study.id for claim in claims if claim.decided}
    assert decided >= {"conjunction", "copy"}
    assert "headline" not in decided
    card = (results / "smoke" / "scorecard.md").read_text()
    assert card.index("What was tried.") < card.index("## copy: reproduced")
    assert "How it went.\n\nMore.\n\n## " in card.split("## copy: reproduced")[1]
    assert "Well." in card.split("## conjunction: reproduced")[1]
    assert "conjunction: reproduced" in card
    stale = results / "smoke" / "runs" / "count-000000000000.json"
    stale.write_text("{}")
    kept = records(["conjunction", "copy"], as_the_paper_says, seeds=1)
    assert store.drop_stale(
        results, "smoke", [one.config for one in kept.values()], FIRST_SEED["smoke"]
    ) == [stale]
    assert not stale.exists()


@pytest.mark.parametrize("text", ["## coppy\n\nA.\n", "## copy\n\nA.\n\n## copy \n\nB.\n"])
def test_a_note_on_no_study_or_twice_on_one_is_a_sentence(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.md"
    path.write_text(text)
    with pytest.raises(RasplError, match=r"the heading 'copp?y'"):
        notes.read(path)


def test_further_seeds_count_without_being_asked_for(tmp_path: Path) -> None:
    for one in records(["conjunction"], as_the_paper_says, seeds=4).values():
        store.ship(tmp_path, one)
    places = Store(None, tmp_path)
    assert seeds_there("smoke", None, places) == 4
    (conjunction, copy) = claims_of(["conjunction", "copy"], "smoke", None, places)
    assert conjunction.evidence.seeds == 4
    assert str(copy.verdict) == "not run"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_table_has_a_row_a_run_distribution_and_length(ending: str, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    found = records(["conjunction", "addition-easy"], as_the_paper_says)
    path = tmp_path / f"runs.{ending}"
    rows = export.write(found.values(), path)
    read = polars.read_csv if ending == "csv" else polars.read_parquet
    frame = read(path)
    assert len(frame) == rows
    assert frame["run"].n_unique() == len(found)
    assert set(frame["kind"].unique()) == {"in distribution", "tested", "also"}


def test_the_dotted_line_is_what_the_claim_asks() -> None:
    asked = {name: panels.asked(claim_of(name).evidence) for name in ("conjunction", "headline")}
    assert asked == {"conjunction": 0.99, "headline": 0.9}


def test_bars_are_hatched_where_worse_is_expected_and_a_legend_says_so() -> None:
    def hatched(name: str) -> set[str]:
        evidence = claim_of(name).evidence
        return {arm.label for arm in evidence.study.arms if panels.is_doubted(arm, evidence)}

    assert all(label.endswith(", rotary") for label in hatched("rotary"))
    assert len(hatched("rotary")) == 6
    assert "plain parity" in hatched("headline")
    assert "count" not in hatched("headline")
    assert not hatched("conjunction-choices")
    for name, words in (("rotary", "expected to be worse"), ("headline", "should fail")):
        assert words in figures.svg(claim_of(name))


def test_a_table_of_an_unknown_kind_is_a_sentence(tmp_path: Path) -> None:
    pytest.importorskip("polars")
    with pytest.raises(RasplError, match="parquet or"):
        export.write([], tmp_path / "runs.xls")


def test_costs_come_from_twins_then_from_rates() -> None:
    found = records(["conjunction"], as_the_paper_says)
    (one,) = found.values()
    other = study_of("conjunction").arms[0].configuration("smoke", 20, 7)
    count = study_of("count-lengths").arms[0].configuration("smoke", 4, 0)
    assert Estimator(found).seconds(other) == AROUND + one.cost
    assert Estimator(found).seconds(count) > AROUND
    assert Estimator({}).seconds(count) > AROUND
    long = count.replace(context=64, layout="packed")
    sizes = [operations(long.replace(layout=layout)) for layout in ("packed", "single")]
    assert sizes[0] > 5 * sizes[1]  # examples of 8 tokens on average
    assert [duration(s) for s in (5, 600, 7200, 400_000)] == ["5 s", "10 min", "2.0 h", "4.6 d"]


def test_tables_show_every_condition() -> None:
    claim = claim_of("mode-scratchpad")
    assert tables.details(claim).row_count == len(claim.findings)
    assert "mode, scratchpad by frequency" in tables.scorecard([claim], [], Notes(), [])


def test_a_scorecard_says_what_runs_cost_and_which_studies_have_none() -> None:
    claim, idle = claim_of("headline"), judge(study_of("copy"), "smoke", 1, {})
    costs = minutes(claim.evidence, Estimator({}))
    text = tables.scorecard([claim, idle], [], Notes(), costs)
    assert text.count(f"| {costs[0].arm.label} | {costs[0].ours} |") == 1
    assert "Not run at this scale: `copy`." in text
    assert "## copy" not in text


def finish(root: Path, one: RunRecord) -> None:
    """A run of the user's own, as training leaves it."""
    folder = RunFolder.under(root, one.config)
    folder.path.mkdir(parents=True)
    folder.open()
    folder.write_curve(list(one.curve), say=lambda sentence: None)
    folder.write_result(one.result, list(one.curve))


def test_own_runs_stand_beside_those_that_ship_and_replace_none(tmp_path: Path) -> None:
    root, results = tmp_path / "runs", tmp_path / "results"
    for one in records(["conjunction"], as_the_paper_says, seeds=3).values():
        store.ship(results, one)
    for one in records(["conjunction"], lambda config, on, n: 0.1, seeds=4).values():
        finish(root, one)
    both = Store(root, results)
    (ours,) = claims_of(["conjunction"], "smoke", 3, both)
    (yours,) = own_claims(["conjunction"], "smoke", both).values()
    assert (str(ours.verdict), str(yours.verdict)) == ("reproduced", "not reproduced")
    assert seeds_there("smoke", None, both) == 4  # a seed that does not ship is added
    assert claims_of(["conjunction"], "smoke", 3, replace(both, own_first=True)) != [ours]
    page = report.page([gather.part(["conjunction"], "smoke", 3, both)])
    assert "yours: not reproduced" in page
    assert not own_claims(["conjunction"], "smoke", Store(root, tmp_path / "none"))


def test_a_report_of_nothing_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(RasplError, match="nothing to report"):
        gather.parts(["copy", "headline"], None, None, Store(tmp_path, tmp_path))


def test_other_scales_are_below_the_leading_one_and_closed(tmp_path: Path) -> None:
    for scale in ("smoke", LEADING):
        for one in records(["conjunction"], as_the_paper_says, scale, seeds=3).values():
            store.ship(tmp_path, one)
    parts = gather.parts(["conjunction"], None, None, Store(None, tmp_path))
    assert [part.scale for part in parts] == [LEADING, "smoke"]
    page = report.page(parts)
    first, second = page.split('<details class="scale">')
    assert f"--scale {LEADING}" in first
    assert "--scale smoke" not in first
    assert "--scale smoke" in second
    ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_the_readme_is_written_between_its_marks(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(f"Before.\n\n{readme.BEGIN}\nold\n{readme.END}\n\nAfter.\n")
    claims = [claim_of("headline", seeds=3)]
    readme.update(path, claims)
    text = path.read_text()
    assert text.startswith("Before.")
    assert text.endswith("After.\n")
    assert "old" not in text
    assert "results/smoke/figures/headline.png" in text
    assert "10 of the 10 lines" in text
    readme.update(path, claims)
    assert path.read_text() == text
