"""Alignments of a tiny run, the commands, and the controls in small."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import raspl
from raspl import programs
from raspl.cli import app
from raspl.cli.inside import now_and_then
from raspl.inside import explanation, of_runs
from raspl.inside.aligning import align_run
from raspl.inside.alignment import Numbers
from raspl.inside.explanation import Explanation
from raspl.inside.negative import KINDS, Kind, negative, wrong
from raspl.inside.of_runs import domains, own_program
from raspl.inside.page import example, page
from raspl.inside.positive import positive
from raspl.inside.records import Alignment, Cell, Row, Score
from raspl.inside.subspaces import Effort
from raspl.runs.folder import RunFolder
from raspl.runs.run import Run
from raspl.tasks import find

TINY = Numbers(fitted=64, held_out=48, scored=48, agreement=40)
BRIEF = Effort(steps=30, batch=16)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """It has learned nothing, which is all that these tests need."""
    return raspl.train("sort", scale="smoke", root=tmp_path_factory.mktemp("runs"))


def quick(
    run: Run, watch: Callable[[int, int, str], None] = lambda done, total, what: None
) -> Alignment:
    return align_run(run, programs.load("sort").graph, watch, BRIEF, TINY)


def test_an_untrained_network_runs_nothing(run: Run) -> None:
    found = quick(run)
    assert found.verdict == "does not"
    assert [row.variable for row in found.rows] == ["output"]
    assert len(found.rows[0].cells) == 2  # attention 1 and layer 1: no head is in the embedding


def test_a_stopped_alignment_continues(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_runs, "VERSION", 0)

    def stop(done: int, total: int, what: str) -> None:
        if "layer 1" in what:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        quick(run, stop)
    folder = of_runs.cache_folder(
        run, of_runs.question(run, programs.load("sort").graph, BRIEF, TINY)
    )
    kept = folder / "0-1.json"
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"steps": 12345}))
    assert quick(run).rows[0].cells[0].steps == 12345


def test_the_page_shows_every_head_and_escapes_names(run: Run) -> None:
    text = page(run, programs.load("sort").graph, example(run))
    assert text.count("<figure>") == run.config.layers * run.config.heads
    assert "Logit lens" in text
    assert ">&gt;<" in text  # the separator


def test_several_workers_find_what_one_does(tmp_path: Path) -> None:
    count = raspl.train("count", scale="smoke", root=tmp_path)
    graph = own_program(count)
    found = []
    for workers in (1, 2):
        shutil.rmtree(RunFolder(count.config, count.folder).inside, ignore_errors=True)
        found.append(align_run(count, graph, effort=BRIEF, numbers=TINY, workers=workers))
    assert len(found[0].rows) > 2
    assert found[0].rows == found[1].rows


def test_a_page_needs_no_program(run: Run) -> None:
    text = page(run, None, example(run))
    assert text.count("<figure>") == run.config.layers * run.config.heads
    assert "Logit lens" in text
    assert "Alignment" not in text
    assert "selector" not in text


def test_the_best_site_is_one_where_the_variable_is_found() -> None:
    def cell(site: int, answers: float, high: float) -> Cell:
        score = Score(
            answers=answers, low=answers - 0.05, high=high, changed=1.0, asked=1.0, pairs=100
        )
        return Cell(site=site, dimensions=1, trained=score, beyond=(), whole=0.0, steps=0)

    def best(*cells: Cell) -> int:
        found = Row(variable="x", type="Int", depth=1, cells=cells).best
        assert found is not None
        return found.site

    assert best(cell(1, 0.95, 0.98), cell(2, 0.97, 0.99)) == 1  # as good, and earlier
    assert best(cell(1, 0.88, 0.95), cell(2, 0.94, 0.98)) == 2  # it is not found at the first
    assert best(cell(1, 0.70, 0.80), cell(2, 0.79, 0.88)) == 1


def test_random_directions_are_worth_nothing(run: Run) -> None:
    (row,) = quick(run).rows
    assert [cell.random for cell in row.cells] == [0.0, 0.0]


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 3.0, 12.0, 12.0, 14.0])
    monkeypatch.setattr("raspl.cli.inside.time.monotonic", lambda: next(clock))
    said: list[str] = []
    watch = now_and_then(said.append)
    for done in range(3):
        watch(done, 3, "x")
    assert said == ["1 of 3 · x"]


def test_the_commands(run: Run, tmp_path: Path) -> None:
    call = CliRunner().invoke
    shown = call(app, ["inspect", str(run.folder), "-o", str(tmp_path / "page.html")])
    assert shown.exit_code == 0, shown.output
    assert (tmp_path / "page.html").exists()
    aligned = call(app, ["align", str(run.folder), "-o", str(tmp_path / "picture.png")])
    assert aligned.exit_code == 0, aligned.output
    assert "does not" in aligned.stdout
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    said = call(app, ["explain", str(run.folder), "--budget", "4s"])
    assert said.exit_code == 0, said.output
    assert "outputs are right" in said.stdout


def test_a_program_of_a_file_speaks_in_the_tokens_of_the_run(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "largest.py"
    file.write_text(
        "from raspl import kqv, lt, program\n\n"
        'TOKENS = ["SoS", ">", "EoS"]\n\n\n'
        "@program\n"
        "def largest(x):\n"
        '    return kqv(k=x, q=x, v=x, pred=lt, default="EoS", reduction="max")\n'
    )
    said = CliRunner().invoke(app, ["align", str(run.folder), str(file), "-o", str(tmp_path / "p")])
    assert said.exit_code == 0, said.output
    assert "the program largest" in said.stdout


def test_an_explanation_is_kept_unless_the_clock_ended_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def explain(run: Run, known: object, budget: float, watch: object) -> Explanation:
        calls.append(budget)
        return Explanation(
            run=run.folder.name, task="sort", trained_to=4, beyond="length 5", right=0.1,
            exact=0.0, finds=(), known=(), exhausted=len(calls),
        )  # fmt: skip

    monkeypatch.setattr(explanation, "explain", explain)
    assert explanation.explain_run(run, budget=0.0).exhausted == 1
    assert explanation.explain_run(run, budget=60.0).exhausted == 2
    assert explanation.explain_run(run, budget=60.0).exhausted == 2
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["align", "."], "is not a run"),
        (["align", "nowhere"], "There is no folder nowhere"),
        (["align", "RUN", "addition_forward"], "written for other tokens than those of sort"),
        (["align", "RUN", "TWO"], "two reads 2 sequences"),
        (["align", "RUN", "nothing"], "neither a file nor a shipped program"),
        (["inspect", "RUN", "--input", "SoS banana"], "no token 'banana'"),
        (["inspect", "RUN", "--input", ""], "1 to"),
    ],
)
def test_mistakes_are_sentences(run: Run, tmp_path: Path, command: list[str], says: str) -> None:
    two = tmp_path / "two.py"
    two.write_text("from raspl import program\n\n\n@program\ndef two(x, y):\n    return x + y\n")
    paths = {"RUN": str(run.folder), "TWO": str(two)}
    words = [paths.get(word, word) for word in command]
    said = CliRunner().invoke(app, words)
    assert said.exit_code == 2
    assert says in said.output


@pytest.mark.parametrize("name", ["conjunction", "sort"])
def test_a_disguised_program_is_found(name: str) -> None:
    task = find(name, {"bits": 6} if name == "conjunction" else {"numbers": 8})
    found = positive(programs.load(name).graph, task, seed=2, longest=5)
    assert found.agreement == 1.0
    assert found.expected
    assert found.least >= 0.95


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_found_where_nothing_is(run: Run, kind: Kind) -> None:
    found = negative(kind, run, programs.load("sort").graph, seed=1)
    assert found.verdict != "runs this program"


def test_a_wrong_program_is_as_large_and_says_something_else(run: Run) -> None:
    right = programs.load("sort").graph
    other = wrong(right, domains(run)[0], seed=0)
    assert len(other.nodes) == len(right.nodes)
