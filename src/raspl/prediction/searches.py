"""Finished searches, kept so that no command has to repeat one.

ROOT/searches/TASK-FINGERPRINT.json   one search; the fingerprint is a hash of all that its result
                                      depends on: examples, settings, the code of the search

The time that a search may take is no part of the question. What the clock or the user ended is not
kept, since another run may find more or less.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from raspl.files import write_text
from raspl.prediction.elsewhere import Begin, Waiting
from raspl.prediction.kept_search import DoesNotFit, KeptSearch, kept, restored
from raspl.synthesis import Progress, Result, Settings
from raspl.synthesis.engine import answer
from raspl.synthesis.examples import ExampleSource
from raspl.synthesis.question import Question, question_of
from raspl.validated import what_is_wrong
from raspl.words import counted, duration, file_name

MOST = 200
"""Searches that are kept, of some ten kilobytes each; those that were not used for longest go."""
ROOMS = ("synthesis", "language", "analysis", "executors")
"""The code that decides what a search finds: it and all that it may import."""
DIGITS = 16


class Searches:
    """The searches that are kept where runs are, and what was reused of them."""

    def __init__(self, root: Path, say: Callable[[str], None], fresh: bool = False) -> None:
        """`say` is told what can't be read or written; `fresh` leaves aside what is there."""
        self._folder, self._say, self._fresh = root / "searches", say, fresh
        self._seconds: list[float] = []

    def search(
        self,
        source: ExampleSource,
        settings: Settings,
        watch: Callable[[Progress], None] | None = None,
    ) -> Result:
        """What `synthesis.search` gives, from before if it was asked the same."""
        question = question_of(source, settings)
        found = self._find(question)
        return self._keep(question, answer(question, watch)) if found is None else self._used(found)

    def ahead(self, source: ExampleSource, begin: Begin) -> Begin:
        """Begins searches that may not be needed, unless their results are there."""

        def begin_or_find(settings: Settings) -> Waiting:
            question = question_of(source, settings)
            found = self._find(question)
            if found is not None:
                return lambda left: self._used(found)
            waiting = begin(settings)
            return lambda left: self._keep(question, waiting(left))

        return begin_or_find

    def reused(self) -> str | None:
        """A line on what was not searched again; None if everything was searched."""
        if not self._seconds:
            return None
        results, took = counted(len(self._seconds), "result"), duration(sum(self._seconds))
        return (
            f"searched before: {results} from {self._folder} ({took} of search); "
            "--fresh searches again"
        )

    def _used(self, result: Result) -> Result:
        self._seconds.append(result.seconds)
        return result

    def _path(self, question: Question) -> Path:
        task, mark = file_name(question.name), fingerprint(question)[:DIGITS]
        return self._folder / f"{task}-{mark}.json"

    def _find(self, question: Question) -> Result | None:
        path = self._path(question)
        if self._fresh or not path.is_file():
            return None
        try:
            record = KeptSearch.model_validate_json(path.read_bytes())
            if record.question != fingerprint(question):
                raise DoesNotFit("it answers another question.")
            found = restored(record, question)
        except (ValidationError, DoesNotFit, OSError) as error:
            why = what_is_wrong(error) if isinstance(error, ValidationError) else error
            self._say(f"{path} can't be used, so the search is done again: {why}")
            return None
        with suppress(OSError):
            os.utime(path)  # it is the last to go now
        return found

    def _keep(self, question: Question, result: Result) -> Result:
        if result.is_out_of_time:
            return result
        record = kept(fingerprint(question), result)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_text(self._path(question), record.model_dump_json(exclude_defaults=True) + "\n")
            self._forget()
        except OSError as error:
            why = (error.strerror or "it failed").lower()
            self._say(f"The search is not kept for another time: {self._folder}: {why}.")
        return result

    def _forget(self) -> None:
        """Remove what was not used for longest."""
        files = sorted(self._folder.glob("*.json"), key=_used_at, reverse=True)
        for path in files[MOST:]:
            path.unlink(missing_ok=True)


def fingerprint(question: Question) -> str:
    """A hash of all that the answer to a question depends on."""
    settings = {name: one for name, one in asdict(question.settings).items() if name != "budget"}
    shown = [[[e.tokens, e.wanted] for e in some] for some in (question.examples, question.held_in)]
    asked = [version(), settings, question.literals, shown]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


@cache
def version() -> str:
    """A hash of the code of the search, which nobody has to remember to raise."""
    found = hashlib.sha256(np.__version__.encode())
    package = Path(__file__).parents[1]
    for path in sorted(path for room in ROOMS for path in (package / room).rglob("*.py")):
        found.update(f"\n{path.relative_to(package).as_posix()}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def _used_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another command has just removed it
        return 0.0
