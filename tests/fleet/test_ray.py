import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from signal import SIGKILL, SIGTERM
from tempfile import gettempdir
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from raspl.cli import app
from raspl.errors import RasplError
from raspl.fleet.ray import Cluster, Keeper, Ray, check_room, claim, places
from raspl.fleet.status import Outcome, Status
from raspl.runs.costs import Estimator
from raspl.runs.execute import execute_on_one_thread
from raspl.runs.folder import RunFolder
from raspl.studies.catalogue import STUDIES
from raspl.training.configuration import Configuration
from tests.fleet.conftest import numbers
from tests.fleet.runs import QUICK, few

Undisturbed = Callable[[list[Configuration]], dict[str, bytes]]
PATIENCE = 600
"""Seconds; only a machine with much else to do needs as many."""
HOUR = 3600.0
SMALL = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}

STUDY = ["study", "run", "mode-lengths", "--scale", "smoke", "--seeds", "1"]


@pytest.fixture
def machines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A cluster of one machine, to which others can be added."""
    ray = pytest.importorskip("ray")
    monkeypatch.setenv("RAY_TMPDIR", gettempdir())  # paths of sockets must be short
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where its workers keep their runs
    # By default Ray's workers yield to everything else, here to the other tests.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    from ray.cluster_utils import Cluster as Machines

    started: Any = Machines(initialize_head=True, head_node_args=SMALL)
    try:
        yield started
    finally:
        ray.shutdown()
        started.shutdown()


@pytest.mark.slow
def test_one_of_two_machines_dies_and_nothing_is_lost(
    machines: Any, tmp_path: Path, undisturbed: Undisturbed
) -> None:
    other = machines.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    machines.wait_for_nodes()
    root, (done,) = tmp_path / "runs", few(5, 1)
    execute_on_one_thread(done, root)
    configs = [done, *few(2000, 2)]
    cluster = Cluster(address=machines.address, checkpoint_seconds=QUICK)
    outcomes: list[Outcome] = []

    def drive() -> None:
        estimator = Estimator({})
        outcomes.append(Ray(root, cluster, estimator).run(configs, lambda runs, left: None))

    driver = Thread(target=drive)
    driver.start()
    end = time.monotonic() + PATIENCE
    while len({path.parent for path in root.glob("*/checkpoint-*")}) < 2:
        assert time.monotonic() < end, "both nodes should have begun"
        assert driver.is_alive()
        time.sleep(0.02)
    machines.remove_node(other, allow_graceful=False)
    driver.join(PATIENCE)
    assert outcomes
    assert not outcomes[0].failed
    assert numbers(root, configs) == undisturbed(configs)
    assert len(RunFolder.under(root, done).costs()) == 1  # what was done was not done again
    begun = [RunFolder.under(root, config).costs()[-1].first_step for config in configs[1:]]
    assert 0 in begun  # the node that lived worked in one session
    assert max(begun) > 0  # the other run went on from its checkpoint


def process(machines: Any, name: bytes) -> int | None:
    """A process of these machines and of no other cluster, by the name that Ray gives it."""
    nodes = machines.list_all_nodes()
    parents = {one.process.pid for node in nodes for one in node.all_processes["raylet"]}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent in parents and name in (entry / "cmdline").read_bytes():
                return int(entry.name)
    return None


Disturbed = Callable[[str, bytes, int, float], list[Any]]


@pytest.fixture
def disturbed(machines: Any, tmp_path: Path, undisturbed: Undisturbed) -> Disturbed:
    """A run whose process of that name is hit as soon as a file is there; its sessions."""
    if sys.platform != "linux":
        pytest.skip("finds processes in /proc")
    root, (config,) = tmp_path / "runs", few(1000, 1)
    found: list[int] = []

    def drive(begun: str, name: bytes, how: int, checkpoint_seconds: float) -> list[Any]:
        def watch(runs: Sequence[Status], left: float | None) -> None:
            there = any(tmp_path.glob(begun.format(config.name)))
            if there and not found and (one := process(machines, name)) is not None:
                found.append(one)
                os.kill(one, how)

        cluster = Cluster(address=machines.address, checkpoint_seconds=checkpoint_seconds)
        outcome = Ray(root, cluster, Estimator({})).run([config], watch)
        assert found
        assert not outcome.failed
        assert numbers(root, [config]) == undisturbed([config])
        return RunFolder.under(root, config).costs()

    return drive


def test_a_worker_that_is_told_to_go_hands_its_work_over(disturbed: Disturbed) -> None:
    first, second = disturbed("raspl-*/{}/metrics.jsonl", b"execute_there", SIGTERM, HOUR)
    assert 0 < first.last_step == second.first_step


@pytest.mark.slow
def test_a_killed_keeper_is_waited_for(disturbed: Disturbed) -> None:
    assert len(disturbed("runs/{}/checkpoint-*", b"Keeper", SIGKILL, QUICK)) == 1


def results(root: Path, how: list[str]) -> dict[str, bytes]:
    """Every number of a study, run as a user runs it."""
    answer = CliRunner().invoke(app, [*STUDY, *how, "--root", str(root)])
    assert answer.exit_code == 0, answer.output
    return numbers(root, list(STUDIES["mode-lengths"].runs("smoke", 1).values()))


def test_a_study_on_ray_has_the_numbers_of_undisturbed_runs(
    machines: Any, tmp_path: Path, undisturbed: Undisturbed
) -> None:
    on_ray = ["--on", "ray", "--address", machines.address]
    local = undisturbed(list(STUDIES["mode-lengths"].runs("smoke", 1).values()))
    assert results(tmp_path / "gathered", on_ray) == local
    assert results(tmp_path / "shared", [*on_ray, "--shared"]) == local


@pytest.mark.slow
def test_a_lost_driver_of_a_study_loses_nothing_that_was_done(
    machines: Any, tmp_path: Path
) -> None:
    on_ray = ["--on", "ray", "--address", machines.address]
    for root, how in (
        (tmp_path / "gathered", on_ray),
        (tmp_path / "shared", [*on_ray, "--shared"]),
    ):
        command = [sys.executable, "-m", "raspl", *STUDY, *how, "--root", str(root)]
        driver = subprocess.Popen(command)
        end = time.monotonic() + PATIENCE
        while not (done := {path.parent for path in root.glob("*/result.json")}):
            assert time.monotonic() < end, "a first run should have ended"
            assert driver.poll() is None
            time.sleep(0.02)
        driver.kill()
        driver.wait()
        assert results(root, how) == results(tmp_path / "local", [])
        assert all(len(RunFolder.at(folder).costs()) == 1 for folder in done)


def test_a_run_that_fits_on_no_machine_is_refused() -> None:
    machines = [
        {"Alive": True, "Resources": {"CPU": 4.0}},
        {"Alive": True, "Resources": {"CPU": 1.0, "GPU": 1.0}},
        {"Alive": False, "Resources": {"CPU": 8.0, "GPU": 8.0}},
    ]
    ray = SimpleNamespace(nodes=lambda: machines)
    check_room(ray, Cluster(cpus=4))
    check_room(ray, Cluster(cpus=1, gpus=0.5))
    for cluster in (Cluster(cpus=5), Cluster(cpus=2, gpus=1)):
        with pytest.raises(RasplError, match="No machine of the cluster has room"):
            check_room(ray, cluster)


def test_the_scarcest_resource_says_how_many_runs_go_at_once() -> None:
    ray = SimpleNamespace(cluster_resources=lambda: {"CPU": 16.0, "GPU": 2.0})
    assert places(ray, Cluster()) == 16
    assert places(ray, Cluster(cpus=2)) == 8
    assert places(ray, Cluster(cpus=1, gpus=0.5)) == 4
    assert places(ray, Cluster(cpus=0)) == 1


def test_a_run_of_another_process_is_left_to_it(tmp_path: Path) -> None:
    (config,) = few(5, 1)
    failed: dict[str, str] = {}
    with ExitStack() as first, ExitStack() as second:
        assert claim(config, tmp_path, first, failed)
        assert not claim(config, tmp_path, second, failed)
    assert "Another process is working on" in failed[config.name]


def test_the_keeper_keeps_two_checkpoints_and_none_at_the_end(tmp_path: Path) -> None:
    keeper, (config,) = Keeper(str(tmp_path)), few(5, 1)
    run = config.as_json()
    for step in (9, 10, 11):
        keeper.keep(run, {f"checkpoint-{step}.safetensors": b"x"})
    assert set(keeper.held(run)) == {
        "checkpoint-10.safetensors",
        "checkpoint-11.safetensors",
    }
    keeper.keep(run, {"result.json": b"{}", "weights.safetensors": b"w"})
    assert set(keeper.held(run)) == {"result.json", "weights.safetensors"}
