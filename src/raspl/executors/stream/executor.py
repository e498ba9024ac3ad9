"""The stream executor: one token in, one token out, at a cost that does not grow.

A program is specialised once into straight-line code (`stream.code`), in which every head keeps
a running count, sum, greatest or least value per key; so generation is linear in its length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from raspl.errors import RasplError
from raspl.executors.inputs import read_inputs, to_array
from raspl.executors.reference import RunError, read_prompt
from raspl.executors.stream.code import Code, Stream, specialise
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Value

_codes: WeakKeyDictionary[Graph, Code] = WeakKeyDictionary()


def code_of(graph: Graph) -> Code:
    """The specialised code of a program, made when it is first needed."""
    code = _codes.get(graph)
    if code is None:
        code = _codes[graph] = specialise(graph)
    return code


class Machine:
    """A program in the middle of a sequence: `step` reads one more token of each input."""

    def __init__(self, graph: Graph) -> None:
        self._stream: Stream = code_of(graph).start()
        self._is_single = len(graph.inputs) == 1

    def step(self, *tokens: Value) -> Value:
        """Read one position and give the program's output there.

        Tokens must lie in the program's width, which `run` and `generate` check. An error ends
        the machine.
        """
        try:
            return self._stream.send(tokens[0] if self._is_single else tokens)
        except StopIteration:
            raise RasplError("this machine ended with an error: start a new one") from None


def outputs(graph: Graph, columns: Sequence[Sequence[Value]]) -> list[Value]:
    """The output at every position, on columns that were read already."""
    stream = code_of(graph).start()
    positions = columns[0] if len(columns) == 1 else zip(*columns, strict=True)
    return list(map(stream.send, positions))


def run(graph: Graph, *sequences: Iterable[Any]) -> NDArray[np.int64]:
    """One pass over given sequences: the output at every position."""
    return to_array(outputs(graph, read_inputs(graph, sequences)))


def generate(
    graph: Graph, prompt: Iterable[Any], until: int | None = None, limit: int = 1000
) -> NDArray[np.int64]:
    """The prompt followed by what the program writes, up to `until` or `limit` new tokens."""
    (tokens,) = read_prompt(graph, prompt)
    send = code_of(graph).start().send
    for token in tokens:
        following = send(token)
    for _ in range(limit - 1):
        tokens.append(following)
        if following == until:
            return to_array(tokens)
        following = send(following)
    if limit > 0:
        tokens.append(following)
    return to_array(tokens)


def generate_many(
    graph: Graph,
    prompts: Iterable[Iterable[Any]],
    until: int | None = None,
    limit: int = 1000,
) -> list[NDArray[np.int64] | RunError]:
    """`generate` for many prompts in lock step; a prompt on which it fails gives its error.

    All sequences advance by one token at a time, so whoever consumes them sees them grow together
    and the longest decides when the last token is written.
    """
    sequences = [read_prompt(graph, prompt)[0] for prompt in prompts]
    results: dict[int, NDArray[np.int64] | RunError] = {}
    live: dict[int, tuple[Stream, Value]] = {}
    for number, tokens in enumerate(sequences):
        stream = code_of(graph).start()
        try:
            following = [stream.send(token) for token in tokens][-1]
            live[number] = stream, following
        except RunError as error:
            results[number] = error
    for written in range(1, limit + 1):
        for number, (stream, following) in list(live.items()):
            sequences[number].append(following)
            if following == until or written == limit:
                del live[number]
                continue
            try:
                live[number] = stream, stream.send(following)
            except RunError as error:
                results[number] = error
                del live[number]
    return [results.get(number, to_array(tokens)) for number, tokens in enumerate(sequences)]
