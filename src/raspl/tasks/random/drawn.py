"""What a kind of random task draws."""

from dataclasses import dataclass

from raspl.tasks.examples import TaskError
from raspl.tasks.task import Task

LETTERS = "abcdefgh"
LONGEST = 160
"""The greatest length at which what a candidate does is looked at before training."""


class Unfit(TaskError):
    """Why a candidate makes no task."""


@dataclass(frozen=True)
class Drawn:
    """A random task, any string over whose letters is an input."""

    task: Task
    letters: str
    about: str
    """What it does, for people: source of a program, or a rule in words."""
