"""Predictions made before training, from a task's sampler and solver."""

from raspl.prediction.predicting import examine, predict, settings_of
from raspl.prediction.prediction import Prediction
from raspl.prediction.sources import find_source
from raspl.prediction.store import read, write

__all__ = ["Prediction", "examine", "find_source", "predict", "read", "settings_of", "write"]
