"""Configurations to start from: the paper's, a laptop's, and one for tests.

`paper` is the table of hyperparameters in the appendix. `laptop` was found by measuring on one
core (docs/presets.md says what was tried); wherever it departs from the paper's recipe, the
fields `layout`, `loss`, `train_on` and the sizes here say so. `smoke` only shows that all works.
"""

import dataclasses
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from raspl.tasks import Purpose, Task, find, parameters, stream
from raspl.tasks.registry import Value
from raspl.training.configuration import (
    Configuration,
    Scale,
    TrainingError,
    check_kind,
    digest_of_file,
)

Fields = Mapping[str, Any]

PAPER_LENGTHS = {"max_length": 40, "test_lengths": (50,)}

PAPER: Mapping[str, Fields] = MappingProxyType(
    {
        "count": {
            "layers": 6, "heads": 8, "width": 64, "steps": 10_000, "context": 256, "batch": 128,
            "rate": 1e-3, "final_rate": 1e-5, "decay": 0.1, "clip": 0.0,
        },
        "mode": {
            "layers": 6, "heads": 8, "width": 512, "steps": 10_000, "context": 256, "batch": 128,
            "rate": 1e-3, "final_rate": 1e-6, "decay": 0.1, "clip": 1.0,
        },
        "copy": {
            "layers": 6, "heads": 8, "width": 512, "steps": 100_000, "context": 512, "batch": 128,
            "rate": 1e-4, "final_rate": 1e-6, "decay": 0.1, "clip": 0.0,
        },
        "sort": {
            "layers": 2, "heads": 16, "width": 1024, "steps": 100_000, "context": 1024,
            "batch": 512, "rate": 1e-5, "final_rate": 0.0, "decay": 0.1, "clip": 0.0,
        },
        "addition": {
            "layers": 6, "heads": 8, "width": 512, "steps": 30_000, "context": 512, "batch": 64,
            "rate": 1e-4, "final_rate": 0.0, "decay": 0.0, "clip": 1.0,
        },
        "parity": {
            "layers": 6, "heads": 8, "width": 512, "steps": 10_000, "context": 512, "batch": 256,
            "rate": 1e-3, "final_rate": 1e-6, "decay": 0.1, "clip": 1.0,
        },
        "conjunction": {
            "layers": 2, "heads": 4, "width": 64, "steps": 10_000, "context": 128, "batch": 128,
            "rate": 1e-3, "final_rate": 0.0, "decay": 0.0, "clip": 0.0, "layout": "single",
            "max_length": 20, "test_lengths": (20,),
        },
    }
)  # fmt: skip

LAPTOP_BASE: Fields = MappingProxyType(
    {
        "layers": 2, "heads": 4, "width": 64, "steps": 2000, "context": 64, "batch": 32,
        "optimiser": "muon", "rate": 3e-3, "final_rate": 1e-5, "warmup": 100, "decay": 0.1,
        "clip": 1.0, "max_length": 15, "test_lengths": (19,), "test_examples": 500,
        "evaluate_every": 250,
    }
)  # fmt: skip

ALONE: Fields = MappingProxyType({"layout": "single", "loss": "answer", "batch": 64})
"""One example a context at a random offset, only its answer learned: what copying needs to form
its induction head in minutes. The context is far longer than the example, or the model learns
where the answer stands instead of what it is."""
ROOM = 2
"""How many times the longest example a context has room for, for a task that we don't know."""
MODE: Fields = MappingProxyType(
    {**ALONE, "letters": 8, "max_length": 16, "test_lengths": (20, 32), "context": 40}
)
MODE_SCRATCHPAD: Fields = MappingProxyType(
    {**MODE, "max_length": 32, "test_lengths": (40,), "context": 80, "heads": 2, "steps": 4500}
)
COPY: Fields = MappingProxyType(
    {**ALONE, "max_length": 16, "test_lengths": (18, 20), "context": 96, "rate": 2e-3}
)
ADDITION: Fields = MappingProxyType(
    {**ALONE, "train_on": "balanced", "max_length": 6, "test_lengths": (7, 8), "context": 72,
     "rate": 1.5e-3, "decay": 0.3, "steps": 2500}
)  # fmt: skip
HINTED: Fields = MappingProxyType({**ADDITION, "hints": 10})
PARITY: Fields = MappingProxyType(
    {**ALONE, "max_length": 20, "test_lengths": (25,), "context": 128, "steps": 3000}
)

