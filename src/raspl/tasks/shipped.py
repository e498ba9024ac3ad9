"""What a task's folder declares: the task, where training starts at each scale, the paper's facts.

A folder `tasks/FAMILY/` holds `task.py` with a tuple `TASKS` of these declarations, and in
`programs/` the RASP-L programs. Four rules of naming tie them together:

    programs/NAME.py           the next-token program of the task NAME, in the training frame
    programs/NAME_paper.py     the same algorithm in the paper's own format
    programs/shortcuts/…       programs that fit too little data of a task: wrong on other lengths
    programs/illegal/NAME.py   an attempt that breaks the rules, kept for what its diagnostics teach
"""

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

from raspl.tasks.task import Task, TaskError

Value: TypeAlias = int | float | str | bool
"""A parameter of a task."""
Fields: TypeAlias = Mapping[str, Any]
"""Fields of a run's configuration, and parameters of its task."""
Scale: TypeAlias = Literal["paper", "desk", "laptop", "smoke"]
"""How large runs are; scales are never mixed in one plot."""
SCALES: tuple[Scale, ...] = get_args(Scale)


def as_scale(text: str) -> Scale:
    """A scale by its name, which a user may have mistyped."""
    if text not in SCALES:
        raise TaskError(f"There is no scale {text!r}; there are {', '.join(SCALES)}.")
    return text


@dataclass(frozen=True)
class Preset:
    """Where a run starts at one scale, and the lengths at which studies look."""

    fields: Fields
    trained: tuple[int, ...] = ()
    """Longest training lengths of studies that vary it; if empty, shares of `max_length`."""
    tested: tuple[int, ...] = ()
    """Test lengths of studies, the one that all are compared at first; if empty, a quarter more
    than `max_length`, and `test_lengths`."""
    curves_at: int | None = None
    """The training length of studies that compare training curves; else `max_length`."""


LAPTOP: Fields = MappingProxyType(
    {
        "layers": 2, "heads": 4, "width": 64, "steps": 2000, "context": 64, "batch": 32,
        "optimiser": "muon", "learning_rate": 3e-3, "final_learning_rate": 1e-5, "warmup": 100,
        "weight_decay": 0.1, "grad_clip": 1.0, "max_length": 15, "test_lengths": (19,),
        "test_examples": 500, "evaluate_every": 250,
    }
)  # fmt: skip
"""Found by measuring on one core (docs/presets.md says what was tried)."""

ALONE: Fields = MappingProxyType({"layout": "single", "loss": "answer", "batch": 64})
"""One example a context at a random offset, only its answer learned: what copying needs to form
its induction head in minutes. The context is far longer than the example, or the model learns
where the answer stands instead of what it is."""

DESK: Fields = MappingProxyType(
    {**LAPTOP, **ALONE, "max_length": 40, "test_lengths": (50,), "context": 256}
)
"""The paper's lengths with the laptop's model and optimiser; alphabets are the tasks' own, which
are the paper's."""

SMOKE: Fields = MappingProxyType(
    {
        "layers": 1, "heads": 2, "width": 16, "steps": 20, "context": 32, "batch": 4,
        "optimiser": "muon", "learning_rate": 3e-3, "final_learning_rate": 1e-5, "max_length": 4,
        "test_lengths": (5,), "test_examples": 20, "evaluate_every": 10,
    }
)  # fmt: skip
"""Shows that everything works, and nothing else."""

PAPER: Fields = MappingProxyType({"max_length": 40, "test_lengths": (50,)})
"""The lengths of the paper's table."""


def on_a_laptop(**changes: Any) -> Preset:
    """The laptop's starting point with changes; packed contexts, loss on all tokens."""
    return Preset({**LAPTOP, **changes})


def alone(**changes: Any) -> Preset:
    """The same with one example a context."""
    return Preset({**LAPTOP, **ALONE, **changes})


def at_a_desk(
    trained: tuple[int, ...] = (),
    tested: tuple[int, ...] = (),
    curves_at: int | None = None,
    **changes: Any,
) -> Preset:
    """The desk's starting point with changes: one example a context, at the paper's lengths."""
    return Preset({**DESK, **changes}, trained, tested, curves_at)


DEFAULTS: Mapping[Scale, Preset] = MappingProxyType(
    {"desk": at_a_desk(), "laptop": alone(), "smoke": Preset(SMOKE)}
)
"""For scales about which a task says nothing; the paper's can't be guessed."""


@dataclass(frozen=True)
class ShippedTask:
    """The declaration of one task."""

    name: str
    make: Callable[..., Task]
    """Builds the task; its keywords, less the `fixed` ones, are parameters a user may set."""
    fixed: Mapping[str, Value] = field(default_factory=dict)
    """Keywords that single out this format among those of its family."""
    presets: Mapping[Scale, Preset] = field(default_factory=dict)
    other_presets: Mapping[str, Mapping[Scale, Preset]] = field(default_factory=dict)
    """By name: for runs on other data than usual."""
    length_parameter: str | None = None
    """The parameter that sets its one length, if it has only one."""
    paper_exact_match: str = ""
    """What the paper's first table says of it."""
    paper_alphabet: tuple[int, ...] = ()
    """The tokens of the program NAME_paper."""
    place: int = 99
    """Where it stands in lists: the paper's tasks first, those with a program before the others."""
    folder: Path = field(init=False)

    def __post_init__(self) -> None:
        module = sys.modules[self.make.__module__]
        assert module.__file__ is not None
        object.__setattr__(self, "folder", Path(module.__file__).parent)

    @property
    def program(self) -> Path | None:
        """The RASP-L source of its program, if it has one."""
        path = self.folder / "programs" / f"{self.name}.py"
        return path if path.is_file() else None

    @property
    def parameters(self) -> dict[str, Value]:
        """What can be set, with the paper's values."""
        known = inspect.signature(self.make).parameters
        return {key: known[key].default for key in known if key not in self.fixed}

    @property
    def is_of_the_paper(self) -> bool:
        return "paper" in self.presets

    def build(self, **values: Value) -> Task:
        task = self.make(**self.fixed, **values)
        # The programs wait for the separator.
        return replace(task, name=self.name, program=self.program if task.separator else None)

    def preset(self, scale: Scale) -> Preset:
        chosen = self.presets.get(scale) or DEFAULTS.get(scale)
        if chosen is None:
            raise TaskError(f"The paper has no task {self.name!r}; use --scale laptop.")
        return chosen
