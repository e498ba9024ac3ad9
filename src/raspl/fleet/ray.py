"""A Ray cluster: the same runs, wherever the cluster has room.

A run is one Ray task. Where all machines see one folder, runs live there. Elsewhere a run lives on
its node's own disk, and a keeper beside the driver holds what must survive the node: each new
checkpoint while it trains, everything but checkpoints at its end. Either way a task that Ray starts
again, because its node has died or was taken away, goes on from the last checkpoint.
"""

import contextlib
import logging
import socket
import tempfile
import time
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from raspl.errors import RasplError, Stopped
from raspl.fleet.status import Outcome, Status, Watch, time_left
from raspl.runs.costs import Estimator
from raspl.runs.execute import execute_on_one_thread
from raspl.runs.folder import BusyError, RunFolder
from raspl.training.configuration import Configuration
from raspl.training.loop import Session

POLL = 0.5
ANSWER = 5.0
"""Seconds in which a cluster must answer."""
BUSY_PAUSE = 3.0
"""Seconds before a run that another process holds is tried again."""


@dataclass(frozen=True)
class Cluster:
    """How a cluster is used; on machines of one kind nothing here changes the numbers."""

    address: str | None = None
    """Of an existing cluster; None starts one on this machine."""
    cpus: float = 1.0
    gpus: float = 0.0
    """Resources of one run; half a GPU lets two runs share one."""
    retries: int = 5
    """How often a run is started again after a node or worker was lost."""
    shared: bool = False
    """Whether all machines see the root folder under the same path."""
    checkpoint_seconds: float = 30.0

    @property
    def asked(self) -> Mapping[str, float]:
        """By Ray's names of resources."""
        return {"CPU": self.cpus, "GPU": self.gpus}


class Keeper:
    """Files of runs, in the driver's folder; an actor on the driver's node."""

    def __init__(self, root: str) -> None:
        self.root = Path(root)

    def held(self, record: dict[str, Any]) -> dict[str, bytes]:
        """What is needed to go on with a run."""
        return RunFolder.under(self.root, Configuration(**record)).carried()

    def keep(self, record: dict[str, Any], files: Mapping[str, bytes]) -> None:
        RunFolder.under(self.root, Configuration(**record)).receive(files)


def execute_there(
    record: dict[str, Any], root: str | None, keeper: Any, device: str, checkpoint_seconds: float
) -> str:
    """One run, on whatever node Ray has chosen."""
    import ray

    config, session = Configuration(**record), Session(device, checkpoint_seconds)
    while root is not None:
        try:
            execute_on_one_thread(config, Path(root), session)
        except BusyError:  # a lost driver's task is ending, or another study does this run
            time.sleep(BUSY_PAUSE)
        else:
            return ""
    with tempfile.TemporaryDirectory(prefix="raspl-") as scratch:
        folder = RunFolder.under(Path(scratch), config)
        folder.receive(ray.get(keeper.held.remote(record)))

        def saved(checkpoint: Path) -> None:
            # Waited for: a checkpoint that is only on its way would be lost with the node.
            ray.get(keeper.keep.remote(record, folder.carried_with(checkpoint)))

        try:
            execute_on_one_thread(config, Path(scratch), session, saved)
        except Stopped:  # the node is taken away, and its disk with it
            saved(folder.checkpoints()[0])
            raise
        ray.get(keeper.keep.remote(record, folder.carried()))
    return ""


