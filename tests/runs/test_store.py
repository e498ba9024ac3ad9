"""Finished runs: the user's own and those that ship."""

import json
from pathlib import Path

import pytest

from raspl.errors import RasplError
from raspl.runs.execute import execute_on_one_thread
from raspl.runs.folder import RunFolder
from raspl.runs.records import RunRecord
from raspl.runs.store import Store, begun, finished, ship, shipped, spent
from raspl.training.configuration import Configuration
from raspl.training.loop import SessionCost


def test_a_run_tells_how_far_it_is(small: Configuration, tmp_path: Path) -> None:
    folder = RunFolder.under(tmp_path, small)
    assert folder.last_step() == 0
    assert finished(tmp_path, small) is None
    assert not begun(tmp_path, small.task, small.scale)
    execute_on_one_thread(small, tmp_path)
    assert begun(tmp_path, small.task, small.scale)
    assert not begun(tmp_path, small.task, "laptop")
    assert folder.last_step() == small.steps
    record = finished(tmp_path, small)
    assert record is not None
    assert record.sessions == 1
    (cost,) = folder.costs()
    assert record.seconds == cost.seconds
    assert record.cost == record.cpu_seconds == cost.cpu_seconds > 0
    with folder.metrics.open("a") as file:
        file.write('{"step": 9')  # torn, as by a kill
    assert folder.last_step() == small.steps


def cost(first: int, last: int) -> SessionCost:
    return SessionCost(
        first_step=first, last_step=last, seconds=5.0, seconds_evaluating=0.0, device="cpu",
        threads=1, cpu_seconds=2.0,
    )  # fmt: skip


def test_a_killed_session_still_costs() -> None:
    whole = [cost(0, 50), cost(50, 100)]
    assert spent(whole, 100, "seconds") == spent(whole[1:], 100, "seconds") == 10.0
    assert spent(whole, 100, "cpu_seconds") == spent(whole[1:], 100, "cpu_seconds") == 4.0
    assert spent([], 100, "seconds") == 0.0
    before = whole[0].replace(cpu_seconds=0.0)  # of a version that kept no processor time
    assert spent([before, whole[1]], 100, "cpu_seconds") == 4.0


def test_what_ships_is_read_back_as_it_was_and_ones_own_comes_first_if_asked(
    small: Configuration, tmp_path: Path
) -> None:
    runs, results = tmp_path / "runs", tmp_path / "results"
    execute_on_one_thread(small, runs)
    mine = finished(runs, small)
    assert mine is not None
    ship(results, mine.replace(device="elsewhere"))
    assert shipped(results, small) == mine.replace(device="elsewhere")
    assert Store(runs, results, own_first=True).find(small) == mine
    assert Store(runs, results).find(small) == shipped(results, small)
    assert Store(None, results).collect([small])[small.name].device == "elsewhere"
    assert RunRecord.model_validate_json(json.dumps(mine.as_json())) == mine


def test_a_damaged_result_is_a_sentence(small: Configuration, tmp_path: Path) -> None:
    execute_on_one_thread(small, tmp_path)
    one = finished(tmp_path, small)
    assert one is not None
    path, older = ship(tmp_path, one), one.as_json()
    del older["result"]["as_trained"]
    for damaged in ("{", "[]", json.dumps({**one.as_json(), "result": None}), json.dumps(older)):
        path.write_text(damaged)
        with pytest.raises(RasplError, match=r"is damaged .* restore it with `git checkout`"):
            shipped(tmp_path, small)


def test_a_new_field_at_its_default_renames_no_run(small: Configuration) -> None:
    class Later(Configuration):
        dropout: float = 0.0

    fields = small.as_json()
    assert Later(**fields).name == small.name
    assert Later(**fields, dropout=0.1).name != small.name
