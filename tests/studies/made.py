"""Records with chosen numbers: what claims, figures and reports are tested on."""

from collections.abc import Callable
from typing import Any

from raspl.runs.records import Record
from raspl.studies.assess import configurations
from raspl.training.configuration import Configuration, Scale

Exact = Callable[[Configuration, str, int], float]
"""Exact match by run, distribution and length."""


def record(config: Configuration, exact: Exact, trained: float = 1.0) -> Record:
    task = config.build_task()
    on, own = config.judged_on(task), config.max_length
    lengths = sorted({own, *config.test_lengths})

    def score(on: str, length: int) -> dict[str, Any]:
        share = exact(config, on, length)
        return {
            "on": on, "length": length, "examples": 100, "exact": share,
            "exact_without_end": share,
        }  # fmt: skip

    result: dict[str, Any] = {
        "run": config.name,
        "parameters": 1000,
        "overlap": 0.0,
        "as_trained": {**score(config.train_on, own), "exact": trained},
        "in_distribution": [{**score(config.train_on, own), "exact": trained}],
        "tested": [score(on, length) for length in lengths],
        "also": [score(name, length) for name in task.variants for length in lengths],
        "final_answers": [
            {"on": on, "length": n, "accuracy": exact(config, on, n)} for n in lengths
        ],
        "counterfactual": [
            {
                "length": length, "starts_with_first": 1.0, "ends_after_last": 1.0,
                "adds_one": 1.0, "ends_rightly": 1.0,
            }
            for length in (own, lengths[-1])
        ],
    }  # fmt: skip
    curve = [
        {"step": step, "loss": 1.0, "scores": [{**score(config.train_on, own), "exact": share}]}
        for step, share in ((10, 0.1), (20, trained))
    ]
    return Record(config, result, curve, 2.0, 1, 1, "cpu")


def records(
    ids: list[str], exact: Exact, scale: Scale = "smoke", seeds: int = 1, trained: float = 1.0
) -> dict[str, Record]:
    wanted = configurations(ids, scale, seeds)
    return {name: record(config, exact, trained) for name, config in wanted.items()}


def as_the_paper_says(config: Configuration, on: str, length: int) -> float:
    """Perfect where the paper is, nothing where the paper has nothing."""
    forward_hard = (config.task, config.train_on, on) == ("addition-forward", "train", "hard")
    generalises = config.build_task().program is not None and not forward_hard
    if config.task == "parity-plain":
        return 0.5
    return 1.0 if (generalises and config.positions == "learned") else 0.0
