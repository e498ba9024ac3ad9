"""How fast training and evaluation are, beside nanoGPT's loop on the same machine in the same run.

    python benchmarks/training.py PATH_TO_NANOGPT [--seconds 20]

Both loops train the same model on the same batch size and context with one thread. They take turns
in short blocks, so that whatever else the machine does meets both, and the median block counts.
nanoGPT is taken as it ships: its model, its optimiser, a batch read from a memory map row by row,
its clipping. Ours is what `raspl train` runs: sampling, packing, step, a look at the loss.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import torch

from raspl.training.batches import batch
from raspl.training.configuration import Configuration
from raspl.training.evaluation import correct, decode, drawn_for_test
from raspl.training.loop import loss_of, train_step
from raspl.training.memory import keep_memory
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser
from raspl.training.presets import configure

CPU = torch.device("cpu")
SIZES = ({"layers": 2, "width": 64}, {"layers": 4, "width": 256})
FLOORS = {64: 1.2, 256: 1.05}
BLOCK = 0.5
"""Seconds of one loop before the other's turn."""

Step = Callable[[], object]


def main() -> None:
    parser = argparse.ArgumentParser(description="Training speed beside nanoGPT's.")
    parser.add_argument("nanogpt", type=Path, help="a checkout of nanoGPT")
    parser.add_argument("--seconds", type=float, default=20, help="for each comparison")
    options = parser.parse_args()
    torch.set_num_threads(1)
    peak = gemm_rate()
    print(f"GEMM, one thread, fp32: {peak / 1e9:.0f} GFLOP/s")
    for size in SIZES:
        fixed = {
            "numbers": 60,
            "heads": 4,
            "context": 64,
            "batch": 32,
            "optimiser": "adamw",
        }
        config = configure("count", "laptop", {**size, **fixed})
        compare(config, options.nanogpt, options.seconds, peak)
    evaluation(options.seconds)


def compare(config: Configuration, nanogpt: Path, seconds: float, peak: float) -> None:
    """Tokens per second of both loops, our share of the GEMM rate, our share outside the model."""
    tokens = config.batch * config.context
    with Loop(nanogpt_step, config, nanogpt) as theirs, Loop(our_step, config) as ours:
        their_time, our_time = in_turns([theirs.block, ours.block], seconds)
    floor = FLOORS[config.width]
    rate = operations(config) * tokens / our_time
    print(f"\n{config.layers} layers, width {config.width}, context 64, batch 32, count")
    print(f"  nanoGPT  {tokens / their_time:8,.0f} tokens/s")
    print(f"  raspl    {tokens / our_time:8,.0f} tokens/s")
    print(f"  ratio    {their_time / our_time:8.2f} (floor {floor})")
    print(f"  GEMM     {rate / peak:8.0%} of the measured rate")
    print(f"  outside  {outside_share(config):8.1%} of a step is not the model (at most 3 %)")


class Loop:
    """A training loop in a process of its own, so that neither sees the other's settings."""

    def __init__(self, build: Callable[..., Step], *arguments: object) -> None:
        context = get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(other, build, *arguments), daemon=True)

    def __enter__(self) -> "Loop":
        self.process.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.pipe.send(False)
        self.process.join()

    def block(self) -> float:
        """Seconds per step, over one block."""
        self.pipe.send(True)
        return float(self.pipe.recv())


def serve(pipe: Connection, build: Callable[..., Step], *arguments: object) -> None:
    torch.set_num_threads(1)
    step = build(*arguments)
    while pipe.recv():
        pipe.send(seconds_per_call(step))


def our_step(config: Configuration) -> Step:
    keep_memory()
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    optimiser = Optimiser(model, config)
    number = iter(range(10**9))

    def step() -> None:
        at = next(number)
        loss = train_step(model, optimiser, task, config, at, CPU)
        if at % 25 == 0:
            loss.item()

    return step


def outside_share(config: Configuration) -> float:
    """Sampling and packing over the whole step, each timed by itself."""
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    data = batch(task, config, 0)
    number = iter(range(10**9))
    steps: list[Step] = [
        lambda: batch(task, config, next(number)),
        lambda: loss_of(model, data, CPU).backward(),  # type: ignore[no-untyped-call]
    ]
    outside, inside = in_turns([partial(seconds_per_call, step) for step in steps], 5)
    return outside / (outside + inside)