LAPTOP: Mapping[str, Fields] = MappingProxyType(
    {
        "count": {"numbers": 60, "test_lengths": (19, 25), "steps": 1200, "spread": 0.06},
        "mode": MODE,
        "mode-scratchpad-frequency": MODE_SCRATCHPAD,
        "mode-scratchpad-appearance": {
            **MODE_SCRATCHPAD, "max_length": 24, "test_lengths": (30,),
        },
        "copy-unique": {**COPY, "tokens": 40, "heads": 1},
        "copy-repeat": {
            **COPY, "max_length": 24, "test_lengths": (27, 30), "rate": 1e-3, "steps": 3000,
        },
        "sort": {**ALONE, "numbers": 32, "max_length": 10, "test_lengths": (13,), "steps": 1500},
        "addition-plain": {
            **ALONE, "train_on": "standard", "test_on": "easy", "max_length": 3,
            "test_lengths": (4,), "steps": 5000,
        },
        "addition-forward": {**HINTED, "steps": 4000},
        "addition-forward-standard": {**HINTED, "steps": 5000, "layers": 3},
        "addition-reverse": HINTED,
        "parity-plain": {
            "optimiser": "adamw", "rate": 2e-3, "max_length": 20, "test_lengths": (25,),
            "steps": 2500,
        },
        "parity-scratchpad": {**PARITY, "hints": 32},
        "parity-sum": PARITY,
        "conjunction": {"layout": "single", "steps": 1000, "rate": 1e-3, "optimiser": "adamw"},
    }
)  # fmt: skip

SMOKE: Fields = MappingProxyType(
    {
        "layers": 1, "heads": 2, "width": 16, "steps": 20, "context": 32, "batch": 4,
        "optimiser": "muon", "rate": 3e-3, "final_rate": 1e-5, "max_length": 4,
        "test_lengths": (5,), "test_examples": 20, "evaluate_every": 10,
    }
)  # fmt: skip


def family(name: str) -> str:
    return name.split("-")[0]


def preset(name: str, scale: Scale) -> dict[str, Any]:
    """Fields and task parameters to start from; a user's own task is trained as most of ours."""
    if scale == "paper":
        if family(name) not in PAPER:
            raise TrainingError(f"The paper has no task {name!r}; use --scale laptop.")
        return {**PAPER_LENGTHS, **PAPER[family(name)]}
    fixed = {"max_length": 20, "test_lengths": (20,)} if name == "conjunction" else {}
    base = SMOKE if scale == "smoke" else {**LAPTOP_BASE, **LAPTOP.get(name, ALONE)}
    return {**base, **fixed}


def configure(
    name: str,
    scale: Scale = "laptop",
    changes: Mapping[str, Any] = MappingProxyType({}),
    like: str | None = None,
) -> Configuration:
    """A preset with changes to any field of the configuration or parameter of the task.

    `like` names another preset of the family to take than the task's own. Unless `context` is set
    it grows until the longest example to be tested fits, and for a user's own task twice of it.
    """
    fields = {**preset(like or name, scale), **changes}
    known = parameters(name)
    values: dict[str, Value] = {key: fields.pop(key) for key in list(fields) if key in known}
    settable = {one.name: one.type for one in dataclasses.fields(Configuration)}
    for given in ("task", "scale", "parameters", "source"):
        del settable[given]
    unknown = set(fields) - set(settable)
    if unknown:
        names = ", ".join(sorted({*settable, *known}))
        raise TrainingError(f"{sorted(unknown)[0]!r} can't be set; these can: {names}.")
    for field, value in fields.items():
        check_kind(field, settable[field], value)
    task = find(name, values)
    if name.endswith(".py"):
        fields["source"] = digest_of_file(name)
    if "context" not in changes:
        room = ROOM if name.endswith(".py") else 1
        fields["context"] = max(fields["context"], room * longest_example(task, fields))
    return Configuration(task=name, scale=scale, parameters=values, **fields)


def longest_example(task: Task, fields: Fields) -> int:
    """Tokens of the longest example that training or a test can meet."""
    rng = stream(0, Purpose.SHOW)
    sizes = [0]
    for length in (fields["max_length"], *fields["test_lengths"]):
        task.check_length(length)
        for on in task.distributions:
            sizes.append(task.examples(rng, np.full(2, length), on).tokens.shape[1])
    return max(sizes)
