"""Everything that decides a run's numbers, in one flat record; its hash is the run's name."""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, FiniteFloat, ValidationError, model_validator

from raspl.errors import RasplError
from raspl.tasks import Scale, Task, find
from raspl.tasks.shipped import Value
from raspl.validated import Record, what_is_wrong
from raspl.words import file_name

Positions: TypeAlias = Literal["learned", "rotary", "none"]
Layout: TypeAlias = Literal["packed", "single"]
Offset: TypeAlias = Literal["random", "zero"]
Architecture: TypeAlias = Literal["transformer", "mlp"]
Loss: TypeAlias = Literal["all", "answer"]
OptimiserName: TypeAlias = Literal["adamw", "muon"]

Whole: TypeAlias = Annotated[int, Field(ge=1)]
NotNegative: TypeAlias = Annotated[FiniteFloat, Field(ge=0)]

NUMERICS = 1
"""Raised whenever the same configuration comes to give other numbers, so that the runs before and
after don't share a name."""
MANY_SEEDS = 2**63


class TrainingError(RasplError):
    """Why a run can't go on, in one sentence for its user."""


def digest_of_file(path: str) -> str:
    """By which an edited task is told from the one that a run was trained on."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise TrainingError(f"Can't read {path}: {error.strerror}.") from None


class Configuration(Record):
    """A run's recipe. A field with a default may be added without renaming any run."""

    task: str
    """A shipped task's name, or the path of a file that defines one."""
    max_length: Whole
    """The longest training example."""
    test_lengths: Annotated[tuple[int, ...], Field(strict=False)]
    """Lengths to test on, beside the longest training length."""
    scale: Scale
    """Which preset this started from; scales are never mixed in one plot."""
    steps: Whole
    context: Whole
    """Positions that the model has."""
    batch: Whole
    """Contexts in a step."""
    layers: Whole
    heads: Whole
    width: Whole
    learning_rate: Annotated[FiniteFloat, Field(gt=0)]
    """At its highest."""
    final_learning_rate: NotNegative
    """At the end of the cosine schedule."""
    parameters: dict[str, Value] = Field(default_factory=dict)
    """The task's own parameters, such as the size of its alphabet."""
    train_on: str = "train"
    """The task's distribution to train on."""
    test_on: str = "default"
    """The distribution to test on; "default" is the task's own choice."""
    seed: Annotated[int, Field(ge=0, lt=MANY_SEEDS)] = 0
    warmup: Annotated[int, Field(ge=0)] = 0
    """Steps over which the learning rate first rises."""
    weight_decay: NotNegative = 0.0
    """On matrices only."""
    optimiser: OptimiserName = "adamw"
    """AdamW for all weights, or Muon for the matrices inside the blocks."""
    matrix_learning_rate: NotNegative = 0.02
    """Muon's at its highest; it follows the same schedule."""
    init_std: NotNegative = 0.02
    """Standard deviation of the initial weights; 0.02 is GPT-2's."""
    beta2: Annotated[FiniteFloat, Field(ge=0, lt=1)] = 0.95
    grad_clip: NotNegative = 0.0
    """Greatest gradient norm; 0 for none."""
    positions: Positions = "learned"
    layout: Layout = "packed"
    """Contexts packed with examples end to end, or one example at a random offset."""
    offset: Offset = "random"
    """Where a single example begins in its context: anywhere, or always at position 0. Packed
    contexts begin anywhere in the stream of examples."""
    loss: Loss = "all"
    """Next-token loss on all tokens, or on the answer and end token only."""
    min_length: Annotated[int, Field(ge=0)] = 0
    """The shortest training example; 0 for the task's shortest."""
    architecture: Architecture = "transformer"
    """A decoder-only Transformer, or an MLP on the whole prefix to compare it with."""
    compared_with: str = ""
    """A shipped program, such as a shortcut, whose next tokens are compared with the model's beside
    the right ones."""
    test_examples: Annotated[int, Field(ge=0)] = 0
    """Examples at each test length; 0 is the paper's 5 times the batch."""
    evaluate_every: Whole = 500
    """Steps between evaluations during training."""
    source: str = ""
    """Hash of a user's task file, so that an edited file is another run."""

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise TrainingError(what_is_wrong(error)) from None

    @model_validator(mode="after")
    def _heads_fit(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"A width of {self.width} can't be split over {self.heads} heads.")
        if self.positions == "rotary" and self.width // self.heads % 2:
            raise ValueError("Rotary positions need an even width per head.")
        return self

    @model_validator(mode="after")
    def _data_fits(self) -> Self:
        if self.min_length > self.max_length:
            raise ValueError(
                f"min_length is {self.min_length}, more than max_length, {self.max_length}."
            )
        if self.layout == "packed" and self.offset == "zero":
            raise ValueError("Packed contexts begin anywhere: offset=zero needs layout=single.")
        if self.architecture == "mlp" and self.offset != "zero":
            raise ValueError("An MLP has weights for each position: it needs offset=zero.")
        return self

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
        """Task and hash, the name of the run's folder: of the fields that are not at their default,
        so that a new field renames nothing, and of the version of the numerics."""
        text = json.dumps({**self.as_json(), "numerics": NUMERICS}, sort_keys=True)
        task = Path(self.task).stem if self.task.endswith(".py") else file_name(self.task)
        return f"{task}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
