import random
from collections import defaultdict
from pathlib import Path

import pytest

from raspl.errors import RasplError, Stopped
from raspl.sweeps.log import Log, markdown, read, write
from raspl.sweeps.page import main, page
from raspl.sweeps.space import read as field
from raspl.sweeps.sweep import LOSS, THIRD, Runner, Sweep
from raspl.training.configuration import Configuration
from tests.markdown import ROOT
from tests.sweeps.scripted import SECONDS_A_STEP, Scripted

STEPS, EVERY = 90, 10
FIXED = {"steps": STEPS, "evaluate_every": EVERY}
PLENTY = 1e9


def sweep(*varied: str, trials: int | None = None, **fixed: object) -> Sweep:
    chosen = [field(text) for text in varied]
    return Sweep("test", "count", "smoke", {**FIXED, **fixed}, chosen, trials)


def quality(config: Configuration) -> float:
    """A number from 0 to 1 for each configuration, which says how well it learns."""
    return random.Random(f"{config.learning_rate} {config.width}").random()


def exact(config: Configuration, step: int) -> float:
    return quality(config) * step / config.steps


def done(folder: Path, order: Sweep, rounds: int | None = None, budget: float = PLENTY) -> Log:
    runner = Runner(order, folder, budget)
    return runner.run(Scripted(runner.runs, exact, rounds), lambda statuses, left: None)


CHANGED = sweep("batch=2").configuration({"batch": 2, "context": 99})
NINE = ("learning_rate=1e-4,1e-3,1e-2", "width=8,16,32", "heads=1,2")


def stopped_by_definition(log: Log) -> dict[str, int]:
    """Where each run ends if at 10 and 30 steps only those go on that are among the best third of
    all that have come there before or with them, and one at the least."""
    there: dict[int, list[float]] = defaultdict(list)
    ends = {one.config.name: STEPS for one in log.tried}
    for step in range(EVERY, STEPS + 1, EVERY):
        for one in log.tried:
            if step not in (10, 30) or ends[one.config.name] < step:
                continue
            value = exact(one.config, step) - LOSS
            there[step].append(value)
            best = sorted(there[step], reverse=True)
            if value < best[max(len(best) // THIRD, 1) - 1]:
                ends[one.config.name] = step
    return ends


def test_those_that_fall_behind_are_stopped(tmp_path: Path) -> None:
    log = done(tmp_path, sweep(*NINE))
    assert len(log.tried) == 18
    assert {one.config.name: one.step for one in log.tried} == stopped_by_definition(log)
    states = {one.state for one in log.tried}
    assert states == {"done", "stopped"}
    for one in log.tried:
        assert one.state == ("done" if one.step == STEPS else "stopped")
        assert one.core_minutes == pytest.approx(SECONDS_A_STEP * one.step / 60, abs=0.01)
        assert one.curve == tuple((s, exact(one.config, s)) for s in range(EVERY, one.step + 1, 10))
        assert set(one.tested) == set(one.config.test_lengths)
        assert one.varied.keys() == {"learning_rate", "width", "heads"}


def test_long_schedules_are_compared_with_short_ones_as_far_on(tmp_path: Path) -> None:
    """Step by step, the short one would always be ahead, as its rate falls sooner."""
    log = done(tmp_path, sweep("steps=90,180"))
    assert [one.state for one in log.tried] == ["done", "done"]
    assert "max_length=4" in log.title  # though it was not set


@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_a_sweep_that_was_stopped_goes_on(rounds: int, tmp_path: Path) -> None:
    order = sweep(*NINE, "warmup=1:50", trials=20)
    whole = done(tmp_path / "whole", order)
    with pytest.raises(Stopped):
        done(tmp_path / "torn", order, rounds)
    assert done(tmp_path / "torn", order) == whole
    assert done(tmp_path / "torn", order) == whole  # and has nothing left to do


def test_a_budget_is_kept_and_can_be_raised(tmp_path: Path) -> None:
    order = sweep(*NINE)
    little = done(tmp_path, order, budget=100.0)
    step = SECONDS_A_STEP * EVERY
    assert 100.0 <= 60 * little.core_minutes <= 100.0 + 2 * step
    assert {one.state for one in little.tried} >= {"unfinished"}
    assert all(one.state != "unfinished" for one in done(tmp_path, order).tried)


def test_the_cheapest_of_those_that_learned_it_come_first(tmp_path: Path) -> None:
    runner = Runner(sweep("batch=2,4,8"), tmp_path, PLENTY)

    def learned(config: Configuration, step: int) -> float:
        return 1.0 if config.batch > 2 else 0.5

    log = runner.run(Scripted(runner.runs, learned), lambda statuses, left: None)
    assert [one.varied["batch"] for one in log.ranked()][-1] == 2
    path = tmp_path / "log.json"
    write(log, path)
    assert read(path) == log
    table = markdown(log).splitlines()
    assert table[0].startswith("| batch | state |")
    assert len(table) == 2 + 3
    main(tmp_path)
    assert (tmp_path / "log.png").stat().st_size > 1000
    assert markdown(log) in (tmp_path / "README.md").read_text()


def test_studies_seeds_are_not_looked_at(tmp_path: Path) -> None:
    with pytest.raises(RasplError, match="Seeds from 11 on"):
        done(tmp_path, sweep("seed=10,11"))


def test_another_sweep_needs_another_name(tmp_path: Path) -> None:
    done(tmp_path, sweep("batch=2,4"))
    for other in (sweep("batch=2,8"), sweep("batch=2,4", width=24)):
        with pytest.raises(RasplError, match=r"varied batch=2,4, or .* Choose another"):
            done(tmp_path, other)


def test_a_sweep_does_not_go_on_from_another_preset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(tmp_path, sweep("batch=2,4"))
    monkeypatch.setattr(Sweep, "configuration", lambda self, values: CHANGED)
    with pytest.raises(RasplError, match="from a preset that has changed since"):
        done(tmp_path, sweep("batch=2,4"))


def test_a_log_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text("{}")
    with pytest.raises(RasplError, match="no log of a sweep"):
        read(tmp_path / "log.json")
    with pytest.raises(RasplError, match="Can't read"):
        read(tmp_path / "none.json")


def test_the_page_of_shipped_sweeps_is_made_from_their_logs() -> None:
    shipped = ROOT / "results" / "sweeps"
    if any(shipped.glob("*.json")):
        assert (shipped / "README.md").read_text() == page(shipped)
