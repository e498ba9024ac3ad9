"""The features of a forecast: a dozen numbers that anyone can check against the evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from raspl.prediction.forecast.evidence import Candidate, Evidence

Features: TypeAlias = Mapping[str, float]
CONSTANT = "constant"
FEATURES: Mapping[str, str] = MappingProxyType(
    {
        CONSTANT: "every task",
        "impossible": "no program of any size computes it",
        "program": "a program was found that is right beyond the training lengths",
        "cost": "what that program costs",
        "positions": "every such program looks something up by position",
        "counts": "that program finds its keys by a count",
        "strict": "that program meets the strict rules",
        "gap": "by how much the cheapest shortcut is cheaper than that program",
        "only shortcuts": "programs were found, and all go wrong beyond the training lengths",
        "exhausted": "the cost up to which every program was ruled out, where none was found",
        "answer length": "tokens that must all be right, doublings",
        "sensitivity": "prompt tokens that change an answer token when changed alone",
    }
)
"""Each with what it says, in the order of the coefficients."""
MOST_SENSITIVE = 10.0


def features_of(evidence: Evidence) -> Features:
    """The features of a task."""
    found = (
        _without_program(evidence)
        if evidence.program is None
        else _of_program(evidence.program, evidence)
    )
    return {
        CONSTANT: 1.0,
        "impossible": float(evidence.impossible is not None),
        **found,
        "answer length": math.log2(max(evidence.answer_length, 1.0)),
        "sensitivity": min(evidence.sensitivity or 0.0, MOST_SENSITIVE),
    }


def _of_program(program: Candidate, evidence: Evidence) -> dict[str, float]:
    shortcut = evidence.shortcut
    return {
        "program": 1.0,
        "cost": float(program.cost),
        "positions": float(evidence.without_positions is None),
        "counts": float("count" in program.looks_by),
        "strict": float("strict" in program.disciplines),
        "gap": 0.0 if shortcut is None else float(max(0, program.cost - shortcut.cost)),
        "only shortcuts": 0.0,
        "exhausted": 0.0,
    }


def _without_program(evidence: Evidence) -> dict[str, float]:
    return {
        "program": 0.0,
        "cost": 0.0,
        "positions": 0.0,
        "counts": 0.0,
        "strict": 0.0,
        "gap": 0.0,
        "only shortcuts": float(evidence.shortcut is not None),
        "exhausted": float(max(evidence.exhausted, 0)),
    }
