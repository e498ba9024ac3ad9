"""The paper's lengths in minutes, beside nanoGPT's loop with the paper's recipe and the same time.

    python benchmarks/desk.py PATH_TO_NANOGPT [--task sort] [--seed 0] [--root runs]

Each task is trained by its desk preset, as `raspl train TASK --scale desk` does (a run that is
there already is not trained again). Then nanoGPT's model is trained with the paper's recipe (its
model, batch, context, learning rate and schedule, on packed contexts with the loss on all tokens)
for as much processor time of one core. Both are tested on the same examples. Times are processor
time with one thread, so what others do on the machine hardly counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rich
import torch
from rich.table import Table
from torch import Tensor, nn

from raspl.runs.execute import execute_on_one_thread
from raspl.runs.store import finished
from raspl.training.batches import batch
from raspl.training.configuration import Configuration
from raspl.training.evaluation import correct, drawn_for_test
from raspl.training.loop import learning_rate
from raspl.training.presets import configure
from raspl.words import percent


@dataclass(frozen=True)
class Goal:
    """What a task must reach in how many minutes of one core."""

    task: str
    trained: int
    tested: int
    minutes: float
    exact: float = 0.9


GOALS = (
    Goal("sort", 40, 50, 5),
    Goal("count", 60, 100, 15),
    Goal("mode", 40, 50, 10),
    Goal("copy_unique", 40, 50, 10),
)
TOKENS_AT_ONCE = 8_192
"""Of nanoGPT's batch; the gradients of such pieces are added up, as its training script does."""


class AsOurs(nn.Module):
    """nanoGPT's model under the names that our evaluation asks for."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model
        self.embed = model.transformer.wte
        self.context: int = model.config.block_size

    def hidden(self, tokens: Tensor, only: Tensor) -> Tensor:
        # With targets it gives the logits of all positions, without only those of the last.
        logits: Tensor = self.model(tokens, tokens)[0]
        return logits.flatten(0, 1)[only]

    def logits(self, hidden: Tensor) -> Tensor:
        return hidden


def exact(model: Any, config: Configuration, length: int) -> float:
    examples = drawn_for_test(config.build_task(), config, "train", length)
    return float(correct(model, examples)[0].mean())


def nanogpt(config: Configuration, checkout: Path, seconds: float) -> tuple[AsOurs, float]:
    """Trained by the paper's recipe for so much processor time; the model, and steps done."""
    sys.path.insert(0, str(checkout))
    module: Any = __import__("model")
    sys.path.pop(0)
    task = config.build_task()
    torch.manual_seed(config.seed)
    settings = module.GPTConfig(
        block_size=config.context, vocab_size=len(task.alphabet), n_layer=config.layers,
        n_head=config.heads, n_embd=config.width,
    )  # fmt: skip
    model = module.GPT(settings)
    betas = (0.9, config.beta2)
    optimiser = model.configure_optimizers(config.weight_decay, config.learning_rate, betas, "cpu")
    rows = max(TOKENS_AT_ONCE // config.context, 1)
    pieces = -(-config.batch // rows)
    begun, step = time.process_time(), 0
    while True:
        before = time.process_time()
        data = torch.from_numpy(batch(task, config, step).tokens)
        begun += time.process_time() - before  # nanoGPT reads its batch from a file
        for place in range(pieces):
            if time.process_time() - begun >= seconds:
                return AsOurs(model.eval()), step + place / pieces
            some = data[place * rows : (place + 1) * rows]
            _, loss = model(some[:, :-1].contiguous(), some[:, 1:].contiguous())
            (loss * len(some) / config.batch).backward()
        if config.grad_clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.grad_clip)
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(config, step)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step += 1


def show(goal: Goal, options: argparse.Namespace, table: Table) -> bool:
    lengths = {"max_length": goal.trained, "test_lengths": (goal.tested,), "seed": options.seed}
    ours = configure(goal.task, "desk", lengths)
    execute_on_one_thread(ours, options.root)
    record = finished(options.root, ours)
    assert record is not None
    reached = record.exact("default")[goal.tested]
    paper = configure(goal.task, "paper", {**lengths, "test_examples": ours.test_examples})
    theirs, steps = nanogpt(paper, options.nanogpt, record.cost)
    there = exact(theirs, paper, goal.tested)
    minutes = record.cost / 60
    met = reached >= goal.exact and minutes <= goal.minutes
    table.add_row(
        f"{goal.task} {goal.trained} → {goal.tested}",
        f"{minutes:.1f} (at most {goal.minutes:g})",
        percent(record.trained),
        f"{percent(reached)} (at least {percent(goal.exact)})",
        f"{percent(there)} at {goal.tested}, {percent(exact(theirs, paper, goal.trained))} at "
        f"{goal.trained}, after {steps:.1f} of {paper.steps:,} steps",
        "yes" if met else "no",
    )
    return met


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("nanogpt", type=Path, help="a checkout of nanoGPT")
    tasks = [goal.task for goal in GOALS]
    parser.add_argument("--task", choices=tasks, action="append", help="only this; may be repeated")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--root", type=Path, default=Path("runs"), help="where runs are kept")
    options = parser.parse_args()
    torch.set_num_threads(1)
    table = Table(
        "trained to → tested at", "core-minutes", "in distribution", "exact match",
        "nanoGPT, the paper's recipe, as long", "met",
    )  # fmt: skip
    chosen = [goal for goal in GOALS if goal.task in (options.task or tasks)]
    met = [show(goal, options, table) for goal in chosen]
    rich.print(table)
    if not all(met):
        raise SystemExit("Not all are met.")


if __name__ == "__main__":
    main()
