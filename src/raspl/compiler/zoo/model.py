"""A RASP-L program as a Transformer, in plain PyTorch: needs torch and safetensors, not raspl.

    from model import Network
    network = Network(".")             # the folder with network.json and weights.safetensors
    network.predict([3, 1, 2])         # what the program says at every position

`python model.py` in that folder checks the files and compares the network with the program on the
examples that lie there.
"""

import hashlib
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import Tensor

SHIFTED = re.compile(r"\(index ([+-]) (\d+)\)")


def formula(name: str, place: Tensor) -> Tensor:
    """What a position brings; place 0 is the sink, a key in front of the first token."""
    if name in ("one", "sink"):
        return (place > 0) if name == "one" else (place == 0)
    if name.startswith("position"):
        return place**2 if name.endswith("²") else place
    if name == "1 / position":
        return torch.where(place > 0, 1 / place.clamp(min=1).double(), 0.0)
    shift = SHIFTED.search(name)
    index = place - 1 + (int(shift[1] + shift[2]) if shift else 0)
    if name.startswith("bit "):
        value = (index >> int(name.split()[1])) & 1
    elif name.startswith("digits²"):
        value = (index // 2048) ** 2 + (index % 2048) ** 2
    else:
        value = index // 2048 if "//" in name else index % 2048
    return torch.where(place > 0, value, 0)


class Network:
    """The network of a folder."""

    def __init__(self, folder: str | Path = ".") -> None:
        folder = Path(folder)
        self.known: dict[str, Any] = json.loads((folder / "network.json").read_text("utf-8"))
        self.weights: dict[str, Tensor] = load_file(folder / "weights.safetensors")
        self.names = [dim["name"] for dim in self.known["dims"]]
        self.longest = min(limit["longest"][self.known["dtype"]] for limit in self.known["limits"])

    def stream(self, *sequences: Sequence[int]) -> list[Tensor]:
        """The residual stream, length + 1 × width: before the first block, and after each."""
        length = len(sequences[0])
        if length > self.longest:
            raise ValueError(f"exact up to {self.longest:,} tokens, and this input has {length:,}")
        dtype = self.weights["unembedding"].dtype
        x = torch.zeros(length + 1, len(self.names), dtype=dtype)
        for number, (given, tokens) in enumerate(zip(self.known["inputs"], sequences, strict=True)):
            rows = {token: row for row, token in enumerate(given["tokens"])}
            numbers = [rows[token] if rows else 0 for token in tokens]
            x[1:] += self.weights[f"embedding.{number}"][numbers]
        place = torch.arange(length + 1)
        for number, dim in enumerate(self.known["dims"]):
            if dim["formula"]:
                x[:, number] += formula(dim["formula"], place).to(dtype)
        states = [x]
        for number, block in enumerate(self.known["blocks"]):
            heads = [f"blocks.{number}.heads.{place}" for place in range(len(block["heads"]))]
            x = sum([self.attend(x, head) for head in heads], x)
            if block["hidden"]:
                gate, up, out = self.tensors(f"blocks.{number}.mlp", "gate", "up", "out")
                x = x + (torch.relu(x @ gate) * (x @ up)) @ out
            states.append(x)
        return states

    def attend(self, x: Tensor, head: str) -> Tensor:
        """What one head adds to the stream: causal softmax attention, without a scale."""
        query, key, value, out = self.tensors(head, "query", "key", "value", "out")
        scores = (x @ query) @ (x @ key).T
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return torch.softmax(scores.masked_fill(later, -torch.inf), -1) @ (x @ value) @ out

    def tensors(self, module: str, *parts: str) -> list[Tensor]:
        """Some of the weights."""
        return [self.weights[f"{module}.{part}"] for part in parts]

    def predict(self, *sequences: Sequence[int]) -> list[int]:
        """The argmax at every position, as the program's own values; no index is -1."""
        read = self.stream(*sequences)[-1][1:] @ self.weights["unembedding"]
        output = self.known["output"]
        if "values" in output:
            return [output["values"][row] for row in read.argmax(-1).tolist()]
        return [round(value) if there else -1 for value, there in read.tolist()]


def main(folder: Path) -> None:
    """Check a folder: every file is as it was written, every example is computed as it should."""
    for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines():
        wanted, name = line.split()
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != wanted:
            sys.exit(f"{name} is not as it was written")
    network = Network(folder)
    examples = json.loads((folder / "examples.json").read_text("utf-8"))
    for example in examples:
        if network.predict(*example["inputs"]) != example["output"]:
            sys.exit(f"wrong on {example['inputs']}")
    positions = sum(len(example["output"]) for example in examples)
    print(f"{network.known['program']}: right on {len(examples)} examples, {positions} positions")


if __name__ == "__main__":
    main(Path(__file__).parent)
