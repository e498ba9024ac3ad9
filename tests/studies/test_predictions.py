from dataclasses import replace
from pathlib import Path

import pytest

from raspl.runs.folder import Run
from raspl.studies import predictions
from raspl.studies.assess import configurations
from raspl.studies.predictions import predict_before, short, stored

CONFIGS = list(configurations(["conjunction"], "smoke", 1).values())


def test_a_prediction_after_the_fact_is_none(tmp_path: Path) -> None:
    other = replace(CONFIGS[0], seed=99, steps=5)
    Run.under(tmp_path, other).folder.mkdir()
    Run.under(tmp_path, other).open(lambda sentence: None)
    assert predict_before(tmp_path, CONFIGS, 1) == []
    assert stored(tmp_path, CONFIGS[0]) is None


def test_a_later_prediction_changes_nothing(tmp_path: Path) -> None:
    said = {"verdict": "unknown", "trained_to": 5}
    for made, kept in (("2026-02", "2026-02"), ("2026-03", "2026-02"), ("2026-01", "2026-01")):
        predictions.store(tmp_path, short({**said, "made": made}, CONFIGS[0]))
        found = stored(tmp_path, CONFIGS[0])
        assert found is not None
        assert found.made == kept


def test_verdict_and_reasons_are_kept() -> None:
    terms = {"realizability": "found", "simplicity": "two heads", "diversity": "no shortcut"}
    record = {"made": "2026-01-01", "verdict": "will generalise", "trained_to": 5}
    said = short({**record, **terms}, CONFIGS[0])
    assert said.verdict == "will generalise"
    assert said.reasons[0] == "realizability: found"
    said = short({**record, "readings": {"core": terms, "library": terms}}, CONFIGS[0])
    assert len(said.reasons) == 6


def test_a_prediction_is_made_once_and_never_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def fake(root: Path, config: object, budget: float) -> str:
        made.append(config)
        record = {"made": "2026", "verdict": "unknown", "trained_to": 5}
        predictions.store(root, short(record, CONFIGS[0]))
        return ""

    monkeypatch.setattr(predictions, "predict", fake)
    predict_before(tmp_path, CONFIGS, 1)
    predict_before(tmp_path, CONFIGS, 1)
    assert len(made) == 1
    found = stored(tmp_path, CONFIGS[0])
    assert found is not None
    assert found.verdict == "unknown"
    assert stored(tmp_path, replace(CONFIGS[0], parameters={"bits": 12})) is None
