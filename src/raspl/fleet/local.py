"""This machine: one single-threaded process a core, a fresh interpreter for each run.

One thread a run uses two cores better than two threads a run, and makes the numbers independent of
the machine's size. A worker that dies is started again and goes on from its last checkpoint.
"""

import json
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from raspl.errors import Stopped
from raspl.fleet.status import Outcome, Status, Stop, Watch, time_left
from raspl.fleet.worker import BUSY, DONE, REFUSED
from raspl.runs.costs import Estimator
from raspl.runs.folder import RunFolder
from raspl.training.checks import check_device
from raspl.training.configuration import Configuration

POLL = 0.5
PATIENCE = 60.0
"""Seconds that a stopping worker has to save itself."""
BUSY_PAUSE = 3.0
"""Seconds before a run that another process holds is tried again."""


@dataclass(frozen=True)
class Plan:
    """How this machine is used; but for the device nothing here changes the numbers."""

    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    devices: tuple[str, ...] = ("cpu",)
    """Workers take these in turn."""
    checkpoint_seconds: float = 30.0
    deaths: int = 5
    """How often a run's worker may die without having come further before the run is given up."""


def plan(
    workers: int | None, devices: Sequence[str], deaths: int, checkpoint_seconds: float
) -> Plan:
    """A plan from what a user asks for; one worker a core unless told otherwise."""
    for device in devices:
        check_device(device)
    chosen = Plan(devices=tuple(devices), deaths=deaths, checkpoint_seconds=checkpoint_seconds)
    return chosen if workers is None else replace(chosen, workers=workers)


@dataclass
class Job:
    """A run on its way."""

    config: Configuration
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    first_step: int = 0
    deaths: int = 0
    furthest: int = 0
    """The step at the last death."""
    not_before: float = 0.0
    done: bool = False
    scores: str = ""
    """Of a done or stopped one, in words."""
    said: str = ""
    """Of a done one, what was damaged and mended."""
    failed: str = ""
    stopped: bool = False
    """Whether it is no longer wanted."""

    def folder(self, root: Path) -> RunFolder:
        return RunFolder.under(root, self.config)


