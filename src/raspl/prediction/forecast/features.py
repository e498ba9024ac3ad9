"""The features of a forecast: a dozen numbers that anyone can check against the prediction.

They rest on the sampler and the solver alone: on what the search found and ruled out, and on what
changes an answer. No task's name, no program that ships with a task and nothing that the paper says
enters them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeAlias

from raspl.analysis.weighing import weighs
from raspl.language.parsing.module import check_module, parse_module
from raspl.language.source import Source
from raspl.prediction.prediction import JudgedProgram, Prediction
from raspl.prediction.rivals.order import order_dependence
from raspl.prediction.sources import find_source
from raspl.tasks import find
from raspl.tasks.shipped import Value

Features: TypeAlias = Mapping[str, float]
CONSTANT, EXHAUSTED = "constant", "exhausted"
FEATURES: Mapping[str, str] = MappingProxyType(
    {
        CONSTANT: "every task",
        "impossible": "no strict program of any size computes it",
        "program": "a strict program was found that is right beyond the training lengths",
        "cost": "log2 of one more than that program costs",
        "positions": "every such program that was found looks at positions",
        "letter only": "there is such a program by the letter of the rules, and no strict one",
        "only shortcuts": "programs were found, and all go wrong beyond the training lengths",
        EXHAUSTED: "the cost up to which every program was ruled out, where none was found",
        "answer length": "log2 of how many tokens or labels must be right in one example",
        "written": "log2 of how many tokens a model must write itself, where no program was found",
        "order": "of ten swaps of neighbours in the prompt, how many change an answer token, 2 at "
        "most, where no program was found",
        "sensitivity": "log2 of one more than the prompt tokens that change an answer token when "
        "changed alone, as if trained to length 12; 0 if a program was found that neither counts "
        "nor averages",
        "training length": "log2 of the longest training length",
    }
)
"""Each with what it says, in the order of the coefficients."""
FROM_THE_SEARCH = (
    "impossible",
    "program",
    "cost",
    "positions",
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
        "positions",
        "only shortcuts",
        EXHAUSTED,
        "answer length",
        "written",
        "order",
        "sensitivity",
    ),
)
"""What can only speak for generalising, near and far, and what can only speak against it. A few
dozen tasks may suggest the opposite by chance, and a forecast would be wrong elsewhere for it."""
MOST_SENSITIVE, USUALLY_SENSITIVE = 10.0, 2.0
MOST_ORDERED, USUALLY_ORDERED = 0.2, 0.1
"""What measures are cut off at, and what they are where a task's prompts can't be changed: about
the median of random tasks without a program."""
MEASURED_AT = 12
"""The sensitivity of a count to single tokens grows with the root of the length, so it is taken as
if training had been up to this length."""


def features_of(prediction: Prediction) -> Features:
    """The features of a task."""
    found = prediction.finds
    survivors = [one for one in found if one.survives]
    strict = [one for one in survivors if one.is_strict]
    program = min(strict, key=lambda one: one.cost, default=None)
    is_exact = any(not program_weighs(one) for one in strict)
    answer = math.log2(max(prediction.answer_length or 1.0, 1.0))
    return {
        CONSTANT: 1.0,
        "impossible": float(prediction.impossible is not None),
        "program": float(program is not None),
        "cost": 0.0 if program is None else math.log2(1 + program.cost),
        "positions": float(bool(strict) and all(one.positions for one in strict)),
        "letter only": float(bool(survivors) and program is None),
        "only shortcuts": float(bool(found) and not survivors),
        EXHAUSTED: 0.0 if found else float(max(prediction.exhausted, 0)),
        "answer length": answer,
        "written": 0.0 if strict or _is_labelled(prediction) else answer,
        "order": 0.0 if strict else 10 * _order(prediction),
        "sensitivity": 0.0 if is_exact else math.log2(1 + _sensitivity(prediction)),
        "training length": math.log2(prediction.trained_to),
    }


def measured_sensitivity(prediction: Prediction) -> float | None:
    """At the longest training length."""
    return prediction.rivals[-1].sensitivity if prediction.rivals else None


def _sensitivity(prediction: Prediction) -> float:
    measured = measured_sensitivity(prediction)
    if measured is None:
        return USUALLY_SENSITIVE
    return min(measured * math.sqrt(MEASURED_AT / prediction.trained_to), MOST_SENSITIVE)


def _order(prediction: Prediction) -> float:
    """At the longest training length, also of a prediction from before this was kept."""
    measured = prediction.rivals[-1] if prediction.rivals else None
    share = None if measured is None else measured.order
    if measured is not None and "order" not in measured.model_fields_set:
        share = _order_anew(prediction.task, tuple(prediction.parameters.items()), measured.length)
    return min(USUALLY_ORDERED if share is None else share, MOST_ORDERED)


@cache
def _order_anew(task: str, parameters: tuple[tuple[str, Value], ...], length: int) -> float | None:
    return order_dependence(find_source(task, dict(parameters)), length)


def program_weighs(program: JudgedProgram) -> bool:
    """Whether it counts or averages, also of one that was found before this was kept."""
    if program.weighs is not None:
        return program.weighs
    *_, graph = check_module(parse_module(Source(program.source))).values()
    return weighs(graph)


def _is_labelled(prediction: Prediction) -> bool:
    if prediction.labelled is not None:
        return prediction.labelled
    return find(prediction.task).is_labelled
