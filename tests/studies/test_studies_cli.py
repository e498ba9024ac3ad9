from pathlib import Path

from typer.testing import CliRunner

from raspl.cli import app
from raspl.studies import store

from .made import as_the_paper_says, records

CLI = CliRunner()


def shipped(folder: Path) -> list[str]:
    for one in records(["conjunction"], as_the_paper_says, seeds=2).values():
        store.ship(folder, one)
    return ["--scale", "smoke", "--root", str(folder / "runs"), "--results", str(folder)]


def test_list_shows_state_and_cost(tmp_path: Path) -> None:
    answer = CLI.invoke(app, ["study", "list", *shipped(tmp_path)])
    assert answer.exit_code == 0, answer.output
    line = next(line for line in answer.stdout.splitlines() if line.startswith("conjunction"))
    assert "holds" in line
    assert "2 of 2" in line
    assert "4 s" in line


def test_report_and_export_work_from_what_ships(tmp_path: Path) -> None:
    where = shipped(tmp_path)
    page = tmp_path / "report.html"
    one = ["--study", "conjunction", "-o", str(page)]
    assert CLI.invoke(app, ["report", *one, *where]).exit_code == 0
    assert page.read_text().startswith("<!doctype html>")
    answer = CLI.invoke(app, ["study", "export", str(tmp_path / "all.csv"), *where])
    assert answer.exit_code == 0 or "needs polars" in answer.output


def test_mistakes_are_a_sentence(tmp_path: Path) -> None:
    root = ["--root", str(tmp_path)]
    for words in (
        ["study", "run", "nonsense", *root],
        ["study", "run", "conjunction", "--on", "moon", *root],
        ["study", "list", "--scale", "huge", *root],
    ):
        answer = CLI.invoke(app, words)
        assert answer.exit_code == 2 or isinstance(answer.exception, Exception), words
        assert "Traceback" not in answer.output


def test_run_trains_what_is_missing_and_judges(tmp_path: Path) -> None:
    words = ["study", "run", "conjunction", "--scale", "smoke", "--seeds", "1"]
    answer = CLI.invoke(app, [*words, "--root", str(tmp_path)])
    assert answer.exit_code == 0, answer.output
    assert "not converged" in answer.stdout


def test_runs_that_ship_can_count_as_done(tmp_path: Path) -> None:
    words = ["study", "run", "conjunction", "--seeds", "3", "--shipped", *shipped(tmp_path)]
    answer = CLI.invoke(app, words)
    assert answer.exit_code == 0, answer.output
    assert len(list((tmp_path / "runs").glob("conjunction-*"))) == 1
    assert "holds" in answer.stdout  # by the two that ship: the new one has learned nothing


def test_the_demo_predicts_trains_compares_and_reports(tmp_path: Path) -> None:
    page = tmp_path / "demo.html"
    where = ["--root", str(tmp_path / "runs"), "--results", str(tmp_path), "-o", str(page)]
    answer = CLI.invoke(app, ["demo", "--scale", "smoke", "--predict", "0", *where])
    assert answer.exit_code == 0, answer.output
    for word in ("1. Predict", "copy-unique", "4 → 5", "not learned", "Where to look next"):
        assert word in answer.output
    assert "Three tasks that should generalise" in page.read_text()
