"""Several predictions before training, each in a process of its own."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from raspl.prediction import Prediction, before
from raspl.prediction.before import KILLED, Request, predict_before
from raspl.prediction.store import path_of, stored
from raspl.tasks.shipped import Value

TOLD = "No prediction for nosuch: No task is called 'nosuch'."


def test_predictions_are_stored_and_what_failed_is_said(tmp_path: Path) -> None:
    requests = [
        Request("sort", {"numbers": 32}, "smoke"),
        Request("nosuch", {}, "smoke"),
        Request("sort", {"numbers": 9}, "smoke"),
    ]
    (sentence,) = predict_before(requests, tmp_path, 5)
    assert sentence.startswith(TOLD)
    sort = stored(tmp_path, *requests[0])
    assert sort is not None
    assert sort.settings is not None
    assert sort.verdict == "will generalise"
    assert sort.settings["budget"] == 5
    assert sort.trained_to == 5
    assert stored(tmp_path, *requests[2]) is None
    assert not path_of(tmp_path, "nosuch", "smoke").exists()


def test_what_is_stored_is_not_predicted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = Request("sort", {}, "smoke")
    assert predict_before([request], tmp_path, 5) == []
    kept = path_of(tmp_path, "sort", "smoke").read_bytes()
    monkeypatch.setattr(before, "_predict_apart", lambda request, budget: "asked again")
    assert predict_before([request], tmp_path, 5) == []
    assert path_of(tmp_path, "sort", "smoke").read_bytes() == kept


PREDICT = before._predict


def killed_on_count(task: str, parameters: Mapping[str, Value], budget: float) -> Prediction | str:
    """Runs in the process of the search."""
    if task == "count":
        os._exit(9)
    return PREDICT(task, parameters, budget)


def test_a_search_that_is_killed_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(before, "_predict", killed_on_count)
    requests = [Request("count", {}, "smoke"), Request("sort", {}, "smoke")]
    assert predict_before(requests, tmp_path, 5) == [f"No prediction for count: {KILLED}"]
    assert stored(tmp_path, *requests[1]) is not None
