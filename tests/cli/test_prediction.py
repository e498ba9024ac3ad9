"""The commands search and predict."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from raspl.cli import prediction
from raspl.cli.options import seconds
from raspl.errors import RasplError
from raspl.synthesis.practice import PRACTICE
from tests.cli.commands import raspl


def test_search_prints_source_that_the_checker_accepts(tmp_path: Path) -> None:
    asked = ("search", "sort", "--max-length", "5", "--budget", "20s", "-k", "2", "--first")
    done = raspl(*asked, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "proved cheapest" in done.stdout
    assert "100% at 50" in done.stdout
    assert "No program of cost 0 or less" in done.stdout
    file = tmp_path / "found.py"
    file.write_text(done.stdout)
    assert raspl("check", str(file)).returncode == 0
    ran = raspl("run", f"{file}:found_1", *"SoS 7 3 5 > 3".split())
    assert ran.stdout.split()[-1] == "5", ran.stderr


def test_predict_writes_a_dated_file(tmp_path: Path) -> None:
    done = raspl("predict", "running_maximum", "--budget", "5s", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "will generalise" in done.stdout
    (file,) = (tmp_path / "predictions").glob("*-running_maximum-1.json")
    assert file.name[:2] == "20"
    assert f"Written to predictions/{file.name}." in done.stdout


def test_predict_as_json_and_explained(tmp_path: Path) -> None:
    done = raspl("predict", "sort", "--max-length", "5", "--format", "json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    chances = list(found["probability"].values())
    assert list(found["probability"]) == ["1.25", "2", "3", "10"]
    assert all(0 <= chance <= 1 for chance in chances)
    assert chances == sorted(chances, reverse=True)
    assert 5 <= found["reach"] <= 50
    assert "kqv(x, x, x, gt" in found["program"]
    assert (found["exhausted"], found["shortcut"]) == (0, None)
    explained = raspl("predict", "sort", "--max-length", "5", "--explain", cwd=tmp_path).stdout
    assert "what a feature adds" in explained


@pytest.mark.parametrize("orders", [("predict", "search"), ("search", "predict")])
def test_search_and_predict_share_a_search(orders: tuple[str, str], tmp_path: Path) -> None:
    """With their usual options they ask one question, whichever comes first."""
    first, second = (raspl(one, "sort", "--budget", "60m", cwd=tmp_path) for one in orders)
    assert "searched before" not in first.stderr
    assert second.stderr.startswith("searched before: 1 result from runs/searches")
    assert second.stderr.count("\n") == 1
    fresh = raspl(orders[1], "sort", "--fresh", cwd=tmp_path)
    assert "searched before" not in fresh.stderr
    assert said(second.stdout) == said(fresh.stdout)


def said(output: str) -> list[str]:
    """All but how long it took, and the number of the file."""
    timed = ("candidates, ", "Written to")
    return [line for line in output.splitlines() if not any(part in line for part in timed)]


def test_fewer_programs_are_shown_of_the_same_search(tmp_path: Path) -> None:
    raspl("search", "running_maximum", cwd=tmp_path)
    one = raspl("search", "running_maximum", "--keep", "1", cwd=tmp_path)
    assert "searched before" in one.stderr
    assert one.stdout.count("@program") == 1


@pytest.mark.parametrize("task", ["sort", "majority"])
def test_one_seed_gives_one_prediction_in_any_process(task: str, tmp_path: Path) -> None:
    """Sets and dictionaries of strings are ordered otherwise in each; nothing may hang on it."""
    arguments = ("predict", task, "--max-length", "4", "--seed", "3", "--budget", "60m")
    made = []
    for order in ("1", "2"):
        folder = tmp_path / order
        folder.mkdir()
        env = {**os.environ, "PYTHONHASHSEED": order}
        command = [sys.executable, "-m", "raspl", *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=env, check=False
        )
        assert done.returncode == 0, done.stderr
        (file,) = (folder / "predictions").iterdir()
        made.append(without_times(json.loads(file.read_text("utf-8"))))
    assert made[0] == made[1]
    assert any(reading["programs"] for reading in made[0]["readings"].values())


def without_times(prediction: dict[str, Any]) -> dict[str, Any]:
    """All of a prediction but when it was made and how long it took."""
    readings = {
        name: {key: value for key, value in reading.items() if key != "seconds"}
        for name, reading in prediction["readings"].items()
    }
    rest = {key: value for key, value in prediction.items() if key not in ("made", "seconds")}
    return {**rest, "readings": readings}


def test_help_names_the_practice_tasks() -> None:
    shown = " ".join(raspl("search", "--help").stdout.split())
    assert all(name in shown for name in PRACTICE)


def test_mistakes_are_one_sentence() -> None:
    for arguments in (
        ("search", "nosuch"),
        ("search", "shift", "--set", "numbers=3"),
        ("predict", "sort", "--set", "numbers"),
        ("search", "sort", "--budget", "soon"),
        ("search", "sort", "--budget", "0"),
        ("search", "conjunction", "--max-length", "3"),
    ):
        done = raspl(*arguments)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert done.stderr.endswith(".\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abc", "'abc' is not a time"),
        ("inf", "'inf' is not a time"),
        ("0", "A --budget of 0 leaves no time"),
        ("-1m", "A --budget of -1m leaves no time"),
    ],
)
def test_a_budget_is_a_time(text: str, said: str) -> None:
    with pytest.raises(RasplError, match=said):
        seconds(text)


def test_times() -> None:
    assert (seconds("60s"), seconds("5m"), seconds("2")) == (60, 300, 2)


def test_without_a_terminal_a_search_says_seldom_where_it_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = iter([0.0, 1.0, 20.0, 20.0, 21.0, 40.0, 40.0])
    monkeypatch.setattr(prediction, "time", SimpleNamespace(monotonic=lambda: next(now)))
    said: list[str] = []
    tell = prediction.Seldom(said.append)
    for progress in ("a second", "twenty", "twenty-one", "forty"):
        tell(progress)
    assert said == ["twenty", "forty"]