def nanogpt_step(config: Configuration, checkout: Path) -> Step:
    """One iteration of a loop like nanoGPT's on the CPU, with its own model and optimiser."""
    sys.path.insert(0, str(checkout))
    module: Any = __import__("model")
    sys.path.pop(0)
    task = config.build_task()
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "train.bin"
    text = np.concatenate([batch(task, config, step).tokens.reshape(-1) for step in range(50)])
    text.astype(np.uint16).tofile(path)
    settings = module.GPTConfig(
        block_size=config.context,
        vocab_size=len(task.alphabet),
        n_layer=config.layers,
        n_head=config.heads,
        n_embd=config.width,
    )
    model = module.GPT(settings)
    betas = (0.9, config.beta2)
    optimizer = model.configure_optimizers(config.weight_decay, config.learning_rate, betas, "cpu")

    def read() -> list[torch.Tensor]:
        data = np.memmap(path, dtype=np.uint16, mode="r")
        starts = torch.randint(len(data) - config.context, (config.batch,)).tolist()
        sides = []
        for shift in (0, 1):
            spans = [data[at + shift : at + shift + config.context] for at in starts]
            sides.append(torch.stack([torch.from_numpy(span.astype(np.int64)) for span in spans]))
        return sides

    def step() -> None:
        _, loss = model(*read())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), config.grad_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    step.folder = folder  # type: ignore[attr-defined]  # the data live as long as the loop
    return step


def evaluation(seconds: float) -> None:
    """Exact match of 50 output tokens: one pass against writing them one by one.

    The floor is for decoding as nanoGPT does it, the whole text again for each token. Our own
    decoder, which keeps keys and values, is shown beside it.
    """
    changes = {"test_lengths": (50,), "test_examples": 128, "context": 128}
    config = configure("copy-repeat", "laptop", changes)
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    examples = drawn_for_test(task, config, "train", 50)
    prompt = torch.from_numpy(examples.tokens[:, :52])

    @torch.inference_mode()
    def token_by_token() -> None:
        written = prompt
        for _ in range(51):
            following = model(written)[:, -1].argmax(-1, keepdim=True)
            written = torch.cat((written, following), dim=1)

    sizes = np.full(len(prompt), prompt.shape[1])
    steps: list[Step] = [
        token_by_token,
        lambda: decode(model, prompt.numpy(), sizes, prompt.shape[1] + 51),
        lambda: correct(model, examples),
    ]
    slow, cached, fast = in_turns([partial(seconds_per_call, step) for step in steps], seconds)
    print(f"\nexact match at 50 tokens: {slow / fast:.0f} x as fast as decoding them (floor 20)")
    print(f"  and {cached / fast:.1f} x as fast as our decoder with its cache")


def in_turns(blocks: list[Callable[[], float]], seconds: float) -> list[float]:
    """Median of each one's blocks, taken in turns."""
    times: list[list[float]] = [[] for _ in blocks]
    for block in blocks:
        block()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times[0]) < 5:
        for block, mine in zip(blocks, times, strict=True):
            mine.append(block())
    return [statistics.median(mine) for mine in times]


def seconds_per_call(step: Step) -> float:
    """CPU seconds: with one thread these are the wall clock's, less what other programs took."""
    begun, wall, calls = time.process_time(), time.perf_counter(), 0
    while time.perf_counter() - wall < BLOCK:
        step()
        calls += 1
    return (time.process_time() - begun) / calls


def operations(config: Configuration) -> float:
    """Forward and backward for one token: matrices, output layer and attention."""
    matrices = 12 * config.layers * config.width**2
    head = len(config.build_task().alphabet) * config.width
    attention = 2 * config.layers * config.context * config.width
    return 6.0 * (matrices + head + attention)


def gemm_rate() -> float:
    """Best rate of a matrix product, in operations per second."""
    left = torch.randn(1024, 1024)
    best = 0.0
    for _ in range(30):
        begun = time.process_time()
        torch.mm(left, left)
        best = max(best, 2 * 1024**3 / (time.process_time() - begun))
    return best


if __name__ == "__main__":
    main()
