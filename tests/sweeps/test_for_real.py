"""A sweep of real runs, whose driver is killed on the way."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from raspl.sweeps.log import read

COMMAND = [
    sys.executable, "-m", "raspl", "sweep", "count", "--scale", "smoke", "--set", "steps=90",
    "--vary", "learning_rate=1e-3,3e-3", "--vary", "seed=0,1,2", "--workers", "2",
]  # fmt: skip


@pytest.mark.slow
def test_a_killed_sweep_goes_on(tmp_path: Path) -> None:
    driver = subprocess.Popen([*COMMAND, "--root", str(tmp_path)])
    runs = tmp_path / "sweeps" / "runs"
    end = time.monotonic() + 300
    while not list(runs.glob("*/metrics.jsonl")):
        assert time.monotonic() < end
        time.sleep(0.1)
    driver.kill()
    driver.wait()
    for _ in range(2):  # the second time there is nothing left to do
        subprocess.run([*COMMAND, "--root", str(tmp_path)], check=True)
    log = read(tmp_path / "sweeps" / "smoke-count" / "log.json")
    assert len(log.tried) == 6
    assert {one.state for one in log.tried} <= {"done", "stopped"}
    assert any(one.state == "done" for one in log.tried)
    assert all(one.step == 90 for one in log.tried if one.state == "done")
    assert all(0 < one.step < 90 for one in log.tried if one.state == "stopped")
    assert (tmp_path / "sweeps" / "smoke-count" / "log.png").exists()
