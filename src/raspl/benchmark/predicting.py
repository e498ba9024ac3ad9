"""Predicting the tasks of a suite, each in a process of its own, in one order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import TypeAlias

from raspl.benchmark import random_suite
from raspl.benchmark.ledger import Entry, Ledger
from raspl.benchmark.pace import left_in_words
from raspl.benchmark.recipe import TRAINED_TO
from raspl.benchmark.suites import SuiteName, suite
from raspl.prediction import examine, find_source
from raspl.synthesis import settings_for
from raspl.tasks.shipped import Value

UNLIMITED = 3600.0
"""Seconds of a search. What ends it is its work, so that a prediction is the same anywhere."""
Say: TypeAlias = Callable[[str], None]
Request: TypeAlias = tuple[str, str, int, Mapping[str, Value]]
"""Family, task, longest training length, parameters of the task."""


def predict_suite(name: SuiteName, ledger: Ledger, workers: int, say: Say) -> None:
    """Predict the tasks of a suite that have not been predicted yet."""
    if name == "random":
        _predict_random(ledger, workers, say)
        return
    known = ledger.tasks()
    items = [item for item in suite(name) if item.task not in known]
    requests = [(item.family, item.task, item.trained_to, item.parameters) for item in items]
    began = time.monotonic()
    for number, entry in enumerate(_predicted(requests, workers), start=1):
        ledger.add(entry)
        left = left_in_words(number, len(requests), time.monotonic() - began)
        say(f"{name}: {number} of {len(requests)}, {entry.task}; {left}")


def _predict_random(ledger: Ledger, workers: int, say: Say) -> None:
    """Draw and predict, kind after kind, until its strata are full."""
    entries = list(ledger.entries())
    for kinds in random_suite.WANTED:
        for entry in _predicted(_wanted(kinds, entries), workers):
            ledger.add(entry)
            entries.append(entry)
            say(f"random: {progress_of(kinds, entries)}; {entry.task}")


def _wanted(kinds: tuple[str, ...], entries: Sequence[Entry]) -> Iterator[Request]:
    """Tasks of some kinds that have no entry yet, as long as there is room for them."""
    known = {entry.task for entry in entries}
    for task in random_suite.candidates(kinds):
        if random_suite.is_complete(kinds, entries):
            return
        if task not in known:
            yield f"random {random_suite.kind_of(task)}", task, TRAINED_TO, {}


def progress_of(kinds: tuple[str, ...], entries: Sequence[Entry]) -> str:
    """How many tasks of some kinds are predicted, and how many of which are still wanted."""
    tried, most = random_suite.tried(kinds, entries), random_suite.most_tried(kinds)
    missing = random_suite.missing(entries)
    left = [f"{missing[of]} of {of}" for of in random_suite.WANTED[kinds] if missing[of]]
    wanted = ", ".join(left) or "none"
    return f"{tried} of at most {most} ({' and '.join(kinds)}), still wanted: {wanted}"


def _predicted(requests: Iterable[Request], workers: int) -> Iterator[Entry]:
    """In the order of the requests, whichever is done first."""
    asked = iter(requests)
    with ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=1) as pool:
        under_way: list[Future[Entry]] = [
            pool.submit(predict_entry, *one) for one in islice(asked, workers)
        ]
        while under_way:
            yield under_way.pop(0).result()
            under_way += [pool.submit(predict_entry, *one) for one in islice(asked, 1)]


def predict_entry(
    family: str, task: str, trained_to: int, parameters: Mapping[str, Value]
) -> Entry:
    """A prediction of one task, trained to a length."""
    source = find_source(task, parameters)
    shortest, longest = source.lengths
    length = max(shortest, min(trained_to, longest or trained_to))
    made = examine(source, settings_for(source, length, budget=UNLIMITED))
    return Entry(family=family, task=task, prediction=made)
