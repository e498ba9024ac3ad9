"""Why a forecast is what it is: what each feature added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from raspl.prediction.forecast.features import CONSTANT, FEATURES, features_of
from raspl.prediction.prediction import Prediction
from raspl.prediction.wording import forecast_lengths, measure_lines, row

SHOWN = 0.005
"""What adds less is left out."""


def explanation_lines(prediction: Prediction) -> Iterator[str]:
    """What each feature added to the log-odds by length, the weightiest first."""
    made, features = prediction.forecast, features_of(prediction)
    if made is None:
        return
    lengths = {d: n for d, n in forecast_lengths(prediction, made).items() if n is not None}
    heads = "".join(f"{length:>7}" for length in lengths.values())
    yield row("log-odds at", f"{heads}   what a feature adds, and its value here")
    parts = {name: [part[d] for d in lengths] for name, part in made.parts.items()}
    for name, added in sorted(parts.items(), key=lambda part: -max(map(abs, part[1]), default=0)):
        if any(abs(value) >= SHOWN for value in added):
            value = "" if name == CONSTANT else f" ({features[name]:.3g})"
            yield row("", f"{_signed(added)}   {name}{value}: {FEATURES[name]}")
    yield row("together", _signed(sum(column) for column in zip(*parts.values(), strict=True)))
    yield from measure_lines(prediction)


def _signed(values: Iterable[float]) -> str:
    return "".join(f"{value:>+7.2f}" for value in values)
