"""The features of a forecast: a dozen numbers that anyone can check against the prediction.

They rest on the sampler and the solver alone: on what the search found and ruled out, and on what
changes an answer. No task's name, no program that ships with a task and nothing that the paper says
enters them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from raspl.prediction.prediction import JudgedProgram, Prediction

Features: TypeAlias = Mapping[str, float]
CONSTANT, EXHAUSTED = "constant", "exhausted"
FEATURES: Mapping[str, str] = MappingProxyType(
    {
        CONSTANT: "every task",
        "impossible": "no strict program of any size computes it",
        "program": "a strict program was found that is right beyond the training lengths",
        "cost": "log2 of one more than that program costs",
        "depth": "how many attention layers it needs",
        "positions": "every such program looks at positions",
        "gap": "by how much the cheapest shortcut is cheaper than that program",
        "letter only": "there is such a program by the letter of the rules, and no strict one",
        "only shortcuts": "programs were found, and all go wrong beyond the training lengths",
        EXHAUSTED: "the cost up to which every program was ruled out, where none was found",
        "answer length": "log2 of how many tokens must be right in one answer",
        "sensitivity": "prompt tokens that change an answer token when changed alone",
        "training length": "log2 of the longest training length",
    }
)
"""Each with what it says, in the order of the coefficients."""
FROM_THE_SEARCH = (
    "impossible",
    "program",
    "cost",
    "depth",
    "positions",
    "gap",
    "letter only",
    "only shortcuts",
    EXHAUSTED,
)
"""The others are known of every task."""
FOR, AGAINST = (
    ("program", "training length"),
    (
        "impossible",
        "cost",
        "depth",
        "positions",
        "gap",
        "only shortcuts",
        EXHAUSTED,
        "answer length",
        "sensitivity",
    ),
)
"""What can only speak for generalising, near and far, and what can only speak against it. A few
dozen tasks may suggest the opposite by chance, and a forecast would be wrong elsewhere for it."""
MOST_SENSITIVE = 10.0


def features_of(prediction: Prediction) -> Features:
    """The features of a task."""
    found = prediction.finds
    survivors = [one for one in found if one.survives]
    strict = [one for one in survivors if one.is_strict]
    program, shortcut = cheapest(strict), cheapest(one for one in found if not one.survives)
    of_program = dict.fromkeys(("program", "cost", "depth", "positions", "gap"), 0.0)
    if program is not None:
        of_program = {
            "program": 1.0,
            "cost": math.log2(1 + program.cost),
            "depth": float(program.measures["depth"]),
            "positions": float(all(one.positions for one in strict)),
            "gap": 0.0 if shortcut is None else float(max(0, program.cost - shortcut.cost)),
        }
    return {
        CONSTANT: 1.0,
        "impossible": float(prediction.impossible is not None),
        **of_program,
        "letter only": float(bool(survivors) and program is None),
        "only shortcuts": float(bool(found) and not survivors),
        EXHAUSTED: 0.0 if found else float(max(prediction.exhausted, 0)),
        "answer length": math.log2(max(prediction.answer_length or 1.0, 1.0)),
        "sensitivity": sensitivity(prediction),
        "training length": math.log2(prediction.trained_to),
    }


def cheapest(programs: Iterable[JudgedProgram]) -> JudgedProgram | None:
    return min(programs, key=lambda one: one.cost, default=None)


def sensitivity(prediction: Prediction) -> float:
    """At the longest training length."""
    measured = [one.sensitivity for one in prediction.rivals if one.sensitivity is not None]
    return min(measured[-1], MOST_SENSITIVE) if measured else 0.0
