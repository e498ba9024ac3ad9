"""A run's files: written whole, with digests by which damage is noticed."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from raspl.files import write_bytes
from raspl.training.configuration import TrainingError
from raspl.training.tensors import digest_of_tensors

NOTES = "notes"
"""The one entry of a tensor file's metadata: several would be written in any order."""


class DamagedError(Exception):
    """A file that is not what was written; its text names the file."""


def write_whole(path: Path, content: bytes) -> None:
    """After this the file has the content; if it fails at any point, it is what it was."""
    try:
        write_bytes(path, content)
    except OSError as error:
        raise TrainingError(
            f"Could not write {path}: {error.strerror}. "
            "What was saved before is whole, and the same command continues from it."
        ) from error


def write_record(path: Path, record: Mapping[str, Any]) -> None:
    """JSON with a digest of itself, so that damage is noticed."""
    text = json.dumps({**record, "digest": digest_of(record)}, indent=2)
    write_whole(path, (text + "\n").encode())


def read_record(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_bytes())
        if isinstance(record, dict) and record.pop("digest", None) == digest_of(record):
            return record
    except (ValueError, RecursionError):
        pass
    raise DamagedError(str(path))


def digest_of(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()


def write_tensors(path: Path, tensors: Mapping[str, Tensor], about: Mapping[str, str]) -> None:
    """Tensors with notes, and a digest of both."""
    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    noted = json.dumps({**about, "digest": digest_of_tensors(plain, about)}, sort_keys=True)
    write_whole(path, save(plain, metadata={NOTES: noted}))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, str]]:
    try:
        with safe_open(path, framework="pt") as file:
            about: dict[str, str] = json.loads(file.metadata()[NOTES])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        digest = about.pop("digest")
        if digest_of_tensors(tensors, about) == digest:
            return tensors, about
    except FileNotFoundError:
        raise
    except (SafetensorError, AttributeError, KeyError, TypeError, ValueError):
        pass
    raise DamagedError(str(path))
