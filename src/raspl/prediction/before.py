"""Predictions of several tasks before their training, each in a process of its own.

A search may take gigabytes. In a process of its own it gives all of them back at its end, and if
the system ends it for want of memory, no other prediction is lost. (One pool with a process a task
would be shorter, but all its tasks fail together when one process is killed.)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from raspl.errors import RasplError
from raspl.prediction.predicting import predict
from raspl.prediction.prediction import Prediction
from raspl.prediction.sources import find_source
from raspl.prediction.store import store, stored
from raspl.synthesis import settings_for
from raspl.tasks.shipped import Value

KILLED = "the system ended the search, perhaps for want of memory."


class Request(NamedTuple):
    """What is to be predicted."""

    task: str
    parameters: Mapping[str, Value]
    scale: str


def predict_before(requests: Iterable[Request], folder: Path, budget: float) -> list[str]:
    """Predict and store what is not stored yet; sentences on what could not be predicted.

    Whoever calls this leaves out tasks whose training has begun: a prediction after the fact is
    none. Of several requests for one task and scale the first counts. The budget is seconds of
    search a task.
    """
    first: dict[tuple[str, str], Request] = {}
    for request in requests:
        first.setdefault((request.task, request.scale), request)
    wanted = [request for request in first.values() if stored(folder, *request) is None]
    sentences = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        predictions = pool.map(partial(_predict_apart, budget=budget), wanted)
        for request, prediction in zip(wanted, predictions, strict=True):
            if isinstance(prediction, Prediction):
                store(folder, prediction, request.scale)
            else:
                sentences.append(f"No prediction for {request.task}: {prediction}")
    return sentences


def _predict_apart(request: Request, budget: float) -> Prediction | str:
    """A prediction made in a process of its own, or a sentence on what went wrong."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        made = process.submit(_predict, request.task, dict(request.parameters), budget)
        try:
            return made.result()
        except BrokenExecutor:
            return KILLED


def _predict(task: str, parameters: Mapping[str, Value], budget: float) -> Prediction | str:
    try:
        source = find_source(task, parameters)
        return predict(source, settings_for(source, budget=budget))
    except RasplError as error:
        return str(error)
