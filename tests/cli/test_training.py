"""The commands of tasks and learning."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from raspl import programs
from raspl.cli import app, main
from raspl.tasks import SHIPPED

SAMPLE = """def sample(rng, lengths):
    rows = np.where(np.arange(max(lengths)) < lengths[:, None], 0, -1)
    return (rows,) * 2
"""


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_tasks_are_listed() -> None:
    result = call("tasks")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in SHIPPED)


def test_it_is_said_if_no_test_is_beyond_training(tmp_path: Path) -> None:
    words = ["train", "sort", "--scale", "smoke", "--root", str(tmp_path), "--test"]
    assert "No test length is beyond the training length 4" in call(*words, "3").output
    longer = call(*words, "5").output
    assert "No test length" not in longer
    assert "(train)" not in longer  # of one distribution only lengths are told


def test_examples_are_printed_in_names() -> None:
    result = call("sample", "count", "-n", "3", "--length", "4")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    for line in lines:
        tokens = line.split()
        first, last = int(tokens[1]), int(tokens[2])
        assert last - first == 3
        assert tokens[3:] == [">", *map(str, range(first, last + 1)), "EoS"]


def test_named_distributions_are_sampled() -> None:
    result = call("sample", "addition_plain", "--on", "hard", "--length", "3", "-n", "5")
    assert all(line.split(">")[1].split()[:2] == ["1", "0"] for line in result.stdout.splitlines())


@pytest.fixture
def run(tmp_path: Path) -> Path:
    result = call(
        "train", "count", "--scale", "smoke", "--set", "numbers=12", "--root", str(tmp_path)
    )
    assert result.exit_code == 0, result.output
    (folder,) = tmp_path.iterdir()
    assert f"Run: {folder}" in result.stdout
    return folder


def test_a_run_leaves_a_plot_and_a_result(run: Path) -> None:
    assert (run / "exact_match.png").read_bytes().startswith(b"\x89PNG")
    assert json.loads((run / "result.json").read_text())["as_trained"]["exact"] < 0.99


def test_every_field_can_be_set(tmp_path: Path) -> None:
    result = call(
        "train", "sort", "--scale", "smoke", "--max-length", "3", "--test", "4,6", "--seed", "2",
        "--steps", "3", "--set", "positions=rotary", "--set", "learning_rate=1e-4", "--root",
        str(tmp_path),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    record = json.loads(next(tmp_path.glob("*/config.json")).read_text())
    assert record["test_lengths"] == [4, 6]
    assert (record["max_length"], record["seed"], record["steps"]) == (3, 2, 3)
    assert (record["positions"], record["learning_rate"]) == ("rotary", 1e-4)


def test_a_users_task_is_trained_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("from raspl.tasks import find\ntask = find('copy_repeat')\n")
    result = call("train", str(path), "--scale", "smoke", "--root", str(tmp_path / "runs"))
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def sample(rng, lengths):\n    return lengths", "two integer arrays"),
        ("def sample(rng, lengths):\n    return 1 / 0", "failed with ZeroDivisionError"),
        ("def sample(rng, lengths):\n    return ONE, ONE", "asked for 2 examples"),
        ("def sample(rng, lengths):\n    return ONE, ONE[:0]", "two integer arrays"),
        (
            "def sample(rng, lengths):\n    return ONE[[0] * len(lengths)] + 7, ONE",
            "integer arrays",
        ),
        (f"{SAMPLE}program = Path(__file__)", "is a task, not a program"),
        (f"{SAMPLE}program = {str(programs.path('parity_plain'))!r}", "1 violation of RASP-L"),
        (f"{SAMPLE}program = Path('nowhere.py')", "nowhere.py"),
        (SAMPLE.replace("(rows,) * 2", "rows, rows + (rows == 0)"), "and the solver 'a"),
    ],
)
def test_what_is_wrong_with_a_users_task_is_said_before_training(
    text: str,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "from pathlib import Path\nimport numpy as np\nfrom raspl.tasks import Task\n"
        f"ONE = np.zeros((1, 1), dtype=int)\nprogram = None\n{text}\n"
        "task = Task('own', 'zero', 'ab', sample, lambda prompt: prompt, program=program)\n"
    )
    words = ["train", str(path), "--scale", "smoke", "--root", str(tmp_path / "runs")]
    monkeypatch.setattr(sys, "argv", ["raspl", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert says in capsys.readouterr().err
    assert not list((tmp_path / "runs").glob("*/weights.safetensors"))


def test_an_edited_task_is_not_the_one_that_was_trained(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("from raspl.tasks import find\ntask = find('copy_repeat')\n")
    root = tmp_path / "runs"
    assert call("train", str(path), "--scale", "smoke", "--root", str(root)).exit_code == 0
    path.write_text("from raspl.tasks import find\ntask = find('sort')\n")
    (run,) = root.iterdir()
    result = call("export", str(run))
    assert result.exit_code == 2
    assert "was edited since" in result.stderr


def test_a_run_is_exported(run: Path) -> None:
    result = call("export", str(run), "--to", "hf")
    assert result.exit_code == 0
    assert json.loads((run / "hf" / "config.json").read_text())["model_type"] == "gpt2"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["train", "cuont"], "No task is called 'cuont'"),
        (["train", "count", "--scale", "huge"], "There is no scale 'huge'"),
        (["train", "count", "--test", "a,b"], "Lengths are numbers"),
        (["train", "count", "--set", "wdith=3"], "'wdith' can't be set"),
        (["train", "count", "--set", "width"], "--set takes NAME=VALUE"),
        (["train", "count", "--set", "heads=5"], "can't be split over 5 heads"),
        (["train", "count", "--set", "width=wide"], "width must be a whole number"),
        (["train", "count", "--set", "loss=some"], "loss is one of all, answer"),
        (["train", "count", "--test-on", "hard"], "has no distribution 'hard'"),
        (["train", "count", "--test", "1000"], "no examples of length 1000"),
        (["train", "count", "--set", "learning_rate=nan"], "learning_rate must be a number"),
        (
            ["train", "count", "--set", "final_learning_rate=inf"],
            "final_learning_rate must be a number",
        ),
        (["train", "count", "--set", "beta2=1.5"], "beta2 must be below 1"),
        (["train", "count", "--set", f"seed={10**30}"], "seed must be below"),
        (["train", "count", "--set", "steps=0"], "steps must be at least 1"),
        (["train", "count", "--set", "context=9"], "more than the context of 9"),
        (["train", "count", "--set", "width=100000000"], "does not fit in memory"),
        (["train", "count", "--device", "meta"], "can't train on 'meta'"),
        (["train", "missing.py"], "There is no file missing.py"),
        (["train", "count", "--device", "abacus"], "can't train on 'abacus'"),
        (["sample", "count", "--on", "hard"], "has no distribution 'hard'"),
        (["export", "nowhere"], "There is no folder nowhere"),
        (["export", "nowhere", "--to", "jax"], "Can't export to 'jax'"),
    ],
)
def test_users_errors_are_one_sentence(arguments: list[str], says: str) -> None:
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert says in result.stderr
    assert result.stderr.strip().count("\n") == 0
