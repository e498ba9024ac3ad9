"""Everything that decides a run's numbers, in one flat record; its hash is the run's name."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args, get_origin

from raspl.errors import RasplError
from raspl.tasks import Task, find
from raspl.tasks.registry import Value

Positions: TypeAlias = Literal["learned", "rotary", "none"]
Layout: TypeAlias = Literal["packed", "single"]
Loss: TypeAlias = Literal["all", "answer"]
OptimiserName: TypeAlias = Literal["adamw", "muon"]
Scale: TypeAlias = Literal["paper", "laptop", "smoke"]


class TrainingError(RasplError):
    """Why a run can't go on, in one sentence for its user."""


class BusyError(TrainingError):
    """Another process is at work on the run."""


class Stopped(Exception):
    """The run was interrupted and saved."""


CONVERGED = 0.99
"""In-distribution exact match from which a run counts as trained to completion."""
RESULT = frozenset({"as_trained", "in_distribution", "tested", "overlap"})
"""What a run's result has at the least; one without was written by another version."""


def as_scale(text: str) -> Scale:
    for scale in get_args(Scale):
        if scale == text:
            return cast(Scale, scale)
    raise TrainingError(f"There is no scale {text!r}; there are {', '.join(get_args(Scale))}.")


def check_kind(name: str, kind: Any, value: object) -> None:
    """Numbers are numbers and choices are among those there are: values may come from a user."""
    choices = get_args(kind) if get_origin(kind) is Literal else ()
    if choices and value not in choices:
        raise TrainingError(f"{name} is one of {', '.join(choices)}, not {value!r}.")
    if (kind is int and not isinstance(value, int)) or (
        kind is float and not isinstance(value, int | float)
    ):
        whole = "a whole number" if kind is int else "a number"
        raise TrainingError(f"{name} must be {whole}, not {value!r}.")
    if isinstance(value, float) and not isfinite(value):
        raise TrainingError(f"{name} must be a number, not {value!r}.")
    if isinstance(value, tuple) and not all(isinstance(one, int) for one in value):
        raise TrainingError(f"{name} must be whole numbers, as in 20,30, not {value!r}.")


LEAST = {
    0: ("seed", "warmup", "decay", "clip", "matrix_rate", "spread", "final_rate", "test_examples"),
    1: (
        "max_length", "steps", "context", "batch", "layers", "heads", "width", "evaluate_every",
    ),
}  # fmt: skip
"""The least value of each field."""


MANY_SEEDS = 2**63


def digest_of_file(path: str) -> str:
    """By which an edited task is told from the one that a run was trained on."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise TrainingError(f"Can't read {path}: {error.strerror}.") from None


@dataclass(frozen=True)
class Configuration:
    task: str
    """A shipped task's name, or the path of a file that defines one."""
    max_length: int
    """The longest training example."""
    test_lengths: tuple[int, ...]
    """Lengths to test on, beside the longest training length."""
    scale: Scale
    """Which preset this started from; scales are never mixed in one plot."""
    steps: int
    context: int
    """Positions that the model has."""
    batch: int
    """Contexts in a step."""
    layers: int
    heads: int
    width: int
    rate: float
    """Learning rate at its highest."""
    final_rate: float
    """Learning rate at the end of the cosine schedule."""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    """The task's own parameters, such as the size of its alphabet."""
    train_on: str = "train"
    """The task's distribution to train on."""
    test_on: str = "default"
    """The distribution to test on; "default" is the task's own choice."""
    seed: int = 0
    warmup: int = 0
    """Steps over which the learning rate first rises."""
    decay: float = 0.0
    """Weight decay, on matrices only."""
    optimiser: OptimiserName = "adamw"
    """AdamW for all weights, or Muon for the matrices inside the blocks."""
    matrix_rate: float = 0.02
    """Muon's learning rate at its highest; it follows the same schedule."""
    spread: float = 0.02
    """Standard deviation of the initial weights; 0.02 is GPT-2's."""
    beta2: float = 0.95
    clip: float = 0.0
    """Greatest gradient norm; 0 for none."""
    positions: Positions = "learned"
    layout: Layout = "packed"
    """Contexts packed with examples end to end, or one example at a random offset."""
    loss: Loss = "all"
    """Next-token loss on all tokens, or on the answer and end token only."""
    test_examples: int = 0
    """Examples at each test length; 0 is the paper's 5 times the batch."""
    evaluate_every: int = 500
    """Steps between evaluations during training."""
    source: str = ""
    """Hash of a user's task file, so that an edited file is another run."""

    def __post_init__(self) -> None:
        for one in fields(self):
            check_kind(one.name, one.type, getattr(self, one.name))
        for least, names in LEAST.items():
            for name in names:
                if getattr(self, name) < least:
                    value = getattr(self, name)
                    raise TrainingError(f"{name} must be at least {least}, not {value}.")
        if self.rate <= 0:
            raise TrainingError(f"rate must be more than 0, not {self.rate}.")
        if not 0 <= self.beta2 < 1:
            raise TrainingError(f"beta2 must be from 0 to below 1, not {self.beta2}.")
        if self.seed >= MANY_SEEDS:
            raise TrainingError(f"seed must be below {MANY_SEEDS}, not {self.seed}.")
        if self.width % self.heads:
            raise TrainingError(f"A width of {self.width} can't be split over {self.heads} heads.")
        if self.positions == "rotary" and self.width // self.heads % 2:
            raise TrainingError("Rotary positions need an even width per head.")

    def build_task(self) -> Task:
        if self.source and self.source != digest_of_file(self.task):
            raise TrainingError(
                f"{self.task} was edited since this run was trained; bring its old text back, or "
                "train again."
            )
        return find(self.task, self.parameters)

    def judged_on(self, task: Task) -> str:
        """The distribution that the run is judged on."""
        return task.test_on if self.test_on == "default" else self.test_on

    @property
    def examples_per_test(self) -> int:
        return self.test_examples or 5 * self.batch

    @property
    def name(self) -> str:
        """Task and hash: the name of the run's folder."""
        text = json.dumps(self.as_json(), sort_keys=True)
        return f"{Path(self.task).stem}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "test_lengths": list(self.test_lengths)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Configuration":
        known = {one.name for one in fields(cls)}
        unknown = set(record) - known
        if unknown:
            raise TrainingError(f"A configuration has no field {sorted(unknown)[0]!r}.")
        return cls(**{**record, "test_lengths": tuple(record["test_lengths"])})
