"""The folder of a run, and the only place that knows the names of its files.

    config.json              everything that decides the numbers
    metrics.jsonl            loss and scores as they come; the same bytes however often interrupted
    cost.jsonl               wall-clock time and speed of each session (these differ)
    checkpoint-N.safetensors weights, optimiser state and metrics after N steps; the last two
    weights.safetensors      the trained model, with its metrics
    result.json              scores at the end
    exact_match.png          the same as a picture
    inside/                  what was found in the trained model (raspl align, explain, inspect)
    lock, worker.log         held, and written, by the process that works on it

A checkpoint holds the metrics too, so it alone is enough to go on, and no two files can disagree.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from pydantic import ValidationError

from raspl.runs.files import (
    DamagedError,
    read_record,
    read_tensors,
    write_record,
    write_tensors,
    write_whole,
)
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.result import Logged, Result
from raspl.validated import Record

if TYPE_CHECKING:
    from torch import Tensor

    from raspl.training.loop import SessionCost
    from raspl.training.model import Transformer
    from raspl.training.optimisers import Optimiser

KEPT = 2
"""Checkpoints kept: if the newest is damaged, the one before it serves."""
LEFT_BEHIND = frozenset({"lock", "worker.log", "exact_match.png"})
"""Files that stay where they are when a run moves to another machine."""
TAIL = 4096
"""Bytes at the end of the metrics that surely hold a line without scores."""

Say = Callable[[str], None]


class BusyError(TrainingError):
    """Another process is at work on the run."""


def silent(sentence: str) -> None:
    """For those who don't want to know."""