@contextlib.contextmanager
def connected(cluster: Cluster) -> Iterator[Any]:
    """Ray, for as long as it is needed; a connection that was there before is left alone."""
    try:
        import ray
    except ModuleNotFoundError:
        raise RasplError("`--on ray` needs Ray: pip install 'raspl[ray]'.") from None
    if (cluster.address or "").startswith("ray://"):
        raise RasplError(
            "Ray's client (ray://…) can't bring results to this machine. Give the command on a "
            "machine of the cluster with --address auto, or through `ray job submit`."
        )
    if ray.is_initialized():
        yield ray
        return
    check_address(cluster.address)
    try:
        ray.init(address=cluster.address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError) as error:
        raise RasplError(f"No Ray cluster answers at {cluster.address}: {error}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def check_address(address: str | None) -> None:
    """Ray itself would try a wrong address for minutes."""
    host, _, port = (address or "").rpartition(":")
    if not (host and port.isdigit()):
        return
    try:
        socket.create_connection((host, int(port)), timeout=ANSWER).close()
    except OSError as error:
        raise RasplError(f"No Ray cluster answers at {address}: {error}.") from None


def check_room(ray: Any, cluster: Cluster) -> None:
    """A run that fits on no machine would wait forever."""
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    asked = cluster.asked
    if any(all(node.get(kind, 0) >= asked[kind] for kind in asked) for node in nodes):
        return
    has = "; ".join(
        f"{node.get('CPU', 0):g} CPUs and {node.get('GPU', 0):g} GPUs" for node in nodes
    )
    raise RasplError(
        f"No machine of the cluster has room for a run with {cluster.cpus:g} CPUs and "
        f"{cluster.gpus:g} GPUs; they have {has}. Set --cpus and --gpus to fit."
    )


def places(ray: Any, cluster: Cluster) -> float:
    """How many runs the cluster does at once; nodes may come and go."""
    has = ray.cluster_resources()
    rooms = (has.get(kind, 0.0) / share for kind, share in cluster.asked.items() if share)
    return max(1.0, min(rooms, default=1.0))


class Ray:
    """Runs on a cluster."""

    def __init__(self, root: Path, cluster: Cluster, estimator: Estimator) -> None:
        self.root, self.cluster, self.estimator = root.resolve(), cluster, estimator

    def run(self, configs: Iterable[Configuration], watch: Watch) -> Outcome:
        """Do all runs that are not done; the same call continues a study that was stopped."""
        wanted, root, cluster = list(configs), self.root, self.cluster
        root.mkdir(parents=True, exist_ok=True)
        missing = [one for one in wanted if RunFolder.under(root, one).finished() is None]
        failed: dict[str, str] = {}
        scores = {one.name: last_scores(root, one) for one in wanted if one not in missing}
        with connected(cluster) as ray, contextlib.ExitStack() as held:
            check_room(ray, cluster)
            if not cluster.shared:
                missing = [config for config in missing if claim(config, root, held, failed)]
            pending = self.submit(ray, missing)
            while pending:
                ready, _ = ray.wait(list(pending), num_returns=1, timeout=POLL)
                for reference in ready:
                    config = pending.pop(reference)
                    reason = reason_of(ray, reference)
                    if reason:
                        failed[config.name] = reason
                    else:
                        scores[config.name] = last_scores(root, config)
                waiting = {config.name for config in pending.values()}
                statuses = [self.status(one, waiting, failed, scores) for one in wanted]
                watch(statuses, time_left(statuses, places(ray, cluster)))
                if not ready:
                    time.sleep(POLL)
        return Outcome(failed)

    def submit(self, ray: Any, configs: list[Configuration]) -> dict[Any, Configuration]:
        """A Ray task for each run, by its reference."""
        cluster = self.cluster
        task = ray.remote(execute_there).options(
            num_cpus=cluster.cpus,
            num_gpus=cluster.gpus,
            max_retries=cluster.retries,
            retry_exceptions=[Stopped],
        )
        keeper = None if cluster.shared else keeper_here(ray, self.root)
        device = "cuda" if cluster.gpus else "cpu"
        shared = str(self.root) if cluster.shared else None
        return {
            task.remote(
                config.as_json(), shared, keeper, device, cluster.checkpoint_seconds
            ): config
            for config in configs
        }

    def status(
        self,
        config: Configuration,
        waiting: Container[str],
        failed: Mapping[str, str],
        scores: Mapping[str, str],
    ) -> Status:
        """What the driver knows of a run: steps and scores come with checkpoints that it holds."""
        if config.name in failed:
            return Status(config, "failed", note=failed[config.name])
        if config.name not in waiting:
            return Status(config, "done", config.steps, scores=scores[config.name])
        step = RunFolder.under(self.root, config).last_step()
        left = self.estimator.seconds(config) * (1 - step / config.steps)
        if not step:
            return Status(config, "waiting", step, left)
        return Status(config, "running", step, left, scores=last_scores(self.root, config))


def last_scores(root: Path, config: Configuration) -> str:
    return RunFolder.under(root, config).last_scores()


def claim(
    config: Configuration, root: Path, held: contextlib.ExitStack, failed: dict[str, str]
) -> bool:
    """Hold a run's folder here, as its tasks work elsewhere; or note that somebody else does."""
    try:
        held.enter_context(RunFolder.under(root, config).claimed())
    except BusyError as error:
        failed[config.name] = str(error)
        return False
    return True


def keeper_here(ray: Any, root: Path) -> Any:
    """The keeper must be where the driver's folder is, and takes no share of the machine."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    actor = ray.remote(Keeper).options(
        num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=here
    )
    return actor.remote(str(root))


def reason_of(ray: Any, reference: Any) -> str:
    """Why a run can't be done, in a sentence; nothing if it is done."""
    try:
        return str(ray.get(reference))
    except ray.exceptions.RayTaskError as error:
        return str(error.cause)
    except ray.exceptions.RayError as error:
        return f"Ray gave up: {str(error).splitlines()[0]}"
