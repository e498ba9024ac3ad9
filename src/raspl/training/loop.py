"""Training: the schedule, one step, and the loop; what must survive is handed to a journal."""

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, current_thread, main_thread
from types import FrameType
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from raspl.errors import Stopped
from raspl.tasks import Task
from raspl.training.batches import Batch, batch
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.evaluation import progress_scores
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser
from raspl.training.result import Logged, Score
from raspl.validated import Record

LOGS_PER_EVALUATION = 10
TOKENS_AT_ONCE = 32_768
"""A larger batch goes through the model in pieces: the paper's batch for sort would take 60 GB."""
FEW_TOKENS = 1_536
"""On a CPU, contexts of one example each do so in pieces of about this: at this size a further
piece costs less than its shorter rows save."""


def learning_rate(config: Configuration, step: int) -> float:
    """Of a step: a linear rise, then half a cosine down to the final rate."""
    highest, final = config.learning_rate, config.final_learning_rate
    if step < config.warmup:
        return highest * (step + 1) / config.warmup
    done = (step - config.warmup) / max(config.steps - config.warmup, 1)
    return final + (highest - final) * (1 + math.cos(math.pi * done)) / 2


def loss_of(model: Transformer, data: Batch, device: torch.device) -> Tensor:
    """Mean cross-entropy over the targets that count; the others skip what they can."""
    inputs = torch.from_numpy(data.inputs).to(device)
    targets = torch.from_numpy(data.targets).to(device).flatten()
    offset = None if data.offset is None else torch.from_numpy(data.offset).to(device)
    if data.learned.all():
        hidden = model.hidden(inputs, offset).flatten(0, 1)
    else:
        counted = torch.from_numpy(data.learned.reshape(-1).nonzero()[0]).to(device)
        hidden, targets = model.hidden(inputs, offset, only=counted), targets[counted]
    return functional.cross_entropy(model.logits(hidden), targets)


def train_step(
    model: Transformer,
    optimiser: Optimiser,
    task: Task,
    config: Configuration,
    step: int,
    device: torch.device,
) -> Tensor:
    """One update; the loss stays on the device, so that nothing waits for it."""
    few = device.type == "cpu" and config.layout == "single"
    pieces = batch(task, config, step).pieces(FEW_TOKENS if few else TOKENS_AT_ONCE)
    loss = backward(model, pieces, device)
    if config.grad_clip:
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.grad_clip, foreach=True)
    optimiser.step(learning_rate(config, step))
    return loss


def backward(model: Transformer, pieces: list[Batch], device: torch.device) -> Tensor:
    """Gradients of the whole batch's loss, and the loss; one piece's activations at a time."""
    counts = [int(piece.learned.sum()) for piece in pieces]
    total = torch.zeros((), device=device)
    for piece, count in zip(pieces, counts, strict=True):
        if count:
            loss = loss_of(model, piece, device) * (count / sum(counts))
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.detach()
    return total


class SessionCost(Record):
    """What one process spent on its part of a run."""

    first_step: int
    last_step: int
    seconds: float
    """By the clock on the wall, evaluations included."""
    seconds_evaluating: float
    cpu_seconds: float = 0.0
    """Of all threads together, evaluations included: what others do on the machine counts little.
    0 where it was not kept."""
    device: str
    threads: int


class Journal(Protocol):
    """Where a run keeps what must survive this process."""

    def resume(self, model: Transformer, optimiser: Optimiser) -> tuple[int, list[Logged]]:
        """Bring both to the newest checkpoint; its step, and the curve up to it."""

    def log(self, line: Logged) -> None:
        """Add a line to the curve."""

    def checkpoint(
        self, step: int, model: Transformer, optimiser: Optimiser, curve: list[Logged]
    ) -> None:
        """Keep all that is needed to go on."""

    def last_checkpoint(self) -> str | None:
        """The name of the newest one, for a message."""

    def spend(self, cost: SessionCost) -> None:
        """Note what this process has spent."""


@dataclass(frozen=True)
class Progress:
    """What a watcher is told while a run trains."""

    step: int
    steps: int
    loss: float
    scores: tuple[Score, ...]
    """The latest scores: the longest training length first, then the test lengths."""
    steps_per_second: float
    seconds_left: float


