"""Tasks: what a Transformer is asked to learn, with the distributions it learns from."""

from raspl.tasks.randomness import Purpose, stream
from raspl.tasks.registry import SHIPPED, find, parameters
from raspl.tasks.task import (
    END,
    FRAME,
    NOTHING,
    SEPARATOR,
    START,
    Bools,
    Examples,
    Ints,
    Task,
    TaskError,
    interleave,
    keep,
)

__all__ = [
    "END",
    "FRAME",
    "NOTHING",
    "SEPARATOR",
    "SHIPPED",
    "START",
    "Bools",
    "Examples",
    "Ints",
    "Purpose",
    "Task",
    "TaskError",
    "find",
    "interleave",
    "keep",
    "parameters",
    "stream",
]
