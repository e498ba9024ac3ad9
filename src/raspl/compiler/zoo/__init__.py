"""A zoo: programs as folders that explain themselves, ready to be put on a hub.

A folder holds the network (`weights.safetensors`, `network.json`), a card (`README.md`), the
program's source, examples with what the program says, and `model.py`, which runs the network with
torch alone and checks the folder. Its bytes depend on nothing but the program and the alphabet.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from raspl.compiler import Precision, compile
from raspl.compiler.alphabets import NetworkError
from raspl.compiler.export import save, signed
from raspl.compiler.network import Network
from raspl.compiler.report import size
from raspl.compiler.verify import Columns, outputs, random_columns, verify
from raspl.compiler.zoo.card import card, index_page
from raspl.files import write_text
from raspl.program import Program

CARD, EXAMPLES, MODEL, SOURCE, SUMS = (
    "README.md",
    "examples.json",
    "model.py",
    "program.py",
    "SHA256SUMS",
)
INDEX = "index.json"
LENGTHS = (1, 2, 3, 5, 8, 13, 21, 34)
"""Of the random examples."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A program that goes into a zoo."""

    program: Program
    source: str
    """Its text, with whatever else stands in the file."""
    alphabet: Sequence[int] | None
    about: str
    """What it computes, in a sentence or two."""
    words: Sequence[str] = ()
    """What the tokens are called, by number, if they have names."""
    sequences: Sequence[Columns] = ()
    """Inputs that show what it is for; random ones are added."""


def build(entry: Entry, root: str | Path, dtype: Precision = "float32") -> Path:
    """Write a program into a folder of its own, which is then checked against the program."""
    network = compile(entry.program, entry.alphabet, dtype)
    examples = _examples(entry, network)
    folder = Path(root) / entry.program.name
    files = save(network, folder)
    texts = {
        CARD: card(entry, network, examples, signed(network)["digest"]),
        EXAMPLES: "[\n" + ",\n".join(json.dumps(example) for example in examples) + "\n]\n",
        MODEL: (Path(__file__).parent / MODEL).read_text("utf-8"),
        SOURCE: entry.source,
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    names = sorted([*texts, *(file.name for file in files)])
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}" for name in names]
    write_text(folder / SUMS, "\n".join(sums) + "\n")
    return folder


def _examples(entry: Entry, network: Network) -> list[dict[str, Any]]:
    """Inputs with what the program says; the network must say the same."""
    rng = Random(0)
    lengths = [length for length in LENGTHS if length <= network.longest]
    given = [*entry.sequences, *(random_columns(network, rng, length) for length in lengths)]
    result = verify(network, entry.program.graph, given)
    if result.mismatches:
        raise NetworkError(f"the network of {entry.program.name} is wrong: {result}")
    examples = []
    for columns in given:
        output = outputs(entry.program.graph, columns).tolist()
        if output:
            # Where the program stops with an error the network says nothing.
            inputs = [list(column)[: len(output)] for column in columns]
            examples.append({"inputs": inputs, "output": output})
    return examples


def listing(root: str | Path) -> list[dict[str, Any]]:
    """What a zoo holds, from the folders themselves."""
    found = []
    for folder in sorted(Path(root).iterdir()) if Path(root).is_dir() else ():
        if (folder / SUMS).is_file():
            found.append(_entry_of(folder))
    if not found:
        raise NetworkError(f"there are no networks in {root}: raspl zoo build -o {root}")
    return found


def _entry_of(folder: Path) -> dict[str, Any]:
    from raspl.compiler.export import load

    network = load(folder)
    known = network.description
    return {
        "name": folder.name,
        "layers": known.layers,
        "heads": sum(len(block.heads) for block in known.blocks),
        "width": len(known.dims),
        "parameters": size(network)[0],
        "tokens": len(known.inputs[0].tokens),
        "longest": network.longest,
        "dtype": str(network.dtype).removeprefix("torch."),
        "digest": signed(network)["digest"],
    }


def write_index(root: str | Path) -> None:
    """A page and a file that list what a zoo holds."""
    found = listing(root)
    write_text(Path(root) / INDEX, json.dumps(found, indent=1) + "\n")
    write_text(Path(root) / CARD, index_page(found))
