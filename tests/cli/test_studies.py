import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from raspl.cli import app, main
from raspl.fleet.local import Plan
from raspl.fleet.status import Outcome, Watch
from raspl.runs import store
from raspl.runs.costs import Estimator
from raspl.runs.execute import execute_on_one_thread
from raspl.training.configuration import Configuration
from tests.studies.made import as_the_paper_says, records

CLI = CliRunner()


def shipped(folder: Path) -> list[str]:
    for one in records(["conjunction"], as_the_paper_says, seeds=3).values():
        store.ship(folder, one)
    return ["--scale", "smoke", "--root", str(folder / "runs"), "--results", str(folder)]


def test_list_shows_state_and_cost(tmp_path: Path) -> None:
    answer = CLI.invoke(app, ["study", "list", *shipped(tmp_path)])
    assert answer.exit_code == 0, answer.output
    line = next(line for line in answer.stdout.splitlines() if line.startswith("conjunction"))
    assert "reproduced" in line
    assert "3/3" in line
    assert (
        "12 s" in line
    )  # two runs (the scale's seeds) of two seconds, and what is around their training


def test_report_and_export_work_from_what_ships(tmp_path: Path) -> None:
    where = shipped(tmp_path)
    page = tmp_path / "report.html"
    one = ["--study", "conjunction", "-o", str(page)]
    assert CLI.invoke(app, ["report", *one, *where]).exit_code == 0
    assert page.read_text().startswith("<!doctype html>")
    answer = CLI.invoke(app, ["study", "export", str(tmp_path / "all.csv"), *where])
    assert answer.exit_code == 0 or "needs polars" in answer.output


def test_a_mistyped_folder_is_told(tmp_path: Path) -> None:
    nowhere = ["--root", str(tmp_path / "no"), "--results", str(tmp_path / "nothing")]
    answer = CLI.invoke(app, ["study", "list", "--scale", "smoke", *nowhere])
    assert answer.exit_code == 0
    assert "nothing here" in answer.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("study run nonsense", "No study is called 'nonsense'"),
        ("study run conjunction --on moon", "--on is local or ray"),
        ("study run conjunction --device cuda:9", "can't train on 'cuda:9'"),
        ("study run conjunction --device meta", "can't train on 'meta'"),
        ("study run conjunction --gpus 1", "--gpus is for --on ray"),
        ("study run conjunction --on ray --device cuda", "--device is for --on local"),
        ("study list --scale huge", "no scale 'huge'"),
        ("demo --out missing/demo.html", "no folder missing"),
        ("study run conjunction --on ray --address ray://head:1", "--address auto"),
        ("study run conjunction --on ray --address 127.0.0.1:1", "No Ray cluster answers"),
    ],
)
def test_mistakes_are_a_sentence(
    words: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--root", str(tmp_path), *(["--predict", "0"] if "list" not in words else [])]
    monkeypatch.setattr(sys, "argv", ["raspl", *words.split(), *options])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_run_trains_what_is_missing_and_judges(tmp_path: Path) -> None:
    words = ["study", "run", "conjunction", "--scale", "smoke", "--seeds", "1"]
    answer = CLI.invoke(app, [*words, "--root", str(tmp_path)])
    assert answer.exit_code == 0, answer.output
    assert "not converged" in answer.stdout
    assert f"`raspl report --scale smoke --root {tmp_path}` draws them" in answer.output


def test_runs_that_ship_can_count_as_done(tmp_path: Path) -> None:
    words = ["study", "run", "conjunction", "--seeds", "4", "--shipped", *shipped(tmp_path)]
    answer = CLI.invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert len(list((tmp_path / "runs").glob("conjunction-*"))) == 1
    assert "reproduced" in answer.stdout  # by the three that ship: the new one learned nothing


class InThisProcess:
    """A fleet for runs so short that starting a worker for each takes longer than to train it."""

    def __init__(self, root: Path, plan: Plan, estimator: Estimator) -> None:
        self.root = root

    def run(self, configs: Iterable[Configuration], watch: Watch) -> Outcome:
        for config in configs:
            execute_on_one_thread(config, self.root)
        return Outcome({})


def test_the_demo_predicts_trains_compares_and_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("raspl.fleet.local.Local", InThisProcess)
    page = tmp_path / "demo.html"
    where = ["--root", str(tmp_path / "runs"), "--results", str(tmp_path), "-o", str(page)]
    answer = CLI.invoke(app, ["demo", "--scale", "smoke", "--predict", "0", *where])
    assert answer.exit_code == 0, answer.output
    for word in ("1. Predict", "copy_unique", "4 → 5", "not learned", "Where to look next"):
        assert word in answer.output
    assert "Three tasks that should generalise" in page.read_text()


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
sys.modules["matplotlib"] = None
from raspl.cli import main
sys.argv = ["raspl", *sys.argv[1:]]
main()
"""


@pytest.mark.parametrize("words", ["demo", "study list", "report", "study run conjunction"])
def test_without_torch_a_command_says_at_once_what_it_needs(words: str, tmp_path: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *words.split()],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert answer.returncode == 2
    assert answer.stdout == ""
    clone = Path(__file__).parents[2]
    assert answer.stderr == (
        f"raspl: This needs torch and matplotlib: pip install -e '{clone}[learn]'.\n"
    )


def test_most_seeds_needs_until_decided(tmp_path: Path) -> None:
    words = ["study", "run", "conjunction", "--scale", "smoke", "--most-seeds", "4"]
    assert "is for --until-decided" in CLI.invoke(app, [*words, "--root", str(tmp_path)]).output


def test_outside_a_clone_what_ships_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = store.shipped_results()
    assert (found / "laptop" / "notes.md").is_file()
    (tmp_path / "results").mkdir()
    assert store.shipped_results() == Path("results")
