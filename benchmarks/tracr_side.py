"""The Tracr side of benchmarks/compiler.py, run by an interpreter that has JAX and dm-haiku.

Prints one JSON line a program. Tracr's own interpreter of RASP is the judge of its output.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Sequence
from typing import Any

from tracr.compiler import compiling, lib  # type: ignore[import-not-found]
from tracr.rasp import rasp  # type: ignore[import-not-found]

VOCABULARY = [1, 2, 3, 4, 5]


def programs(longest: int) -> dict[str, Any]:
    return {
        "length so far": lib.make_length(),
        "fraction of previous": lib.make_frac_prevs(rasp.tokens == 1),
        "sort": lib.make_sort(
            rasp.tokens, rasp.tokens, max_seq_len=longest, min_key=min(VOCABULARY)
        ),
        "histogram": lib.make_hist(),
    }


def same(got: Sequence[Any], wanted: Sequence[Any]) -> bool:
    return all(
        g is not None and w is not None and abs(float(g) - float(w)) < 1e-3
        for g, w in zip(got, wanted, strict=True)
    )


def measure(name: str, program: Any, longest: int) -> dict[str, str | int | float]:
    compile_times = []
    for _ in range(2):
        start = time.perf_counter()
        model = compiling.compile_rasp_to_model(
            program, set(VOCABULARY), longest, compiler_bos="bos"
        )
        compile_times.append(time.perf_counter() - start)

    def run(tokens: list[int]) -> list[Any]:
        decoded: list[Any] = model.apply(["bos", *tokens]).decoded
        return decoded[1:]

    correct = 0
    for length in range(1, longest + 1):
        rng = random.Random(length)
        inputs = [rng.choices(VOCABULARY, k=length) for _ in range(3)] + [[1] * length]
        if not all(same(run(x), program(x)) for x in inputs):
            break
        correct = length
    x = random.Random(0).choices(VOCABULARY, k=longest)
    run(x)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        run(x)
        times.append(time.perf_counter() - start)
    sizes = [leaf.size for layer in model.params.values() for leaf in layer.values()]
    return {
        "program": name,
        "max length": longest,
        "compile": min(compile_times),
        "width": len(model.residual_labels),
        "parameters": int(sum(sizes)),
        "forward": min(times),
        "correct": correct,
    }


# The first use of JAX costs seconds, which are not the compiler's.
compiling.compile_rasp_to_model(lib.make_hist(), {1, 2}, 3, compiler_bos="bos").apply(["bos", 1])
for longest in map(int, sys.argv[1:]):
    for name, program in programs(longest).items():
        print(json.dumps(measure(name, program, longest)), flush=True)
