"""Doing a run, or what is left of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch

from raspl.runs.folder import RunFolder
from raspl.training.checks import check, check_device
from raspl.training.configuration import Configuration
from raspl.training.loop import Progress, Session, fit
from raspl.training.memory import keep_memory
from raspl.training.perceptron import build_model
from raspl.training.result import Result
from raspl.training.summary import summary

QUIET = Session()


def execute(config: Configuration, root: Path, session: Session = QUIET) -> Result:
    """Train, test and write down; whatever was done before is not done again."""
    keep_memory()
    check_device(session.device)
    task = config.build_task()
    check(task, config)
    folder = RunFolder.under(root, config, session.say)
    with folder.claimed():
        folder.open()
        model = build_model(len(task.alphabet), config).to(session.device)
        curve = folder.load_weights(model)
        if curve is None:
            curve = fit(model, task, config, folder, session)
            folder.save_weights(model, curve)
        folder.write_curve(curve)
        result = folder.read_result()
        if result is None:
            result = folder.write_result(summary(model, task, config), curve)
        folder.drop_checkpoints()
        return result


def execute_on_one_thread(
    config: Configuration,
    root: Path,
    session: Session = QUIET,
    saved: Callable[[Path], None] = lambda checkpoint: None,
) -> Result:
    """What a fleet's worker does. `saved` is told of each new checkpoint, for fleets that keep
    them elsewhere too."""
    torch.set_num_threads(1)
    folder = RunFolder.under(root, config)
    told = folder.checkpoints()[:1]

    def watch(progress: Progress) -> None:
        newest = folder.checkpoints()[:1]
        if newest and newest != told:
            told[:] = newest
            saved(newest[0])

    return execute(config, root, replace(session, watch=watch))