@dataclass(frozen=True)
class Session:
    """How this process does its part of the run.

    Another device rounds differently, so only on the same kind of machine are two runs the same.
    """

    device: str = "cpu"
    checkpoint_seconds: float = 30.0
    watch: Callable[[Progress], None] = lambda progress: None
    say: Callable[[str], None] = lambda sentence: None


def fit(
    model: Transformer, task: Task, config: Configuration, journal: Journal, session: Session
) -> list[Logged]:
    """Train to the end of the schedule from wherever the run stands; its training curve."""
    device = torch.device(session.device)
    optimiser = Optimiser(model, config)
    first, curve = journal.resume(model, optimiser)
    log_every = max(config.evaluate_every // LOGS_PER_EVALUATION, 1)
    scores: tuple[Score, ...] = ()
    clock = Clock(config, first, session.checkpoint_seconds)
    with interruptions() as interrupted:
        for step in range(first, config.steps):
            loss = train_step(model, optimiser, task, config, step, device)
            done = step + 1
            evaluating = done % config.evaluate_every == 0 or done == config.steps
            if evaluating or done % log_every == 0:
                value = finite(loss, done, journal)
                if evaluating:
                    with clock.paused():
                        scores = tuple(progress_scores(model, task, config))
                line = Logged(step=done, loss=value, scores=scores if evaluating else ())
                curve.append(line)
                journal.log(line)
                speed, left = clock.pace(done)
                session.watch(Progress(done, config.steps, value, scores, speed, left))
            stopping = interrupted.is_set() and done < config.steps
            if stopping or (clock.due() and done < config.steps):
                finite(loss, done, journal)
                journal.checkpoint(done, model, optimiser, curve)
            if stopping:
                journal.spend(clock.cost(done, session.device))
                raise Stopped(f"Stopped at step {done}; the same command continues the run.")
    journal.spend(clock.cost(config.steps, session.device))
    return curve


def finite(loss: Tensor, step: int, journal: Journal) -> float:
    """The loss as a number; one that is none ends the run before it spoils a checkpoint."""
    value = loss.item()
    if math.isfinite(value):
        return value
    kept = journal.last_checkpoint()
    since = f"the checkpoint {kept} is kept" if kept else "no checkpoint was written yet"
    raise TrainingError(
        f"The loss is no longer a number at step {step}; {since}. Try a lower learning rate."
    )


@contextmanager
def interruptions() -> Iterator[Event]:
    """Ctrl-C and a polite kill set the event instead of tearing a step apart; a second one does."""
    event = Event()
    if current_thread() is not main_thread():
        yield event
        return

    def note(number: int, frame: FrameType | None) -> None:
        if event.is_set():
            raise KeyboardInterrupt
        event.set()

    before = {one: signal.signal(one, note) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield event
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


class Clock:
    """Time of one session, by the wall clock and of the processor."""

    def __init__(self, config: Configuration, first: int, checkpoint_seconds: float) -> None:
        self.config, self.first = config, first
        self.checkpoint_seconds = checkpoint_seconds
        self.begun = self.saved = time.perf_counter()
        self.cpu_begun = time.process_time()
        self.evaluating = 0.0

    @contextmanager
    def paused(self) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.evaluating += time.perf_counter() - start

    def due(self) -> bool:
        """Is it time for a checkpoint? If so, the next one is counted from now."""
        now = time.perf_counter()
        if now - self.saved < self.checkpoint_seconds:
            return False
        self.saved = now
        return True

    def pace(self, done: int) -> tuple[float, float]:
        """Steps per second, and seconds left."""
        spent = time.perf_counter() - self.begun - self.evaluating
        per_step = spent / (done - self.first)
        return 1 / per_step, per_step * (self.config.steps - done)

    def cost(self, done: int, device: str) -> SessionCost:
        return SessionCost(
            first_step=self.first,
            last_step=done,
            seconds=round(time.perf_counter() - self.begun, 3),
            seconds_evaluating=round(self.evaluating, 3),
            cpu_seconds=round(time.process_time() - self.cpu_begun, 3),
            device=device,
            threads=torch.get_num_threads(),
        )
