"""A run on disk: a folder named by its configuration's hash.

    config.json              everything that decides the numbers
    metrics.jsonl            loss and scores as they come; the same bytes however often interrupted
    cost.jsonl               wall-clock time and speed of each sitting (these differ)
    checkpoint-N.safetensors weights, optimiser state and metrics after N steps; the last two
    weights.safetensors      the trained model, with its metrics
    result.json              scores at the end

A checkpoint holds the metrics too, so it alone is enough to go on, and no two files can disagree.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from torch import Tensor

from raspl.runs.files import (
    DamagedError,
    read_record,
    read_tensors,
    write_record,
    write_tensors,
    write_whole,
)
from raspl.training.configuration import RESULT, BusyError, Configuration, TrainingError
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser

KEPT = 2
"""Checkpoints kept: if the newest is damaged, the one before it serves."""

Metrics = list[dict[str, Any]]
Say = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    config: Configuration
    folder: Path

    @classmethod
    def under(cls, root: Path, config: Configuration) -> "Run":
        return cls(config, root / config.name)

    @classmethod
    def at(cls, folder: Path) -> "Run":
        """An existing run, from its folder."""
        try:
            record = read_record(folder / "config.json")
        except (FileNotFoundError, NotADirectoryError):
            raise TrainingError(f"{folder} is not a run: it has no config.json.") from None
        except DamagedError as damaged:
            raise TrainingError(f"{damaged} is damaged; train the run again to mend it.") from None
        return cls(Configuration.from_json(record), folder)

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Hold the folder against other processes; the system frees it when this one ends."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / "lock", timeout=0)
            lock.acquire()
        except Timeout:
            raise BusyError(
                f"Another process is working on {self.folder}; this one leaves it alone."
            ) from None
        except OSError as error:
            raise TrainingError(f"Can't write in {self.folder}: {error.strerror}.") from error
        try:
            yield
        finally:
            lock.release()

    def open(self, say: Say) -> None:
        """Clear what a killed process left half written; write the configuration, or mend it."""
        for left in self.folder.glob(".*"):
            left.unlink(missing_ok=True)
        path = self.folder / "config.json"
        try:
            if read_record(path) == json.loads(json.dumps(self.config.as_json())):
                return
        except FileNotFoundError:
            pass
        except DamagedError as damaged:
            say(f"{damaged} was damaged and has been written again.")
        write_record(path, self.config.as_json())

    def save_checkpoint(
        self, step: int, model: Transformer, optimiser: Optimiser, metrics: Metrics
    ) -> None:
        weights = {f"weight.{name}": one for name, one in model.named_parameters()}
        tensors = {**weights, **optimiser.state()}
        path = self.folder / f"checkpoint-{step}.safetensors"
        write_tensors(path, tensors, notes(step, metrics))
        for old in self.checkpoints()[KEPT:]:
            old.unlink(missing_ok=True)

    def checkpoints(self) -> list[Path]:
        """Newest first."""
        paths = self.folder.glob("checkpoint-*.safetensors")
        return sorted(paths, key=lambda path: -int(path.stem.split("-")[1]))

    def load_checkpoint(
        self, model: Transformer, optimiser: Optimiser, say: Say
    ) -> tuple[int, Metrics]:
        """Bring model and optimiser to the newest whole checkpoint; its step and metrics."""
        for path in self.checkpoints():
            try:
                tensors, about = read_tensors(path)
            except DamagedError as damaged:
                say(f"{damaged} is damaged; what it held is computed again.")
                path.unlink(missing_ok=True)
                continue
            step = int(about["step"])
            load_weights(model, tensors, "weight.")
            optimiser.load(tensors, step)
            return step, json.loads(about["metrics"])
        return 0, []

    def save_weights(self, model: Transformer, metrics: Metrics) -> None:
        tensors = dict(model.named_parameters())
        write_tensors(
            self.folder / "weights.safetensors", tensors, notes(self.config.steps, metrics)
        )

    def load_weights(self, model: Transformer, say: Say) -> Metrics | None:
        """Bring the model to the trained weights; their metrics, or None if not trained yet."""
        path = self.folder / "weights.safetensors"
        try:
            tensors, about = read_tensors(path)
        except FileNotFoundError:
            return None
        except DamagedError as damaged:
            say(f"{damaged} is damaged; the model is trained again.")
            path.unlink(missing_ok=True)
            return None
        load_weights(model, tensors, "")
        metrics: Metrics = json.loads(about["metrics"])
        return metrics

    def write_metrics(self, metrics: Metrics, say: Say) -> None:
        """All of them at once, if the file says anything else."""
        path = self.folder / "metrics.jsonl"
        content = lines(metrics)
        if path.exists():
            if path.read_bytes() == content:
                return
            say(f"{path} was damaged and has been written again.")
        write_whole(path, content)

    def append(self, name: str, record: Mapping[str, Any]) -> None:
        """Add a line as it comes. A torn one is harmless: checkpoints hold the metrics too."""
        try:
            with (self.folder / name).open("ab+") as file:
                file.seek(-min(file.tell(), 1), os.SEEK_END)
                torn = file.read() not in (b"", b"\n")
                file.write(b"\n" * torn + lines([record]))
        except OSError as error:
            raise TrainingError(
                f"Could not write {self.folder / name}: {error.strerror}."
            ) from error

    def read_result(self, say: Say) -> dict[str, Any] | None:
        path = self.folder / "result.json"
        try:
            result = read_record(path)
        except FileNotFoundError:
            return None
        except DamagedError as damaged:
            say(f"{damaged} is damaged; the model is evaluated again.")
            return None
        if result.keys() >= RESULT:
            return result
        say(f"{path} is of an older version; the model is evaluated again.")
        return None

    def write_result(self, record: Mapping[str, Any], metrics: Metrics) -> dict[str, Any]:
        """Write it with the metrics' digest, and return it as it will be read."""
        path = self.folder / "result.json"
        write_record(path, {**record, "metrics": digest_of_bytes(lines(metrics))})
        return read_record(path)

    def finished(self) -> dict[str, Any] | None:
        """The result of a run that is done and whole, or None; reads, and mends nothing."""
        result = self.read_result(lambda sentence: None)
        if result is None:
            return None
        try:
            content = (self.folder / "metrics.jsonl").read_bytes()
        except FileNotFoundError:
            return None
        known = result.get("metrics", digest_of_bytes(content))
        return result if known == digest_of_bytes(content) else None

    def drop_checkpoints(self) -> None:
        """A finished run needs its weights only."""
        for path in self.checkpoints():
            path.unlink(missing_ok=True)


def load_weights(model: Transformer, tensors: Mapping[str, Tensor], prefix: str) -> None:
    model.load_state_dict({name: tensors[prefix + name] for name in model.state_dict()})


def digest_of_bytes(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def notes(step: int, metrics: Metrics) -> dict[str, str]:
    return {"step": str(step), "metrics": json.dumps(metrics)}


def lines(records: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()
