"""Predictions are written once, and read back as they were."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from raspl.errors import RasplError
from raspl.prediction import Prediction, find_source, predict
from raspl.prediction.prediction import Judgement, Verdict
from raspl.prediction.store import path_of, read, store, stored, write
from raspl.synthesis.settings import Settings


def said(verdict: Verdict = "unknown", made: str = "2026-01", **fields: Any) -> Prediction:
    letter = Judgement(realizability="found", simplicity="two heads")
    return Prediction(
        task="count",
        made=made,
        verdict=verdict,
        readings={"letter": letter},
        trained_to=5,
        **fields,
    )


@pytest.fixture(scope="module")
def sort() -> Prediction:
    return predict(find_source("sort", {"numbers": 32}), Settings(max_length=5))


def test_files_are_never_overwritten_and_read_back(sort: Prediction, tmp_path: Path) -> None:
    first, second = write(sort, tmp_path / "new"), write(sort, tmp_path / "new")
    assert first.name == f"{sort.made[:10]}-sort-1.json"
    assert second.name == f"{sort.made[:10]}-sort-2.json"
    assert read(first) == read(second) == sort
    assert sort.parameters == {"numbers": 32}


def test_what_was_not_kept_is_not_made_up(tmp_path: Path) -> None:
    path = write(said(), tmp_path)
    assert read(path) == said()
    for name in ("looked_at", "settings", "rivals", "threshold", "candidates"):
        assert name not in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "task is missing"),
        ("no json", "Invalid JSON"),
        ('{"verdict": "perhaps"}', "task"),
    ],
)
def test_another_file_is_refused_in_a_sentence(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, "utf-8")
    with pytest.raises(RasplError, match=f"other.json is not a prediction .*: {reason}"):
        read(path)


def test_a_prediction_is_validated_and_frozen() -> None:
    with pytest.raises(ValidationError):
        said("perhaps")  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        said(scale="laptop")
    with pytest.raises(ValidationError):
        said().verdict = "will not"


def test_a_later_prediction_changes_nothing(tmp_path: Path) -> None:
    for made, kept in (("2026-02", "2026-02"), ("2026-03", "2026-02"), ("2026-01", "2026-01")):
        store(tmp_path, said(made=made), "smoke")
        found = stored(tmp_path, "count", {}, "smoke")
        assert found is not None
        assert found.made == kept


def test_one_of_other_parameters_replaces_and_is_not_taken_for_this_one(tmp_path: Path) -> None:
    store(tmp_path, said(made="2026-01"), "smoke")
    store(tmp_path, said(made="2026-02", parameters={"numbers": 9}), "smoke")
    assert stored(tmp_path, "count", {}, "smoke") is None
    other = stored(tmp_path, "count", {"numbers": 9}, "smoke")
    assert other is not None
    assert other.made == "2026-02"
    assert stored(tmp_path, "count", {"numbers": 9}, "laptop") is None


def test_a_spoiled_file_counts_as_none(tmp_path: Path) -> None:
    path = path_of(tmp_path, "count", "smoke")
    assert path == tmp_path / "predictions" / "count-smoke.json"
    path.parent.mkdir()
    path.write_bytes(b"\xff{")
    assert stored(tmp_path, "count", {}, "smoke") is None
    store(tmp_path, said(), "smoke")
    assert stored(tmp_path, "count", {}, "smoke") == said()


def test_reasons_name_the_reading_where_there_are_two() -> None:
    one = said()
    assert one.reasons() == ("realizability: found", "simplicity: two heads")
    letter = one.readings["letter"]
    two = one.model_copy(update={"readings": {"letter": letter, "intent": letter}})
    assert two.reasons()[0] == "letter: realizability: found"
    assert two.reasons()[3] == "intent: simplicity: two heads"


def test_an_early_prediction_can_be_shown() -> None:
    lines = str(said("will not")).splitlines()
    assert lines[0] == "count, trained up to length 5: will not generalise"
    assert lines[1] == "  realizability  found"
    assert not any("searched" in line or "looked at" in line for line in lines)