@dataclass(frozen=True)
class RunFolder:
    config: Configuration
    path: Path
    say: Say = silent
    """Is told of what was damaged."""

    @classmethod
    def under(cls, root: Path, config: Configuration, say: Say = silent) -> "RunFolder":
        return cls(config, root / config.name, say)

    @classmethod
    def at(cls, path: Path) -> "RunFolder":
        """An existing run's."""
        try:
            return cls(Configuration(**read_record(path / "config.json")), path)
        except (FileNotFoundError, NotADirectoryError):
            if not path.exists():
                raise TrainingError(f"There is no folder {path}; a run is one.") from None
            raise TrainingError(f"{path} is not a run: it has no config.json.") from None
        except DamagedError as damaged:
            raise TrainingError(f"{damaged} is damaged; train the run again.") from None

    @property
    def picture(self) -> Path:
        return self.path / "exact_match.png"

    @property
    def inside(self) -> Path:
        return self.path / "inside"

    @property
    def worker_log(self) -> Path:
        return self.path / "worker.log"

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.jsonl"

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Hold the folder against other processes; the system frees it when this one ends."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / "lock", timeout=0)
            lock.acquire()
        except Timeout:
            raise BusyError(
                f"Another process is working on {self.path}; this one leaves it alone."
            ) from None
        except OSError as error:
            raise TrainingError(f"Can't write in {self.path}: {error.strerror}.") from error
        try:
            yield
        finally:
            lock.release()

    def open(self) -> None:
        """Clear what a killed process left half written; write the configuration, or mend it."""
        for left in self.path.glob(".*"):
            left.unlink(missing_ok=True)
        path = self.path / "config.json"
        try:
            if read_record(path) == self.config.as_json():
                return
        except FileNotFoundError:
            pass
        except DamagedError as damaged:
            self.say(f"{damaged} was damaged and has been written again.")
        write_record(path, self.config.as_json())

    # Checkpoints: the journal of a training loop

    def resume(self, model: "Transformer", optimiser: "Optimiser") -> tuple[int, list[Logged]]:
        """Bring model and optimiser to the newest whole checkpoint; its step and curve."""
        step, curve = self._newest(model, optimiser)
        if curve and not self.metrics.exists():
            self.say(self._lost())
        self.write_curve(curve, silent)  # beyond a checkpoint it may be torn
        return step, curve

    def _newest(self, model: "Transformer", optimiser: "Optimiser") -> tuple[int, list[Logged]]:
        for path in self.checkpoints():
            try:
                tensors, about = read_tensors(path)
            except DamagedError as damaged:
                self.say(f"{damaged} is damaged; what it held is computed again.")
                path.unlink(missing_ok=True)
                continue
            load_weights(model, tensors, "weight.")
            optimiser.load(tensors, int(about["step"]))
            return int(about["step"]), curve_in(about)
        return 0, []

    def log(self, line: Logged) -> None:
        self._append("metrics.jsonl", line)

    def spend(self, cost: "SessionCost") -> None:
        self._append("cost.jsonl", cost)

    def checkpoint(
        self, step: int, model: "Transformer", optimiser: "Optimiser", curve: list[Logged]
    ) -> None:
        weights = {f"weight.{name}": one for name, one in model.named_parameters()}
        path = self.path / f"checkpoint-{step}.safetensors"
        write_tensors(path, {**weights, **optimiser.state()}, notes(step, curve))
        self.drop_checkpoints(KEPT)

    def last_checkpoint(self) -> str | None:
        newest = self.checkpoints()[:1]
        return newest[0].name if newest else None

    def checkpoints(self) -> list[Path]:
        """Newest first."""
        paths = self.path.glob("checkpoint-*.safetensors")
        return sorted(paths, key=lambda path: -int(path.stem.split("-")[1]))

    def drop_checkpoints(self, keep: int = 0) -> None:
        """A finished run needs its weights only."""
        for path in self.checkpoints()[keep:]:
            path.unlink(missing_ok=True)

    # The trained model, the curve and the result

    def save_weights(self, model: "Transformer", curve: list[Logged]) -> None:
        path = self.path / "weights.safetensors"
        write_tensors(path, dict(model.named_parameters()), notes(self.config.steps, curve))

    def load_weights(self, model: "Transformer") -> list[Logged] | None:
        """Bring the model to the trained weights; their curve, or None if not trained yet."""
        path = self.path / "weights.safetensors"
        try:
            tensors, about = read_tensors(path)
        except FileNotFoundError:
            return None
        except DamagedError as damaged:
            self.say(f"{damaged} is damaged; the model is trained again.")
            path.unlink(missing_ok=True)
            return None
        load_weights(model, tensors, "")
        return curve_in(about)

    def write_curve(self, curve: list[Logged], say: Say | None = None) -> None:
        """All of it at once, if the file says anything else."""
        content = lines(curve)
        if self.metrics.exists():
            if self.metrics.read_bytes() == content:
                return
            (say or self.say)(f"{self.metrics} was damaged and has been written again.")
        elif curve:
            (say or self.say)(self._lost())
        write_whole(self.metrics, content)

    def _lost(self) -> str:
        return f"{self.metrics} was lost and has been written again."

    def read_result(self) -> Result | None:
        path = self.path / "result.json"
        try:
            return Result.model_validate_json(json.dumps(read_record(path)))
        except FileNotFoundError:
            return None
        except DamagedError as damaged:
            self.say(f"{damaged} is damaged; the model is evaluated again.")
        except ValidationError:
            self.say(f"{path} is of an older version; the model is evaluated again.")
        return None

    def write_result(self, result: Result, curve: list[Logged]) -> Result:
        """Write it with a digest of the curve that belongs to it."""
        whole = result.replace(metrics=digest_of_bytes(lines(curve)))
        write_record(self.path / "result.json", whole.as_json())
        return whole

    def finished(self) -> Result | None:
        """The result of a run that is done and whole, or None; reads, and mends nothing."""
        result = RunFolder(self.config, self.path).read_result()
        if result is None:
            return None
        try:
            content = self.metrics.read_bytes()
        except FileNotFoundError:
            return None
        return result if digest_of_bytes(content) == result.metrics else None

    def why_unfinished(self) -> str:
        """What a run lacks that `finished` does not take for done."""
        if RunFolder(self.config, self.path).read_result() is None:
            return "it is not finished; the command that began it continues it"
        state = "damaged" if self.metrics.exists() else "lost"
        return f"{self.metrics} is {state}; run the command that began it again to repair it"

    # What a driver or a report looks at while others work on the run

    def curve(self) -> list[Logged]:
        """The training curve so far; a torn line is as good as none."""
        found = (_logged(line) for line in _lines(self.metrics))
        return [line for line in found if line is not None]

    def costs(self) -> list["SessionCost"]:
        """Of each session that ended in order."""
        from raspl.training.loop import SessionCost

        found = []
        for line in _lines(self.path / "cost.jsonl"):
            with suppress(ValidationError):
                found.append(SessionCost.model_validate_json(line))
        return found

    def last_step(self) -> int:
        """How far the run has come, from the end of its metrics."""
        try:
            with self.metrics.open("rb") as file:
                file.seek(max(self.metrics.stat().st_size - TAIL, 0))
                tail = file.read().splitlines()
        except FileNotFoundError:
            return 0
        found = (_logged(line) for line in reversed(tail))
        return next((line.step for line in found if line is not None), 0)

    def last_scores(self) -> str:
        """The newest exact matches, in words."""
        scores = next((line.scores for line in reversed(self.curve()) if line.scores), ())
        several = len({one.on for one in scores}) > 1
        return ", ".join(
            f"{one.exact:.0%} at {one.length}" + (f" {one.on}" if several else "") for one in scores
        )

    # Moving a run between machines

    def carried(self) -> dict[str, bytes]:
        """Every file that is needed to go on with the run elsewhere, or to have its result."""
        paths = sorted(self.path.glob("*"))
        return {
            path.name: path.read_bytes()
            for path in paths
            if path.is_file() and path.name not in LEFT_BEHIND
        }

    def carried_with(self, checkpoint: Path) -> dict[str, bytes]:
        """One checkpoint, and the texts beside it."""
        names = ("config.json", "metrics.jsonl", "cost.jsonl")
        paths = [path for name in names if (path := self.path / name).exists()]
        return {path.name: path.read_bytes() for path in (*paths, checkpoint)}

    def receive(self, files: Mapping[str, bytes]) -> None:
        """Write what was carried, the result last: it is what makes a run a finished one."""
        self.path.mkdir(parents=True, exist_ok=True)
        for name in sorted(files, key=lambda name: name == "result.json"):
            write_whole(self.path / name, files[name])
        self.drop_checkpoints(0 if "result.json" in files else KEPT)

    def _append(self, name: str, record: Record) -> None:
        """Add a line as it comes. A torn one is harmless: checkpoints hold the metrics too."""
        try:
            with (self.path / name).open("ab+") as file:
                file.seek(-min(file.tell(), 1), os.SEEK_END)
                torn = file.read() not in (b"", b"\n")
                file.write(b"\n" * torn + lines([record]))
        except OSError as error:
            raise TrainingError(f"Could not write {self.path / name}: {error.strerror}.") from error


def load_weights(model: "Transformer", tensors: Mapping[str, "Tensor"], prefix: str) -> None:
    model.load_state_dict({name: tensors[prefix + name] for name in model.state_dict()})


def digest_of_bytes(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def notes(step: int, curve: list[Logged]) -> dict[str, str]:
    """What a file of tensors says about itself."""
    return {"step": str(step), "metrics": lines(curve).decode()}


def curve_in(about: Mapping[str, str]) -> list[Logged]:
    return [Logged.model_validate_json(line) for line in about["metrics"].splitlines()]


def lines(records: Sequence[Record]) -> bytes:
    return "".join(json.dumps(record.as_json()) + "\n" for record in records).encode()


def _lines(path: Path) -> list[bytes]:
    try:
        return path.read_bytes().splitlines()
    except FileNotFoundError:
        return []


def _logged(line: bytes) -> Logged | None:
    try:
        return Logged.model_validate_json(line)
    except ValidationError:
        return None
