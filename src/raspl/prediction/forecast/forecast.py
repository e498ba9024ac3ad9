"""A forecast: how likely a task generalises at each distance, and how far it reaches."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from raspl.prediction.forecast.features import FEATURES, features_of
from raspl.prediction.forecast.model import DISTANCES, Model
from raspl.prediction.prediction import Forecast, Prediction

MODEL = "model.json"
LIKELY = 0.5
UNBOUNDED = 1 << 30


@cache
def shipped_model() -> Model:
    """The coefficients that come with raspl, and what they were fitted on."""
    text = files("raspl.prediction.forecast").joinpath(MODEL).read_text(encoding="utf-8")
    return Model.model_validate_json(text)


def forecast(prediction: Prediction, model: Model | None = None) -> Forecast:
    """What a model makes of what was found."""
    model = model or shipped_model()
    features = features_of(prediction)
    return Forecast(
        probability=model.probabilities(features),
        reach=_reach(prediction, model),
        parts={
            name: {d: model.parts(features, d)[name] for d in DISTANCES}
            for name in FEATURES
            if features[name]
        },
    )


def _reach(prediction: Prediction, model: Model) -> int:
    features, longest = features_of(prediction), prediction.trained_to
    most = min(int(DISTANCES[-1] * longest), prediction.longest or UNBOUNDED)
    lengths = range(longest + 1, most + 1)
    likely = (
        length
        for length in reversed(lengths)
        if model.probability(features, length / longest) >= LIKELY
    )
    return next(likely, longest)
