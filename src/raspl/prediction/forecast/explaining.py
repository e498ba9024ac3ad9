"""Why a forecast is what it is: what each feature added."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from raspl.prediction.forecast.features import CONSTANT, FEATURES, features_of
from raspl.prediction.prediction import Prediction
from raspl.prediction.wording import row


def explanation_lines(prediction: Prediction) -> Iterator[str]:
    """What each feature added to the log-odds by length, the weightiest first."""
    made, features = prediction.forecast, features_of(prediction)
    if made is None:
        return
    lengths = "".join(f"{ceil(d * prediction.trained_to):>7}" for d in made.probability)
    yield row("log-odds at", f"{lengths}   what a feature adds, and its value here")
    ordered = sorted(made.parts.items(), key=lambda part: -max(map(abs, part[1].values())))
    for name, by_distance in ordered:
        added = "".join(f"{value:>+7.1f}" for value in by_distance.values())
        value = "" if name == CONSTANT else f" ({features[name]:.3g})"
        yield row("", f"{added}   {name}{value}: {FEATURES[name]}")
    total = (sum(part[d] for part in made.parts.values()) for d in made.probability)
    yield row("together", "".join(f"{value:>+7.1f}" for value in total))
