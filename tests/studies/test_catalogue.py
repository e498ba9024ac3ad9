"""The whole catalogue for real, at the scale that learns nothing."""

from pathlib import Path

from raspl.runs.execute import execute_on_one_thread
from raspl.runs.store import Store
from raspl.studies.assess import claims_of, configurations, lines_of
from raspl.studies.catalogue import STUDIES
from raspl.studies.publish import publish
from raspl.studies.report import page as report
from raspl.studies.report.page import Part
from raspl.studies.verdicts import Verdict


def test_every_study_from_training_to_report(tmp_path: Path) -> None:
    root, results, ids = tmp_path / "runs", tmp_path / "results", list(STUDIES)
    configs = configurations(ids, "smoke", 1)
    for config in configs.values():
        execute_on_one_thread(config, root)
    assert len(Store(root, None).collect(configs.values())) == len(configs)
    claims = publish("smoke", 1, root, results)
    assert all(claim.verdict is not Verdict.NOT_RUN for claim in claims)
    shipped = claims_of(ids, "smoke", 1, Store(None, results))
    assert [claim.findings for claim in shipped] == [claim.findings for claim in claims]
    assert not list(results.rglob("*.safetensors"))
    lines = lines_of("smoke", 1, Store(root, None))
    assert "count-lengths" in report.page([Part("smoke", claims, lines)])
