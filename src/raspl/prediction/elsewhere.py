"""A search on another core, begun before it is known whether it will be needed.

A search ends by its work, so where it runs does not change what it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeAlias

from raspl.errors import RasplError
from raspl.prediction.sources import find_source
from raspl.synthesis import Progress, Result, Settings, search
from raspl.synthesis.examples import KnownSource
from raspl.tasks.shipped import Value

Waiting: TypeAlias = Callable[[float], Result]
"""What a search gives, within so many seconds from now."""
Begin: TypeAlias = Callable[[Settings], Waiting]
Watch: TypeAlias = Callable[[Progress], None] | None
Search: TypeAlias = Callable[[KnownSource, Settings, Watch], Result]


def here(source: KnownSource, watch: Watch, search: Search) -> Begin:
    """Searches in this process, each when its result is wanted."""

    def begin(settings: Settings) -> Waiting:
        return lambda left: search(source, replace(settings, budget=left), watch)

    return begin


@contextmanager
def elsewhere(task: str, parameters: Mapping[str, Value]) -> Iterator[Begin]:
    """Searches in processes of their own, which begin at once and end with the context.

    A task's functions can't be sent to a process, so it is found again there by its name.
    """
    context = get_context("spawn")
    processes = []

    def begin(settings: Settings) -> Waiting:
        ours, theirs = context.Pipe(duplex=False)
        arguments = (theirs, task, dict(parameters), settings)
        process = context.Process(target=_send_result, args=arguments, daemon=True)
        process.start()
        processes.append(process)
        theirs.close()
        return lambda left: _received(ours, left)

    try:
        yield begin
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _received(ours: Connection, left: float) -> Result:
    try:
        # It keeps its own time. What it is given beyond that is for a machine that is busy.
        if ours.poll(2 * left + 10):
            result: Result = ours.recv()
            return result
    except EOFError:
        pass
    raise RasplError("A search in a second process ended early: try again with --workers 1.")


def _send_result(
    theirs: Connection, task: str, parameters: Mapping[str, Value], settings: Settings
) -> None:
    theirs.send(search(find_source(task, parameters), settings))
