"""Runs on disk: whole files, exact continuation, and a sentence when something is wrong."""

import errno
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from raspl.errors import Stopped
from raspl.runs.execute import execute
from raspl.runs.files import write_record
from raspl.runs.folder import RunFolder
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.loop import Progress, Session
from raspl.training.presets import configure

SAME = ("weights.safetensors", "metrics.jsonl", "result.json", "config.json")
SLOW = pytest.mark.slow
RUNNER = Path(__file__).parent / "runner.py"


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in SAME}


def folder_of(root: Path, config: Configuration) -> Path:
    return root / config.name


@pytest.fixture(scope="module")
def whole(small: Configuration, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that was never stopped."""
    root = tmp_path_factory.mktemp("whole")
    execute(small, root)
    return contents(folder_of(root, small))


class Watcher:
    """Does something at a step, once."""

    def __init__(self, step: int, action: Callable[[], None]) -> None:
        self.step, self.action = step, action

    def __call__(self, progress: Progress) -> None:
        if progress.step == self.step:
            self.step = -1
            self.action()


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_a_stopped_run_continues_to_the_same_bytes(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    for step in (3, 10, 17):
        with pytest.raises(Stopped, match=f"Stopped at step {step}"):
            execute(small, tmp_path, Session(watch=Watcher(step, interrupt)))
    execute(small, tmp_path)
    assert contents(folder_of(tmp_path, small)) == whole


def run_and_kill(root: Path, steps: int, kills: int) -> None:
    """Start the run over and over; kill it at a random moment after each has got further."""
    chance = random.Random(0)
    command = [sys.executable, str(RUNNER), str(root), str(steps)]
    for _ in range(kills):
        before = newest(root)
        with subprocess.Popen(command) as process:
            while newest(root) == before and process.poll() is None:
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.15))
            process.kill()
    subprocess.run(command, check=True)


def newest(root: Path) -> int:
    """The step of the newest checkpoint."""
    steps = (int(path.stem.split("-")[1]) for path in root.glob("*/checkpoint-*"))
    return max(steps, default=0)


@pytest.mark.parametrize(("kills", "steps"), [(1, 200), pytest.param(20, 6000, marks=SLOW)])
def test_a_killed_run_continues_to_the_same_bytes(tmp_path: Path, kills: int, steps: int) -> None:
    run_and_kill(tmp_path / "killed", steps, kills)
    config = configure("count", "smoke", {"numbers": 12, "steps": steps})
    execute(config, tmp_path / "whole")
    killed, never = (folder_of(tmp_path / name, config) for name in ("killed", "whole"))
    assert contents(killed) == contents(never)
    last = json.loads((killed / "cost.jsonl").read_text().splitlines()[-1])
    assert last["first_step"] > 0  # it did continue


def test_a_finished_run_is_not_run_again(small: Configuration, tmp_path: Path) -> None:
    result = execute(small, tmp_path)
    seen: list[Progress] = []
    assert execute(small, tmp_path, Session(watch=seen.append)) == result
    assert seen == []
    assert not list(folder_of(tmp_path, small).glob("checkpoint-*"))


def test_a_second_process_says_so_and_leaves(small: Configuration, tmp_path: Path) -> None:
    with (
        RunFolder.under(tmp_path, small).claimed(),
        pytest.raises(TrainingError, match="Another process is working on"),
    ):
        execute(small, tmp_path)


@pytest.mark.parametrize("name", ["config.json", "result.json", "metrics.jsonl"])
@pytest.mark.parametrize("damage", [b"", b"{", b'{"digest": "0"}'])
def test_a_damaged_file_is_mended(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes], name: str, damage: bytes
) -> None:
    execute(small, tmp_path)
    folder = folder_of(tmp_path, small)
    (folder / name).write_bytes(damage)
    said: list[str] = []
    execute(small, tmp_path, Session(say=said.append))
    assert contents(folder) == whole
    assert any(name in sentence for sentence in said)


def test_damaged_weights_are_trained_again(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    execute(small, tmp_path)
    path = folder_of(tmp_path, small) / "weights.safetensors"
    content = bytearray(path.read_bytes())
    content[-5] ^= 1  # a single bit, which the format itself would not notice
    path.write_bytes(bytes(content))
    said: list[str] = []
    execute(small, tmp_path, Session(say=said.append))
    assert contents(path.parent) == whole
    assert "weights.safetensors is damaged" in said[0]


def test_of_two_checkpoints_the_whole_one_serves(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    for step in (5, 9):
        with pytest.raises(Stopped):
            execute(small, tmp_path, Session(watch=Watcher(step, interrupt)))
    folder = folder_of(tmp_path, small)
    (folder / "checkpoint-9.safetensors").write_bytes(b"torn")
    said: list[str] = []
    execute(small, tmp_path, Session(say=said.append))
    assert "checkpoint-9.safetensors is damaged" in said[0]
    assert json.loads((folder / "cost.jsonl").read_text().splitlines()[-1])["first_step"] == 5
    assert contents(folder) == whole


@pytest.mark.parametrize("name", ["metrics.jsonl", "cost.jsonl"])
def test_a_torn_line_is_harmless(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes], name: str
) -> None:
    with pytest.raises(Stopped):
        execute(small, tmp_path, Session(watch=Watcher(7, interrupt)))
    folder = folder_of(tmp_path, small)
    with (folder / name).open("ab") as file:
        file.write(b'{"step": 8, "lo')
    execute(small, tmp_path)
    assert contents(folder) == whole
    assert json.loads((folder / "cost.jsonl").read_text().splitlines()[-1])["first_step"] == 7


def test_a_result_of_an_older_version_is_made_again(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    execute(small, tmp_path)
    run = RunFolder.under(tmp_path, small)
    result = run.finished()
    assert result is not None
    older = result.as_json()
    del older["as_trained"]
    write_record(run.path / "result.json", older)
    assert run.finished() is None
    said: list[str] = []
    execute(small, tmp_path, Session(say=said.append))
    assert "older version" in said[0]
    assert contents(run.path) == whole


def test_a_run_with_damaged_metrics_is_not_finished(
    small: Configuration, tmp_path: Path, whole: dict[str, bytes]
) -> None:
    execute(small, tmp_path)
    run = RunFolder.under(tmp_path, small)
    path = run.path / "metrics.jsonl"
    path.write_bytes(path.read_bytes()[:200])
    assert run.finished() is None
    execute(small, tmp_path)
    assert run.finished() is not None
    assert contents(run.path) == whole


def test_an_undisturbed_run_has_nothing_to_say(small: Configuration, tmp_path: Path) -> None:
    said: list[str] = []
    execute(small, tmp_path, Session(say=said.append))
    assert said == []


def test_a_loss_that_is_no_number_is_a_sentence(small: Configuration, tmp_path: Path) -> None:
    config = small.replace(learning_rate=1e30, final_learning_rate=1e30)
    with pytest.raises(TrainingError, match=r"no longer a number at step \d+.*lower learning rate"):
        execute(config, tmp_path)


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(
    small: Configuration,
    tmp_path: Path,
    whole: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(Stopped):
        execute(small, tmp_path, Session(watch=Watcher(5, interrupt)))

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(TrainingError, match=r"Could not write .*No space left on device"):
            execute(small, tmp_path)
    folder = folder_of(tmp_path, small)
    assert not list(folder.glob(".*"))
    execute(small, tmp_path)
    assert contents(folder) == whole


def test_a_folder_that_can_not_be_written_is_a_sentence(
    small: Configuration, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TrainingError, match="Can't write in"):
        execute(small, tmp_path / "file")


def test_what_is_not_a_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"it has no config\.json"):
        RunFolder.at(tmp_path)


def test_a_run_opens_from_its_folder(small: Configuration, tmp_path: Path) -> None:
    execute(small, tmp_path)
    assert RunFolder.at(folder_of(tmp_path, small)).config == small
