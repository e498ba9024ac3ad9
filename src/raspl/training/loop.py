"""Training: the schedule, one step, and the loop that a run is."""

import math
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, current_thread, main_thread
from types import FrameType
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from raspl.runs.folder import Metrics, Run
from raspl.tasks import Task
from raspl.tasks.programs import next_token
from raspl.training.batches import Batch, batch
from raspl.training.configuration import Configuration, Stopped, TrainingError
from raspl.training.evaluation import Score, drawn_for_test, measured, progress_scores
from raspl.training.memory import keep_memory
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser
from raspl.training.summary import summary

LOGS_PER_EVALUATION = 10
DEVICES = ("cpu", "cuda", "mps")
BYTES_A_WEIGHT = 16
"""A weight, its gradient and the optimiser's two moments."""
TOKENS_AT_ONCE = 32_768
"""A larger batch goes through the model in pieces: the paper's batch for sort would take 60 GB."""
FEW_TOKENS = 1_536
"""On a CPU, contexts of one example each do so in pieces of about this: at this size a further
piece costs less than its shorter rows save."""


def rate(config: Configuration, step: int) -> float:
    """Learning rate of a step: a linear rise, then half a cosine down to the final rate."""
    if step < config.warmup:
        return config.rate * (step + 1) / config.warmup
    done = (step - config.warmup) / max(config.steps - config.warmup, 1)
    return (
        config.final_rate + (config.rate - config.final_rate) * (1 + math.cos(math.pi * done)) / 2
    )


def loss_of(model: Transformer, data: Batch, device: torch.device) -> Tensor:
    """Mean cross-entropy over the targets that count; the others skip what they can."""
    tokens = torch.from_numpy(data.tokens).to(device)
    offset = None if data.offset is None else torch.from_numpy(data.offset).to(device)
    inputs, targets = tokens[:, :-1], tokens[:, 1:].flatten()
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
    if config.clip:
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip, foreach=True)
    optimiser.step(rate(config, step))
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
class Sitting:
    """How this process does its part of the run.

    Another device rounds differently, so only on the same kind of machine are two runs the same.
    """

    device: str = "cpu"
    checkpoint_seconds: float = 30.0
    watch: Callable[[Progress], None] = lambda progress: None
    say: Callable[[str], None] = lambda sentence: None


QUIET = Sitting()


def train(config: Configuration, root: Path, sitting: Sitting = QUIET) -> dict[str, Any]:
    """Do a run, or what is left of it, and return its result."""
    keep_memory()
    check_device(sitting.device)
    task = config.build_task()
    check(task, config)
    run = Run.under(root, config)
    with run.claimed():
        run.open(sitting.say)
        model = Transformer(len(task.alphabet), config).to(sitting.device)
        metrics = run.load_weights(model, sitting.say)
        if metrics is None:
            metrics = fit(run, model, task, sitting)
            run.save_weights(model, metrics)
        run.write_metrics(metrics, sitting.say)
        result = run.read_result(sitting.say)
        if result is None:
            result = run.write_result(summary(model, task, config), metrics)
        run.drop_checkpoints()
        return result


def fit(run: Run, model: Transformer, task: Task, sitting: Sitting) -> Metrics:
    """Train to the end of the schedule from wherever the run stands."""
    config, device = run.config, torch.device(sitting.device)
    optimiser = Optimiser(model, config)
    first, metrics = run.load_checkpoint(model, optimiser, sitting.say)
    run.write_metrics(metrics, lambda sentence: None)  # beyond a checkpoint it may be torn
    log_every = max(config.evaluate_every // LOGS_PER_EVALUATION, 1)
    scores: tuple[Score, ...] = ()
    clock = Clock(config, first, sitting.checkpoint_seconds)
    with interruptions() as interrupted:
        for step in range(first, config.steps):
            loss = train_step(model, optimiser, task, config, step, device)
            done = step + 1
            evaluating = done % config.evaluate_every == 0 or done == config.steps
            if evaluating or done % log_every == 0:
                value = loss.item()
                if not math.isfinite(value):
                    raise TrainingError(diverged(run, done))
                record: dict[str, Any] = {"step": done, "loss": value}
                if evaluating:
                    with clock.paused():
                        scores = tuple(progress_scores(model, task, config))
                    record["scores"] = [asdict(score) for score in scores]
                metrics.append(record)
                run.append("metrics.jsonl", record)
                speed, left = clock.pace(done)
                sitting.watch(Progress(done, config.steps, value, scores, speed, left))
            stopping = interrupted.is_set() and done < config.steps
            if stopping or (clock.due() and done < config.steps):
                if not torch.isfinite(loss):
                    raise TrainingError(diverged(run, done))
                run.save_checkpoint(done, model, optimiser, metrics)
            if stopping:
                run.append("cost.jsonl", clock.cost(done, sitting.device))
                raise Stopped(f"Stopped at step {done}; the same command continues the run.")
    run.append("cost.jsonl", clock.cost(config.steps, sitting.device))
    return metrics


def check(task: Task, config: Configuration) -> None:
    """Say before training, not after it, what can't work."""
    check_memory(task, config)
    for length in (config.max_length, *config.test_lengths):
        task.check_length(length)
    for on in (config.train_on, config.judged_on(task)):
        if on not in task.distributions:
            known = ", ".join(task.distributions)
            raise TrainingError(f"Task {task.name} has no distribution {on!r}; it has {known}.")
    for on, length in measured(task, config):
        size = drawn_for_test(task, config, on, length).tokens.shape[1]
        if size > config.context:
            raise TrainingError(
                f"An example of length {length} has {size} tokens, more than the context of "
                f"{config.context}; set a longer context or shorter lengths."
            )
    task.check_solver(config.max_length)
    if task.program is not None:
        next_token(task.program)  # compared with the trained model: better read before


def check_device(name: str) -> None:
    try:
        if torch.device(name).type not in DEVICES:
            raise RuntimeError
        torch.empty(1, device=name)
    except (RuntimeError, AssertionError):
        raise TrainingError(f"This machine can't train on {name!r}; cpu always works.") from None


def check_memory(task: Task, config: Configuration) -> None:
    """A model far too large would have the system kill whatever it likes."""
    tables = len(task.alphabet) + config.context
    weights = config.width * (tables + 12 * config.layers * config.width)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if BYTES_A_WEIGHT * weights > memory:
        raise TrainingError(
            f"The model does not fit in memory: {weights:.1e} weights need "
            f"{BYTES_A_WEIGHT * weights / 1e9:,.0f} GB to train, of {memory / 1e9:,.0f} GB."
        )


def diverged(run: Run, step: int) -> str:
    kept = run.checkpoints()
    since = f"the checkpoint {kept[0].name} is kept" if kept else "no checkpoint was written yet"
    return f"The loss is no longer a number at step {step}; {since}. Try a lower learning rate."


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
    """Wall-clock time of one sitting, evaluations apart."""

    def __init__(self, config: Configuration, first: int, checkpoint_seconds: float) -> None:
        self.config, self.first = config, first
        self.checkpoint_seconds = checkpoint_seconds
        self.begun = self.saved = time.perf_counter()
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

    def cost(self, done: int, device: str) -> dict[str, Any]:
        return {
            "from": self.first,
            "to": done,
            "seconds": round(time.perf_counter() - self.begun, 3),
            "seconds_evaluating": round(self.evaluating, 3),
            "device": device,
            "threads": torch.get_num_threads(),
        }
