"""Networks on disk: `weights.safetensors` and `network.json`, which need no program to be read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from raspl.compiler.bounds import MANTISSA
from raspl.compiler.description import FORMAT, from_json
from raspl.compiler.network import Network, NetworkError
from raspl.files import write_text

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
    save_file({n: t.contiguous() for n, t in network.tensors().items()}, weights)
    data = network.description.as_json() | {
        "dtype": str(network.dtype).removeprefix("torch."),
        "sha256": weights_hash(network),
    }
    write_text(description, json.dumps(data, ensure_ascii=False, indent=1) + "\n")
    return [weights, description]


def load(folder: str | Path) -> Network:
    """Read a network from a folder; weights that don't fit their description are refused."""
    folder = Path(folder)
    try:
        data = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    except ValueError:
        raise NetworkError(f"{folder / DESCRIPTION} is not JSON") from None
    is_known = isinstance(data, dict) and data.get("format") == FORMAT
    if not is_known or data.get("dtype") not in MANTISSA:
        raise NetworkError(f"{folder / DESCRIPTION} does not describe a network ({FORMAT})")
    network = Network(from_json(data)).to(getattr(torch, data["dtype"]))
    network.load_state_dict(load_file(folder / WEIGHTS))
    if weights_hash(network) != data["sha256"]:
        raise NetworkError(f"the weights in {folder} are not those that were described there")
    return network
