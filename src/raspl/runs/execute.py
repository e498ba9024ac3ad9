"""Doing one run of a study: what a fleet's worker calls."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from raspl.training.configuration import Configuration


def perform(
    record: dict[str, Any],
    root: Path,
    device: str = "cpu",
    checkpoint_seconds: float = 30.0,
    saved: Callable[[Path], None] = lambda path: None,
    say: Callable[[str], None] = lambda sentence: None,
) -> None:
    """Do a run, or what is left of it, on one thread.

    `saved` is told of each new checkpoint, for fleets that keep them elsewhere; `say` of what was
    damaged.
    """
    import torch

    from raspl.runs.folder import Run
    from raspl.training.loop import Progress, Sitting, train

    torch.set_num_threads(1)
    config = Configuration.from_json(record)
    run = Run.under(root, config)
    told: list[Path] = run.checkpoints()[:1]

    def watch(progress: Progress) -> None:
        newest = run.checkpoints()[:1]
        if newest and newest != told:
            told[:] = newest
            saved(newest[0])

    train(config, root, Sitting(device, checkpoint_seconds, watch, say))
