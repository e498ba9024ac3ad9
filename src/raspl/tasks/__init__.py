"""Tasks: what a Transformer is asked to learn, with the distributions it learns from."""

from raspl.tasks.examples import (
    END,
    FRAME,
    NOTHING,
    SEPARATOR,
    START,
    Bools,
    Examples,
    Ints,
    TaskError,
    interleave,
    keep,
)
from raspl.tasks.languages import language
from raspl.tasks.randomness import Purpose, stream
from raspl.tasks.registry import SHIPPED, find, parameters, preset
from raspl.tasks.shipped import Preset, Scale, ShippedTask
from raspl.tasks.task import Task

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
    "Preset",
    "Purpose",
    "Scale",
    "ShippedTask",
    "Task",
    "TaskError",
    "find",
    "interleave",
    "keep",
    "language",
    "parameters",
    "preset",
    "stream",
]
