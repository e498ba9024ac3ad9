"""Will a Transformer that is trained on short examples of a task get long ones right?

The verdict follows the paper's conjecture, made before any training: a program must exist
(realizability), be short in RASP-L (simplicity), and be the shortest that fits the training data
(diversity). It is what the conjecture says, not what is true: see the docs for where they differ.

If a program meets the letter of the language but not its strict reading (see `Reading`), and the
two lead to different verdicts, the verdict is "unknown".
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from raspl.prediction.elsewhere import Begin, Search, Watch, here
from raspl.prediction.forecast.forecast import forecast
from raspl.prediction.impossibility import pumped
from raspl.prediction.prediction import (
    FOUND,
    STRICT,
    JudgedProgram,
    Judgement,
    Prediction,
    Reading,
)
from raspl.prediction.rivals.sensitivity import rival_measures
from raspl.prediction.sources import TaskSource
from raspl.prediction.survival import examples_at, longer_lengths
from raspl.prediction.verdict import impossible, judge
from raspl.synthesis import Settings, search, settings_for
from raspl.synthesis.engine import SHALLOW
from raspl.synthesis.examples import KnownSource
from raspl.tasks.generalisation import GENERALISES

SOME = 20
"""Examples that tell how long answers are."""
LEAST_HIDDEN = 3
"""A program without positions may cost this, however cheap those with positions are."""
PART = 4
"""The search for it may take this part of the work."""
USUAL_LENGTH = 12
"""The longest training length if none is given: that of the runs that forecasts were fitted to."""


def settings_of(source: KnownSource, max_length: int | None = None, **others: Any) -> Settings:
    """Those of a search, alone or behind a prediction; without a length the usual one, or the
    nearest that the task has."""
    shortest, longest = source.lengths
    usual = max(shortest, min(USUAL_LENGTH, longest or USUAL_LENGTH))
    return settings_for(source, max_length or usual, **others)


def predict(
    source: KnownSource,
    settings: Settings,
    watch: Watch = None,
    begin: Begin | None = None,
    search: Search = search,
) -> Prediction:
    """Search a task's training lengths, say what the conjecture makes of it, and forecast."""
    made = examine(source, settings, watch, begin, search)
    return made.replace(forecast=forecast(made))


def examine(
    source: KnownSource,
    settings: Settings,
    watch: Watch = None,
    begin: Begin | None = None,
    search: Search = search,
) -> Prediction:
    """All that a forecast rests on. A task that no program of any size computes needs no search.

    `begin` says where a second search runs that may not be needed: here and later, if not given.
    `search` may be one that knows what was searched before.
    """
    began = time.monotonic()
    beyond = pumped(source, settings.seed)
    readings: dict[Reading, Judgement] = {}
    if beyond is None:
        where = begin or here(source, watch, search)
        readings.update(_searched(source, settings, watch, where, search))
    else:
        readings[settings.rules] = impossible(beyond)
    verdicts = {one.verdict for one in readings.values()}
    agreed = verdicts.pop() if len(verdicts) == 1 else None
    lowest = settings.min_length or source.lengths[0]
    lengths = sorted({lowest, settings.max_length})
    return Prediction(
        task=source.name,
        parameters=dict(source.parameters) if isinstance(source, TaskSource) else {},
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        verdict=agreed or "unknown",
        rules=settings.rules,
        readings=readings,
        trained_from=lowest,
        trained_to=settings.max_length,
        longest=None if _is_built_for_a_length(source) else source.lengths[1],
        looked_at=tuple(longer_lengths(source, settings.max_length)),
        threshold=GENERALISES,
        impossible=None if beyond is None else beyond.sentence,
        answer_length=answer_length(source, settings.max_length, settings.seed),
        labelled=source.asks_everywhere,
        rivals=tuple(rival_measures(source, length, settings.seed) for length in lengths),
        settings=asdict(settings),
        seconds=round(time.monotonic() - began, 2),
    )


def _searched(
    source: KnownSource,
    settings: Settings,
    watch: Watch,
    begin: Begin,
    search: Search,
) -> dict[Reading, Judgement]:
    """Up to four searches, which share the time that there is for one."""
    began = time.monotonic()

    def left() -> float:
        return max(0.0, settings.budget - (time.monotonic() - began))

    lengths = longer_lengths(source, settings.max_length)
    longer = _longer(settings, lengths)
    more = None if longer is None else begin(longer)
    beyond = examples_at(source, lengths)
    result = search(source, settings, watch)
    judged = judge(source, result, beyond)
    # What comes with the task has no say in how far the search goes.
    finds = (one for one in judged.programs if one.origin == FOUND)
    settled = any(one.survives and one.is_strict and not one.positions for one in finds)
    if more is not None and not settled:
        result = result.with_finds_of(more(left()))
        judged = judge(source, result, beyond)
    free = hidden(settings, judged.programs)
    if free is not None:
        result = result.with_finds_of(search(source, replace(free, budget=left()), watch))
        judged = judge(source, result, beyond)
    readings: dict[Reading, Judgement] = {settings.rules: judged}
    if result.finds and STRICT not in result.finds[0].disciplines:
        strict = search(source, replace(settings, rules="strict", budget=left()), watch)
        readings[STRICT] = judge(source, strict, beyond)
    return readings


def _longer(settings: Settings, lengths: Sequence[int]) -> Settings | None:
    """Of a search for programs for examples beyond the training lengths, which fit those of the
    training lengths too, since these are among them.

    Whether there is a program at all is a question about all lengths. On the training lengths
    alone a table that remembers them may be cheaper, and hide it.
    """
    if not lengths or lengths[0] <= settings.max_length or settings.min_length is not None:
        return None
    return replace(settings, max_length=lengths[0], max_cost=SHALLOW, rules="strict")


def hidden(settings: Settings, programs: Iterable[JudgedProgram]) -> Settings | None:
    """Of a search for a program without positions, where all that survive look at them.

    A search ends with enough programs of a cost, of whatever kind. Another that is about as cheap
    and looks at no position may stand behind them, and it would carry further.
    """
    strict = [one for one in programs if one.origin == FOUND and one.survives and one.is_strict]
    if not settings.positions or not strict or not all(one.positions for one in strict):
        return None
    cost = max(min(one.cost for one in strict), LEAST_HIDDEN)
    return replace(
        settings,
        positions=False,
        rules="strict",
        deep=False,
        stop_at_first=True,
        max_cost=min(cost, settings.max_cost),
        work=settings.work // PART,
    )


def _is_built_for_a_length(source: KnownSource) -> bool:
    return isinstance(source, TaskSource) and source.length_parameter is not None


def answer_length(source: KnownSource, length: int, seed: int) -> float:
    """How many outputs an example of a length asks for, on average."""
    examples = source.draw(np.random.default_rng((seed, 5)), [length] * SOME)
    return float(np.mean([sum(one is not None for one in example.wanted) for example in examples]))
