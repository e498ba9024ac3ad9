"""What was predicted of each task of a suite, written down before its outcome was known.

FOLDER/SUITE.jsonl   a line for each task, in the order in which they were predicted

Lines are added. An outcome of our own names the hash of the line that came before it, so a later
change of a prediction shows, and is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from raspl.errors import RasplError
from raspl.prediction import Prediction
from raspl.validated import Record, what_is_wrong


class Entry(Record):
    """A task with its prediction."""

    family: str
    """What is fitted on some tasks of a family is not tested on others of it."""
    task: str
    prediction: Prediction

    @property
    def hash(self) -> str:
        """Of all that was predicted."""
        return hashlib.sha256(_text(self.prediction).encode()).hexdigest()


class Ledger:
    """The predictions of one suite."""

    def __init__(self, folder: Path, suite: str) -> None:
        self.path = folder / f"{suite}.jsonl"

    def entries(self) -> Iterator[Entry]:
        """In the order in which they were made."""
        if not self.path.exists():
            return
        for number, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), start=1):
            try:
                yield Entry.model_validate_json(line)
            except ValidationError as error:
                raise RasplError(
                    f"{self.path}, line {number}, is no prediction that this version reads: "
                    f"{what_is_wrong(error)}"
                ) from None

    def tasks(self) -> set[str]:
        return {entry.task for entry in self.entries()}

    def add(self, entry: Entry) -> None:
        """Write a prediction down, in one line at the end."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(entry.model_dump_json(exclude_unset=True) + "\n")


def _text(prediction: Prediction) -> str:
    return prediction.model_dump_json(exclude_unset=True)
