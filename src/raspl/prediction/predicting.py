"""Will a Transformer that is trained on short examples of a task get long ones right?

The verdict follows the paper's conjecture, made before any training: a program must exist
(realizability), be short in RASP-L (simplicity), and be the shortest that fits the training data
(diversity). It is what the conjecture says, not what is true: see the docs for where they differ.

If a program meets the letter of the language but not its strict reading (see `Reading`), and the
two lead to different verdicts, the verdict is "unknown".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime

from raspl.prediction.impossibility import pumped
from raspl.prediction.prediction import STRICT, Judgement, Prediction, Reading
from raspl.prediction.rivals.sensitivity import rival_measures
from raspl.prediction.sources import TaskSource
from raspl.prediction.survival import longer_lengths
from raspl.prediction.verdict import impossible, judge
from raspl.synthesis import Progress, Settings, search
from raspl.synthesis.examples import KnownSource
from raspl.tasks.generalisation import GENERALISES


def predict(
    source: KnownSource, settings: Settings, watch: Callable[[Progress], None] | None = None
) -> Prediction:
    """Search a task's training lengths and say what the conjecture makes of it.

    A task that no program of any size computes needs no search.
    """
    beyond = pumped(source, settings.seed)
    readings: dict[Reading, Judgement] = {}
    if beyond is None:
        readings.update(_searched(source, settings, watch))
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
        looked_at=tuple(longer_lengths(source, settings.max_length)),
        threshold=GENERALISES,
        rivals=tuple(rival_measures(source, length, settings.seed) for length in lengths),
        settings=asdict(settings),
    )


def _searched(
    source: KnownSource, settings: Settings, watch: Callable[[Progress], None] | None
) -> dict[Reading, Judgement]:
    result = search(source, settings, watch)
    readings: dict[Reading, Judgement] = {settings.rules: judge(source, result)}
    if result.finds and STRICT not in result.finds[0].disciplines:
        strict = search(source, replace(settings, rules="strict"), watch)
        readings[STRICT] = judge(source, strict)
    return readings
