"""A finished run in numbers: the record that figures and claims are made from."""

from dataclasses import asdict
from typing import Any

import numpy as np

from raspl.runs.files import digest_of_tensors
from raspl.tasks import Task
from raspl.training.configuration import CONVERGED, Configuration
from raspl.training.evaluation import drawn_for_test, final_answers, score, score_as_trained
from raspl.training.model import Transformer
from raspl.training.overlap import REDRAWN, overlap
from raspl.training.probes import probe_count, probe_program

CURVE = 12
"""Lengths in the curve of exact match over length, beside those asked for."""


def summary(model: Transformer, task: Task, config: Configuration) -> dict[str, Any]:
    longest = max(config.max_length, *config.test_lengths, task.shortest)
    between = np.linspace(task.shortest, longest, CURVE).round().astype(int).tolist()
    lengths = sorted({config.max_length, *config.test_lengths, *between})
    trained = [length for length in lengths if length <= config.max_length]
    on = config.judged_on(task)
    inside = [score(model, task, config, config.train_on, length) for length in trained]
    outside = [score(model, task, config, on, length) for length in lengths]
    as_trained = score_as_trained(model, task, config)
    record: dict[str, Any] = {
        "run": config.name,
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "weights": digest_of_tensors(dict(model.state_dict()), {}),
        "converged": as_trained.exact >= CONVERGED,
        "as_trained": asdict(as_trained),
        "in_distribution": [asdict(one) for one in inside],
        "tested": [asdict(one) for one in outside],
        "overlap": [
            {"length": length, "share": share, "steps": min(config.steps, REDRAWN)}
            for length, share in overlap(task, config, trained).items()
        ],
    }
    others = [name for name in task.variants if name != on]
    if others:
        ends = sorted({config.max_length, *config.test_lengths})
        record["also"] = [
            asdict(score(model, task, config, name, length)) for name in others for length in ends
        ]
    if task.final is not None:
        record["final_answers"] = [
            {
                "on": on,
                "length": length,
                "accuracy": final_answers(model, task, drawn_for_test(task, config, on, length)),
            }
            for length in sorted({config.max_length, *config.test_lengths})
        ]
    ends = [config.max_length, longest]
    if task.name == "count":
        record["counterfactual"] = [
            asdict(probe_count(model, task, config.seed, length)) for length in ends
        ]
    if task.program is not None:
        record["agreement_with_program"] = [
            asdict(probe_program(model, task, config.seed, length, on)) for length in ends
        ]
    return record
