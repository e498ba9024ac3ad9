"""What a sweep leaves: every configuration that was tried, with its scores and its cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeAlias

from pydantic import Field, ValidationError

from raspl.errors import RasplError
from raspl.files import write_text
from raspl.tasks import Scale
from raspl.tasks.generalisation import CONVERGED
from raspl.training.configuration import Configuration, TrainingError
from raspl.validated import Record
from raspl.words import percent

State: TypeAlias = Literal["done", "stopped", "unfinished", "failed"]
"""Trained to the end; stopped as others did better; out of budget; can't be trained."""


class Tried(Record):
    """One configuration of a sweep."""

    varied: dict[str, Any]
    """The fields that the sweep varies."""
    config: Configuration
    state: State
    step: int
    """The last step that was evaluated."""
    longest: float = 0.0
    """Exact match in distribution at the longest training length, at that step."""
    as_trained: float | None = None
    """Exact match on examples of all training lengths; at the end only."""
    tested: dict[int, float] = Field(default_factory=dict)
    """Exact match by test length, at that step: for a reader, no part in what is stopped."""
    core_minutes: float = 0.0
    """Processor time, evaluations included."""
    curve: tuple[tuple[int, float], ...] = ()
    """`longest` by step."""


class Log(Record):
    name: str
    task: str
    scale: Scale
    fixed: dict[str, Any]
    """What was set otherwise than in the preset, in all of them."""
    varied: tuple[str, ...]
    """Fields with the values or ranges that were tried, as they are written on the command line."""
    tried: tuple[Tried, ...]

    def ranked(self) -> list[Tried]:
        """By what was learned, then by speed: the cheapest of those that converged come first."""
        return sorted(self.tried, key=rank)

    @property
    def core_minutes(self) -> float:
        return sum(one.core_minutes for one in self.tried)

    @property
    def title(self) -> str:
        """What was swept, with what all of it has in common even if that was not set."""
        common = {
            name: values.pop()
            for name in ("max_length", "steps", "context")
            if len(values := {getattr(one.config, name) for one in self.tried}) == 1
        }
        told = "".join(f", {key}={value}" for key, value in {**common, **self.fixed}.items())
        return f"{self.task} at {self.scale} scale{told}; varied: {' '.join(self.varied)}"


def rank(one: Tried) -> tuple[bool, float, bool, float]:
    """For sorting. A fitted run is better than any other, and of those alike a finished one."""
    fitted = (one.as_trained or 0.0) >= CONVERGED
    return not fitted, 0.0 if fitted else -one.longest, one.state != "done", one.core_minutes


def write(log: Log, path: Path) -> None:
    write_text(path, log.model_dump_json(exclude_defaults=True) + "\n")


def read(path: Path) -> Log:
    try:
        return Log.model_validate_json(path.read_bytes())
    except OSError as error:
        raise RasplError(f"Can't read {path}: {error.strerror}.") from None
    except (ValidationError, TrainingError):
        raise RasplError(f"{path} is no log of a sweep, or of another version.") from None


def header(log: Log) -> list[str]:
    return [
        *(text.partition("=")[0] for text in log.varied),
        "state", "at the longest", "all lengths", "beyond", "core-minutes",
    ]  # fmt: skip


def row(one: Tried) -> list[str]:
    """In the order of `header`."""
    reached = f" at step {one.step:,}" if one.step else " before its first evaluation"
    state = one.state if one.state in ("done", "failed") else one.state + reached
    return [
        *map(str, one.varied.values()),
        state,
        f"{percent(one.longest)} at {one.config.max_length}" if one.step else "–",
        "–" if one.as_trained is None else percent(one.as_trained),
        ", ".join(f"{percent(share)} at {length}" for length, share in one.tested.items()) or "–",
        f"{one.core_minutes:.1f}",
    ]


def markdown(log: Log) -> str:
    """The table for a page, the best first."""
    lines = [header(log), ["---"] * len(header(log)), *map(row, log.ranked())]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
