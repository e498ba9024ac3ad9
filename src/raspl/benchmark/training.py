"""Training the tasks of a suite: two seeds each, by one recipe, once they have been predicted."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from raspl.benchmark.ledger import Entry
from raspl.benchmark.outcomes import SEEDS, Outcomes, harvest
from raspl.benchmark.pace import left_in_words
from raspl.benchmark.recipe import configuration
from raspl.fleet.status import Fleet, Watch

AT_ONCE = 16
"""Runs after which the finished ones are written down."""


def train_entries(
    entries: Sequence[Entry],
    outcomes: Outcomes,
    root: Path,
    fleet: Fleet,
    watch: Watch,
    say: Callable[[str], None],
) -> dict[str, str]:
    """Train what has no outcome yet, the first seed of all tasks first; why runs failed."""
    done = {(run.task, run.seed) for run in outcomes.runs()}
    left = [(e, seed) for seed in SEEDS for e in entries if (e.task, seed) not in done]
    failed: dict[str, str] = {}
    rest, tried, began = iter(left), 0, time.monotonic()
    while some := list(islice(rest, AT_ONCE)):
        outcome = fleet.run([configuration(entry.task, seed) for entry, seed in some], watch)
        failed |= outcome.failed
        outcomes.add(harvest([entry for entry, _ in some], root))
        tried += len(some)
        ahead = left_in_words(tried, len(left), time.monotonic() - began)
        given_up = f", {len(failed)} of them given up" if failed else ""
        say(f"{tried} of {len(left)} runs done{given_up}; {ahead}.")
    return failed
