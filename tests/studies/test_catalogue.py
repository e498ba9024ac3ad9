"""The whole catalogue for real, at the scale that learns nothing."""

from pathlib import Path

from raspl.runs.execute import perform
from raspl.runs.store import collect, finished, last_step, lines, spent
from raspl.studies import conjecture
from raspl.studies.assess import Places, claims_of, configurations, publish
from raspl.studies.catalogue import STUDIES
from raspl.studies.checks import Verdict
from raspl.studies.report import page as report
from raspl.studies.report.notes import Notes


def test_every_study_from_training_to_report(tmp_path: Path) -> None:
    root, results, ids = tmp_path / "runs", tmp_path / "results", list(STUDIES)
    configs = configurations(ids, "smoke", 1)
    for config in configs.values():
        perform(config.as_json(), root)
    assert len(collect(configs.values(), root, None)) == len(configs)
    claims = publish("smoke", 1, root, results)
    assert all(claim.verdict is not Verdict.INCOMPLETE for claim in claims)
    shipped = claims_of(ids, "smoke", 1, Places(None, results))
    assert [claim.findings for claim in shipped] == [claim.findings for claim in claims]
    assert not list(results.rglob("*.safetensors"))
    lines = conjecture.scorecard("smoke", 1, claims[0].evidence.records, (root,))
    assert "count-lengths" in report.page(claims, lines, Notes())


def test_a_run_tells_how_far_it_is(tmp_path: Path) -> None:
    (config,) = configurations(["conjunction"], "smoke", 1).values()
    assert last_step(tmp_path, config) == 0
    assert finished(tmp_path, config) is None
    perform(config.as_json(), tmp_path)
    assert last_step(tmp_path, config) == config.steps
    record = finished(tmp_path, config)
    assert record is not None
    assert record.sittings == 1
    (cost,) = lines(tmp_path / config.name / "cost.jsonl")
    assert record.seconds == cost["seconds"]
    with (tmp_path / config.name / "metrics.jsonl").open("a") as file:
        file.write('{"step": 9')  # torn, as by a kill
    assert last_step(tmp_path, config) == config.steps


def test_a_killed_sitting_still_costs() -> None:
    whole = [{"from": 0, "to": 50, "seconds": 5.0}, {"from": 50, "to": 100, "seconds": 5.0}]
    assert spent(whole, 100) == spent(whole[1:], 100) == 10.0
    assert spent([], 100) == 0.0