class Local:
    def __init__(self, root: Path, plan: Plan, estimator: Estimator) -> None:
        self.root, self.plan, self.estimator = root, plan, estimator
        self.slots: list[Job | None] = [None] * plan.workers

    def run(
        self, configs: Iterable[Configuration], watch: Watch, stop: Stop = lambda config: False
    ) -> Outcome:
        """Do all runs. Ctrl-C saves them and raises Stopped; the same call continues."""
        jobs = [Job(config) for config in configs]
        for job in jobs:
            job.done = job.folder(self.root).finished() is not None
        queue = deque(job for job in jobs if not job.done)
        try:
            while queue or any(self.slots):
                self.reap(queue)
                self.drop(queue, stop)
                self.fill(queue)
                watch(*self.report(jobs))
                time.sleep(POLL)
        except KeyboardInterrupt:
            self.stop()
            raise Stopped("Stopped and saved; the same command continues.") from None
        finally:
            self.stop()
        watch(*self.report(jobs))
        return Outcome({job.config.name: job.failed for job in jobs if job.failed})

    def drop(self, queue: deque[Job], stop: Stop) -> None:
        """Let go of the runs that are no longer wanted; a worker saves before it ends."""
        for job in [one for one in (*self.slots, *queue) if one is not None]:
            if not job.stopped and stop(job.config):
                job.stopped = True
                self.close(job)
                with suppress(ValueError):
                    queue.remove(job)

    def fill(self, queue: deque[Job]) -> None:
        for number, slot in enumerate(self.slots):
            if slot is None and queue:
                ready = next((job for job in queue if job.not_before <= time.monotonic()), None)
                if ready is not None:
                    queue.remove(ready)
                    self.start(ready, self.plan.devices[number % len(self.plan.devices)])
                    self.slots[number] = ready

    def start(self, job: Job, device: str) -> None:
        folder = job.folder(self.root)
        folder.path.mkdir(parents=True, exist_ok=True)
        job.started = time.monotonic()
        job.first_step = folder.last_step()
        options = [str(self.root), device, str(self.plan.checkpoint_seconds)]
        with folder.worker_log.open("wb") as log:
            # A session of its own: Ctrl-C is for the driver, which then closes the pipe.
            job.process = subprocess.Popen(
                [sys.executable, "-m", "raspl.fleet.worker", *options],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
                env={**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"},
                start_new_session=True,
            )
        assert job.process.stdin is not None
        with suppress(BrokenPipeError):  # dead already: reaped like any other death
            job.process.stdin.write(json.dumps(job.config.as_json()).encode() + b"\n")
            job.process.stdin.flush()

    def reap(self, queue: deque[Job]) -> None:
        for number, job in enumerate(self.slots):
            if job is None or job.process is None:
                continue
            code = job.process.poll()
            if code is None:
                continue
            self.slots[number] = None
            self.close(job)
            self.settle(job, code, queue)

    def settle(self, job: Job, code: int, queue: deque[Job]) -> None:
        """Decide what becomes of a run whose worker has ended."""
        if code == DONE and job.folder(self.root).finished() is not None:
            job.done, job.said = True, self.last_words(job)
            job.folder(self.root).worker_log.unlink(missing_ok=True)
        elif code == REFUSED:
            job.failed = self.last_words(job) or "its worker gave no reason"
        elif job.stopped:
            job.furthest, job.scores = (
                job.folder(self.root).last_step(),
                job.folder(self.root).last_scores(),
            )
        elif code == BUSY:
            # An orphan of a killed driver is still saving, or another study shares the run.
            job.not_before = time.monotonic() + BUSY_PAUSE
            queue.append(job)
        else:
            step = job.folder(self.root).last_step()
            job.deaths = 1 if step > job.furthest else job.deaths + 1
            job.furthest = max(step, job.furthest)
            if job.deaths > self.plan.deaths:
                words = self.last_words(job)
                job.failed = f"its worker died {job.deaths} times at step {step}. {words}".strip()
            else:
                queue.appendleft(job)

    def last_words(self, job: Job) -> str:
        try:
            lines = job.folder(self.root).worker_log.read_text().split("\n")
        except OSError:
            return ""
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def stop(self) -> None:
        """Let every worker save itself; then there are none."""
        busy = [job for job in self.slots if job is not None and job.process is not None]
        for job in busy:
            self.close(job)
        for job in busy:
            assert job.process is not None
            try:
                job.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                job.process.kill()
                job.process.wait()
        self.slots = [None] * len(self.slots)

    @staticmethod
    def close(job: Job) -> None:
        if job.process is not None and job.process.stdin is not None:
            with suppress(BrokenPipeError):
                job.process.stdin.close()

    def report(self, jobs: Sequence[Job]) -> tuple[list[Status], float]:
        statuses = [self.status(job) for job in jobs]
        return statuses, time_left(statuses, len(self.slots))

    def status(self, job: Job) -> Status:
        config = job.config
        if job.done:
            job.scores = job.scores or job.folder(self.root).last_scores()
            return Status(config, "done", config.steps, note=job.said, scores=job.scores)
        if job.failed:
            return Status(config, "failed", job.furthest, note=job.failed)
        if job.stopped:
            return Status(config, "stopped", job.furthest, scores=job.scores)
        running = any(job is slot for slot in self.slots)
        step = job.folder(self.root).last_step() if running else max(job.first_step, job.furthest)
        note = f"restarted after {job.deaths} deaths" if job.deaths else ""
        left = self.estimator.seconds(config) * (1 - step / config.steps)
        if not running:
            return Status(config, "waiting", step, left, note)
        done, spent = step - job.first_step, time.monotonic() - job.started
        if done > 0:
            left = spent / done * (config.steps - step)
        scores, used = job.folder(self.root).last_scores(), 0.0
        if job.process is not None:
            used = processor_seconds(job.process.pid, otherwise=spent)
        return Status(config, "running", step, left, note, scores, used)


def processor_seconds(process: int, otherwise: float) -> float:
    """What a process that runs has used so far, where the system tells."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return otherwise
    user, system = fields[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
