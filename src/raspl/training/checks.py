"""What can't work is said before training starts, not after it."""

import os

import torch

from raspl import programs
from raspl.programs import load_single
from raspl.tasks import Task
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.evaluation import drawn_for_test, measured

DEVICES = ("cpu", "cuda", "mps")
BYTES_A_WEIGHT = 16
"""A weight, its gradient and the optimiser's two moments."""


def check(task: Task, config: Configuration) -> None:
    """Lengths, distributions, memory, context, solver and program of a run."""
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
        # It is compared with the trained model: better read before.
        load_single(task.program, task.alphabet)
    if config.compared_with:
        programs.load(config.compared_with)


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
