"""Digests of tensors: equal digests are equal weights."""

import hashlib
import json
from collections.abc import Mapping

import torch
from torch import Tensor


def digest_of_tensors(tensors: Mapping[str, Tensor], about: Mapping[str, str]) -> str:
    state = hashlib.sha256(json.dumps(dict(about), sort_keys=True).encode())
    for name in sorted(tensors):
        state.update(f"{name} {tuple(tensors[name].shape)} {tensors[name].dtype}".encode())
        state.update(tensors[name].cpu().contiguous().view(torch.uint8).numpy().tobytes())
    return state.hexdigest()
