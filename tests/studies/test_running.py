"""Predictions come before training, and studies before claims."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from raspl.prediction.before import Request
from raspl.runs.folder import RunFolder
from raspl.studies import running
from raspl.studies.assess import configurations
from raspl.studies.running import predict_first

CONFIGS = list(configurations(["conjunction"], "smoke", 2).values())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """What was asked to be predicted."""
    found: list[Request] = []

    def note(requests: Iterable[Request], folder: Path, budget: float) -> list[str]:
        found.extend(requests)
        return []

    monkeypatch.setattr(running, "predict_before", note)
    return found


def test_each_task_is_predicted_once(tmp_path: Path, asked: list[Request]) -> None:
    predict_first(tmp_path, CONFIGS, 1)
    assert asked == [Request("conjunction", CONFIGS[0].parameters, "smoke")]


def test_a_prediction_after_the_fact_is_none(tmp_path: Path, asked: list[Request]) -> None:
    other = CONFIGS[0].replace(seed=99, steps=5)
    folder = RunFolder.under(tmp_path, other)
    folder.path.mkdir()
    folder.open()
    assert predict_first(tmp_path, CONFIGS, 1) == []
    assert not asked
