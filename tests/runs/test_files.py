"""What a run's files are told when they are damaged, lost, or don't fit on the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from raspl.files import write_text
from raspl.runs.execute import execute
from raspl.runs.files import DamagedError, read_record, write_record
from raspl.runs.folder import RunFolder
from raspl.runs.run import Run
from raspl.training.configuration import TrainingError
from raspl.training.loop import Session
from raspl.training.presets import configure


@pytest.mark.parametrize("text", ["[]", "[1]", "5", "null", '"text"', "{}", "", "[" * 100_000])
def test_json_that_is_no_record_is_damaged(text: str, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(text, "utf-8")
    with pytest.raises(DamagedError, match=r"config\.json"):
        read_record(path)
    with pytest.raises(TrainingError, match="is damaged"):
        RunFolder.at(tmp_path)


def test_a_record_comes_back(tmp_path: Path) -> None:
    write_record(tmp_path / "r.json", {"a": 1})
    assert read_record(tmp_path / "r.json") == {"a": 1}


def test_a_full_disk_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    path = tmp_path / "page.html"
    with pytest.raises(OSError, match="No space left") as caught:
        write_text(path, "text")
    assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


def test_lost_metrics_are_mentioned_and_mended(tmp_path: Path) -> None:
    changes = {"steps": 2, "test_lengths": (4,), "max_length": 3}
    config = configure("copy_unique", "smoke", changes)
    execute(config, tmp_path)
    folder = RunFolder.under(tmp_path, config)
    whole = folder.metrics.read_bytes()
    folder.metrics.unlink()
    with pytest.raises(TrainingError, match=r"metrics.jsonl is lost"):
        Run.at(folder.path)
    said: list[str] = []
    execute(config, tmp_path, Session(say=said.append))
    assert [line for line in said if "metrics" in line] == [
        f"{folder.metrics} was lost and has been written again."
    ]
    assert folder.metrics.read_bytes() == whole
    folder.metrics.write_bytes(whole[:-3])
    with pytest.raises(TrainingError, match=r"metrics.jsonl is damaged"):
        Run.at(folder.path)
