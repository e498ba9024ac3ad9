import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from raspl.fleet.ray import Cluster, Keeper, run
from raspl.fleet.status import Outcome
from raspl.learning.configuration import Configuration
from raspl.studies.costs import Estimator
from raspl.studies.store import lines

from .conftest import numbers
from .runs import QUICK, few

Undisturbed = Callable[[list[Configuration]], dict[str, bytes]]
PATIENCE = 600
"""Seconds; only a machine with much else to do needs as many."""
SMALL = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}


@pytest.fixture
def two_nodes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    ray = pytest.importorskip("ray")
    # By default Ray's workers yield to everything else, here to the other tests.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    from ray.cluster_utils import Cluster as Machines

    machines = Machines(initialize_head=True, head_node_args=SMALL)
    try:
        yield machines
    finally:
        ray.shutdown()
        machines.shutdown()


def test_one_of_two_nodes_dies_and_nothing_is_lost(
    two_nodes: Any, tmp_path: Path, undisturbed: Undisturbed
) -> None:
    other = two_nodes.add_node(num_cpus=1, object_store_memory=80 * 2**20)
    two_nodes.wait_for_nodes()
    root, configs = tmp_path / "runs", few(2000, 2)
    cluster = Cluster(address=two_nodes.address, checkpoint_seconds=QUICK)
    outcomes: list[Outcome] = []

    def drive() -> None:
        estimator = Estimator({})
        outcomes.append(run(configs, root, cluster, estimator, lambda runs, left: None))

    driver = Thread(target=drive)
    driver.start()
    end = time.monotonic() + PATIENCE
    while len({path.parent for path in root.glob("*/checkpoint-*")}) < 2:
        assert time.monotonic() < end, "both nodes should have begun"
        assert driver.is_alive()
        time.sleep(0.02)
    two_nodes.remove_node(other, allow_graceful=False)
    driver.join(PATIENCE)
    assert outcomes
    assert not outcomes[0].failed
    assert numbers(root, configs) == undisturbed(configs)
    begun = [lines(root / config.name / "cost.jsonl")[-1]["from"] for config in configs]
    assert 0 in begun  # the node that lived worked in one sitting
    assert max(begun) > 0  # the other run went on from its checkpoint


def test_the_keeper_keeps_two_checkpoints_and_none_at_the_end(tmp_path: Path) -> None:
    keeper = Keeper(str(tmp_path))
    for step in (9, 10, 11):
        keeper.keep("run", {f"checkpoint-{step}.safetensors": b"x"})
    assert set(keeper.held("run")) == {
        "checkpoint-10.safetensors",
        "checkpoint-11.safetensors",
    }
    keeper.keep("run", {"result.json": b"{}", "weights.safetensors": b"w"})
    assert set(keeper.held("run")) == {"result.json", "weights.safetensors"}
