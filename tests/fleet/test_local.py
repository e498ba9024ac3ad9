import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from raspl.fleet.local import Local, Plan
from raspl.fleet.status import Status
from raspl.runs.costs import Estimator
from raspl.runs.folder import RunFolder
from raspl.runs.store import finished
from raspl.training.configuration import Configuration
from tests.fleet.conftest import numbers
from tests.fleet.runs import few

Undisturbed = Callable[[list[Configuration]], dict[str, bytes]]


def workers_of(root: Path) -> list[int]:
    """Process ids of the workers on a folder, and on no other."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"raspl.fleet.worker" in words and str(root).encode() in words:
            found.append(int(entry.name))
    return found


def wait_for(condition: Callable[[], object], seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def resumed(root: Path, config: Configuration) -> bool:
    """Whether the last session went on from a checkpoint."""
    return RunFolder.under(root, config).costs()[-1].first_step > 0


def started(root: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
    driver = [sys.executable, "-m", "tests.fleet.runs", str(root), *arguments]
    return subprocess.Popen(driver, cwd=Path(__file__).parents[2])


def test_runs_all_and_says_so(tmp_path: Path, undisturbed: Undisturbed) -> None:
    configs = few(20, 1)
    seen: list[list[Status]] = []
    fleet = Local(tmp_path / "runs", Plan(workers=2), Estimator({}))
    outcome = fleet.run(configs, lambda runs, left: seen.append(list(runs)))
    assert not outcome.failed
    assert {run.state for run in seen[-1]} == {"done"}
    assert numbers(tmp_path / "runs", configs) == undisturbed(configs)
    before = len(seen)
    fleet.run(configs, lambda runs, left: seen.append(list(runs)))
    assert len(seen) == before + 1  # nothing to do


def test_a_run_that_is_no_longer_wanted_is_saved_and_can_go_on(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    # Only the first must last until it is stopped.
    configs = [few(250, 1)[0], *few(20, 3)[1:]]
    seen: list[list[Status]] = []
    root = tmp_path / "runs"

    def unwanted(config: Configuration) -> bool:
        if config.seed == 2:
            return True  # before it begins
        return config.seed == 0 and RunFolder.under(root, config).last_step() >= 20

    fleet = Local(root, Plan(workers=2), Estimator({}))
    outcome = fleet.run(configs, lambda runs, left: seen.append(list(runs)), unwanted)
    assert not outcome.failed
    assert [run.state for run in seen[-1]] == ["stopped", "done", "stopped"]
    assert 20 <= seen[-1][0].step < 250
    assert RunFolder.under(root, configs[0]).costs()[0].cpu_seconds > 0
    assert any(run.cpu_seconds > 0 for runs in seen for run in runs)
    assert not RunFolder.under(root, configs[2]).path.exists()
    begun = configs[:2]
    fleet.run(begun, lambda runs, left: None)
    assert resumed(root, configs[0])
    assert numbers(root, begun) == undisturbed(begun)


def test_a_run_that_cannot_be_done_is_given_up_with_its_reason(tmp_path: Path) -> None:
    (config,) = few(20, 1)
    impossible = config.replace(context=3)
    fleet = Local(tmp_path, Plan(workers=1), Estimator({}))
    outcome = fleet.run([impossible], lambda runs, left: None)
    assert "context" in outcome.failed[impossible.name]


def test_a_worker_that_keeps_dying_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    outcome = Local(tmp_path, Plan(workers=1, deaths=2), Estimator({})).run(
        few(20, 1), lambda runs, left: None
    )
    assert "died 3 times" in next(iter(outcome.failed.values()))


@pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")
def test_kills_of_worker_and_driver_change_nothing(
    tmp_path: Path, undisturbed: Undisturbed
) -> None:
    root, configs = tmp_path / "runs", few(300, 1)
    driver = started(root, ["300", "1"])
    wait_for(lambda: any(root.glob("*/checkpoint-*")))
    os.kill(workers_of(root)[0], signal.SIGKILL)
    time.sleep(0.5)
    driver.kill()
    driver.wait()
    wait_for(lambda: not workers_of(root))  # they save themselves and go
    left = [config for config in configs if finished(root, config) is None]
    assert started(root, ["300", "1"]).wait(120) == 0
    assert numbers(root, configs) == undisturbed(configs)
    assert any(resumed(root, config) for config in left)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds workers in /proc")
def test_ten_kills_at_random_moments(tmp_path: Path, undisturbed: Undisturbed) -> None:
    root, configs = tmp_path / "runs", few(4000, 6)
    arguments, rng = ["4000", "6"], random.Random(0)
    driver, kills = started(root, arguments), 0
    while kills < 10:
        wait_for(lambda: workers_of(root))
        time.sleep(rng.uniform(0.5, 6))
        if driver.poll() is not None:
            break
        victims = [*workers_of(root), driver.pid]
        victim = rng.choice(victims)
        with suppress(ProcessLookupError):  # it may have ended just now
            os.kill(victim, signal.SIGKILL)
            kills += 1
        if victim == driver.pid:
            driver.wait()
            driver = started(root, arguments)
    assert driver.wait(600) == 0
    assert kills == 10
    assert numbers(root, configs) == undisturbed(configs)
    assert any(resumed(root, config) for config in configs)
