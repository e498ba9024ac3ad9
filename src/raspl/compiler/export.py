"""Networks on disk: `weights.safetensors` and `network.json`, which need no program to be read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load as from_bytes
from safetensors.torch import save as to_bytes

from raspl.compiler.alphabets import NetworkError
from raspl.compiler.bounds import MANTISSA
from raspl.compiler.description import FORMAT, from_json
from raspl.compiler.network import Network
from raspl.files import write_bytes, write_text

WEIGHTS, DESCRIPTION = "weights.safetensors", "network.json"


def weights_hash(network: Network) -> str:
    """SHA-256 of the weights: their names, shapes and values, as float64 whatever the format."""
    digest = hashlib.sha256()
    for name, tensor in network.tensors().items():
        digest.update(f"{name} {tuple(tensor.shape)}\n".encode())
        digest.update(tensor.to(torch.float64).contiguous().numpy().tobytes())
    return digest.hexdigest()


def save(network: Network, folder: str | Path) -> list[Path]:
    """Write a network into a folder."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    weights, description = folder / WEIGHTS, folder / DESCRIPTION
    write_bytes(weights, to_bytes({n: t.contiguous() for n, t in network.tensors().items()}))
    data = signed(network)
    write_text(description, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    return [weights, description]


def signed(network: Network) -> dict[str, Any]:
    """What `network.json` says: the description, the hash of the weights, and that of all of it."""
    data = network.description.as_json() | {
        "dtype": str(network.dtype).removeprefix("torch."),
        "sha256": weights_hash(network),
    }
    return data | {"digest": description_hash(data)}


def description_hash(data: Mapping[str, Any]) -> str:
    """SHA-256 of a description, that of its weights included."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


def load(folder: str | Path) -> Network:
    """Read a network from a folder; one that is not as it was written is refused."""
    folder = Path(folder)
    data = _description(folder / DESCRIPTION)
    weights = folder / WEIGHTS
    try:
        network = Network(from_json(data)).to(getattr(torch, data["dtype"]))
        network.load_state_dict(from_bytes(weights.read_bytes()))
    except OSError as error:
        raise NetworkError(f"{weights} can't be read: {error.strerror}") from None
    except (SafetensorError, ValueError, TypeError, LookupError, AttributeError, RuntimeError):
        raise NetworkError(f"{weights} is damaged: compile the program again") from None
    if weights_hash(network) != data["sha256"]:
        raise NetworkError(f"the weights in {folder} are not those that were described there")
    return network


def _description(path: Path) -> dict[str, Any]:
    """What a description says, if it says what was written."""
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
    except OSError as error:
        raise NetworkError(f"{path} can't be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise NetworkError(f"{path} is not JSON") from None
    is_known = isinstance(data, dict) and data.get("format") == FORMAT
    if not is_known or data.get("dtype") not in MANTISSA:
        raise NetworkError(f"{path} does not describe a network ({FORMAT})")
    digest = data.pop("digest", None)
    if digest is None:
        raise NetworkError(
            f"{path} is of an older version, which did not notice damage: compile the program again"
        )
    if digest != description_hash(data):
        raise NetworkError(f"{path} was changed or is damaged: compile the program again")
    return data
