"""What may be given to a program, and what comes out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raspl.errors import RasplError
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Input, Value
from raspl.language.ir.types import BOOL, int_range
from raspl.language.vocabulary import Vocabulary
from raspl.words import counted

NO_INDEX = -1
"""How None looks in an array."""


class InputError(RasplError):
    """The input is not a sequence that the program can read (R403)."""


def read_inputs(graph: Graph, sequences: Sequence[Iterable[Any]]) -> list[list[Value]]:
    """The given sequences as plain lists, one for each input of the program."""
    names = [node.name for node in graph.inputs]
    if len(sequences) != len(names):
        raise InputError(
            f"{graph.name} reads {counted(len(names), 'sequence')} "
            f"({', '.join(names)}), but got {len(sequences)}"
        )
    values = [
        _read(node, _numbered(node.name, sequence, graph.vocabulary), graph.bits)
        for node, sequence in zip(graph.inputs, sequences, strict=True)
    ]
    lengths = {len(column) for column in values}
    if len(lengths) > 1:
        listed = ", ".join(f"{n}: {len(v)}" for n, v in zip(names, values, strict=True))
        raise InputError(f"the sequences are of different lengths ({listed})")
    return values


def _numbered(name: str, sequence: Any, vocabulary: Vocabulary | None) -> Any:
    """Tokens by number, which may be given by their names: in a list, or as words in a string."""
    if vocabulary is None or isinstance(sequence, np.ndarray | bytes):
        return sequence
    if not isinstance(sequence, Iterable):
        return sequence
    items: list[Any] = sequence.split() if isinstance(sequence, str) else list(sequence)
    for position, item in enumerate(items):
        if isinstance(item, str):
            token = vocabulary.read(item)
            if token is None:
                why, instead = vocabulary.unknown(item)
                raise InputError(f"{name}[{position}]: {why}; {instead}")
            items[position] = token
    return items


def token_range(node: Input, bits: int) -> tuple[int, int]:
    """The least and the greatest integer that may stand in an input."""
    return (0, 1) if node.type == BOOL else int_range(bits)


def _read(node: Input, sequence: Iterable[Any], bits: int) -> list[Value]:
    name = node.name
    if isinstance(sequence, str | bytes) or not isinstance(sequence, Iterable):
        raise InputError(f"{name} is {sequence!r}, not a sequence of integers: give a list")
    if isinstance(sequence, np.ndarray) and sequence.ndim != 1:
        raise InputError(f"{name} has {sequence.ndim} dimensions: give one flat sequence of tokens")
    low, high = token_range(node, bits)
    column: list[Value] = []
    for position, item in enumerate(sequence):
        value = _integer(name, position, item)
        if node.type.is_index:
            column.append(None if value is None or value < 0 else value)
            continue
        if value is None:
            raise InputError(f"{name}[{position}] is None, and tokens are integers")
        if node.type == BOOL and not low <= value <= high:
            raise InputError(f"{name}[{position}] is {value}, and {name} is Bool: 0 or 1")
        if not low <= value <= high:
            wider = "" if bits == 16 else "; declare the program with @program(bits=16)"
            raise InputError(
                f"{name}[{position}] is {value}, outside of {low}…{high}, "
                f"the range of {bits}-bit programs{wider}"
            )
        column.append(value)
    return column


def _integer(name: str, position: int, item: Any) -> Value:
    if item is None:
        return None
    if isinstance(item, bool | int | np.integer | np.bool_):
        return int(item)
    shown = item.item() if isinstance(item, np.generic) else item
    kind = f"a {type(shown).__name__}"
    raise InputError(f"{name}[{position}] is {shown!r} ({kind}), and tokens are integers")


def to_array(values: Sequence[Value]) -> NDArray[np.int64]:
    """A column of values as an array; None becomes -1."""
    return np.array([NO_INDEX if v is None else v for v in values], dtype=np.int64)
