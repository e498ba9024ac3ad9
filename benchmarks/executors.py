"""How fast the executors are, as ratios taken in one run.

    python benchmarks/executors.py [--np-rasp CHECKOUT] [--whole]

`--np-rasp` sets np-rasp's own addition beside ours. Its generation is cubic in the length, so at
100 digits the cost of its next token is measured at three lengths, which fix the polynomial, and
summed; `--whole` runs it to the end instead.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from raspl import load, programs
from raspl.executors import batch, reference, stream
from raspl.executors.stream.executor import code_of

START, PLUS, EQUALS, END, TOP = -1, -2, -3, -5, -100
SHAPE = (256, 256)


def best(repeats: int, function: Callable[..., Any], *arguments: Any) -> float:
    """The least time that a call takes, which is the one with the least noise in it."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function(*arguments)
        times.append(time.perf_counter() - begin)
    return min(times)


def addition(digits: int) -> list[int]:
    """The prompt of a random addition, as in the paper."""
    rng = Random(digits)
    prompt = [START]
    for sign in (PLUS, EQUALS):
        number = [0, *(rng.randrange(10) for _ in range(digits))]
        prompt += [token for place, d in enumerate(number) for token in (TOP - place, d)]
        prompt.append(sign)
    return prompt


def np_rasp_next(checkout: Path, reverse: bool) -> Callable[[Any], Any]:
    """np-rasp's addition, imported from its checkout."""
    for part in ("src", "examples"):
        if str(checkout / part) not in sys.path:
            sys.path.insert(0, str(checkout / part))
    from add import next_tok_addition  # type: ignore[import-not-found]

    return lambda sequence: next_tok_addition(sequence, reverse=reverse)[-1]


def np_rasp_seconds(checkout: Path, reverse: bool, prompt: list[int], whole: bool) -> float:
    """What np-rasp takes to write the whole answer after a prompt."""
    following = np_rasp_next(checkout, reverse)
    written = len(prompt) // 2 + 1
    if whole:
        sequence = np.array(prompt)
        begin = time.perf_counter()
        while sequence[-1] != END:
            sequence = np.append(sequence, following(sequence))
        return time.perf_counter() - begin
    name = f"addition_{'reverse' if reverse else 'forward'}_paper"
    sequence = stream.generate(programs.load(name).graph, prompt, END, 5000)
    lengths = np.linspace(len(prompt), len(prompt) + written - 1, 3).round().astype(int)
    costs = [best(2, following, sequence[:length]) for length in lengths]
    fit = np.polyfit(lengths, costs, 2)
    return float(np.polyval(fit, np.arange(len(prompt), len(prompt) + written)).sum())


def generation(checkout: Path | None, whole: bool) -> None:
    print("Generation of an addition (floors over np-rasp: 1,000 at 20 digits, 20,000 at 100)")
    for name, reverse in (("addition_reverse_paper", True), ("addition_forward_paper", False)):
        graph = programs.load(name).graph
        for digits in (20, 100):
            prompt = addition(digits)
            ours = best(20, stream.generate, graph, prompt, END, 5000)
            slow = best(1, reference.generate, graph, prompt, END, 5000)
            tokens = len(stream.generate(graph, prompt, END, 5000))
            line = (
                f"  {name:12} {digits:3} digits, {tokens} tokens: stream {ours * 1e3:.2f} ms "
                f"({ours / tokens * 1e6:.2f} µs a token), reference {slow / ours:,.0f} ×"
            )
            if checkout is not None:
                theirs = np_rasp_seconds(checkout, reverse, prompt, whole or digits == 20)
                line += f", np-rasp {theirs / ours:,.0f} × ({theirs:.1f} s)"
            print(line, flush=True)


def tokens_of(name: str, rng: Random) -> Iterator[int]:
    """Tokens without end, of the kind that the program is made for."""
    while True:
        if name == "count":
            a = rng.randrange(100)
            yield from (-1, a, a + 10, *range(a, a + 11), -2)
        elif name.startswith("add"):
            yield from addition(20)
        elif name == "parity_scratchpad":
            yield from (t for hint in range(10, 60) for t in (hint, rng.randrange(2)))
            yield from (-3, -1, 12, -2, 15, -1)
        elif name == "conjunction":
            yield int(rng.random() < 0.999)
        else:
            yield rng.randrange(100)


def step_costs(name: str) -> dict[int, float]:
    """The cost of a step at some tokens: the least over windows of steps that begin there."""
    window, repeats = 500, 20
    code = code_of(programs.load(name).graph)
    costs = {}
    for place in (1_000, 10_000, 100_000):
        found = []
        source = tokens_of(name, Random(0))
        send = code.start().send
        for _ in range(place):
            send(next(source))
        for _ in range(repeats):
            if place == 1_000:
                # Few windows begin near here, so each comes from a run of its own.
                source, send = tokens_of(name, Random(0)), code.start().send
                for _ in range(place):
                    send(next(source))
            tokens = [next(source) for _ in range(window)]
            begin = time.perf_counter()
            for token in tokens:
                send(token)
            found.append((time.perf_counter() - begin) / window)
        costs[place] = min(found)
    return costs


def steps() -> None:
    print("The cost of a step (floor: at 100,000 at most 1.3 × that at 1,000)")
    per_instruction = instruction_cost()
    for name in programs.NAMES:
        costs = step_costs(name)
        instructions = step_instructions(name)
        limit = instructions * per_instruction
        shown = ", ".join(f"{cost * 1e6:.2f} µs at {place:,}" for place, cost in costs.items())
        print(
            f"  {name:18} {shown}: {costs[100_000] / costs[1_000]:.2f} ×; "
            f"{instructions:.0f} bytecodes, {costs[100_000] / limit:.1f} × bare ones",
            flush=True,
        )


def instruction_cost() -> float:
    """What a bytecode costs at the least: loads, stores and an addition of small integers."""
    rounds, lines = 20_000, 50
    names: dict[str, Any] = {}
    exec("def loop(n):\n a = 1\n for i in range(n):\n" + "  b = a + a\n" * lines, names)
    return best(10, names["loop"], rounds) / rounds / (4 * lines)


def step_instructions(name: str) -> float:
    """Bytecodes that run at a step, on average, those of the structures of heads included."""
    steps, count = 400, 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    source = tokens_of(name, Random(0))
    tokens = [next(source) for _ in range(steps)]
    stepping = code_of(programs.load(name).graph).start()
    sys.settrace(trace)
    for token in tokens:
        stepping.send(token)
    sys.settrace(None)
    return count / steps


def million() -> None:
    """One stream that counts again and again in a packed context of a million tokens."""
    graph = programs.load("count_paper").graph
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    send = code_of(graph).start().send
    written, prompt, end = 0, (-1, 0, 30_000), -2
    while written < 1_000_000:
        for token in prompt:
            following = send(token)
        while following != end:
            written += 1
            following = send(following)
        send(end)
    seconds = time.perf_counter() - begin
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(
        f"A million tokens written by count in one context: {seconds:.2f} s (floor: well under a "
        f"minute), {grown / 1024:.0f} MiB, {grown * 1024 / written:.0f} bytes a token",
        flush=True,
    )


def block_of(name: str) -> np.ndarray[Any, Any]:
    rng = Random(1)
    rows = []
    for _ in range(SHAPE[0]):
        source = tokens_of(name, rng)
        rows.append([next(source) for _ in range(SHAPE[1])])
    return np.array(rows)


def throughput() -> None:
    print(f"Batch, {SHAPE[0]} sequences of {SHAPE[1]} tokens (floor: 1,000 × the reference)")
    bandwidth = copy_bandwidth()
    for name in programs.NAMES:
        graph, block = programs.load(name).graph, block_of(name)
        ours = best(10, batch.run, graph, block)
        slow = best(2, reference.run, graph, block[0]) * SHAPE[0]
        streamed = best(5, stream.run, graph, block[0]) * SHAPE[0]
        # Every token must be read and every output written, eight bytes each.
        limit = 16 * block.size / bandwidth
        print(
            f"  {name:18} {ours * 1e3:6.2f} ms ({block.size / ours / 1e6:5.1f} million tokens "
            f"a second): {slow / ours:,.0f} × the reference, {streamed / ours:.1f} × the stream; "
            f"{ours / limit:,.0f} × a copy of input to output",
            flush=True,
        )


def copy_bandwidth() -> float:
    """Bytes read and written a second by a copy."""
    source = np.zeros(1 << 24, dtype=np.int64)
    target = np.empty_like(source)
    return 2 * source.nbytes / best(5, np.copyto, target, source)


def first_use() -> None:
    print("First use on 50 tokens, specialisation included (floor: a second over the reference)")
    for name in programs.NAMES:
        graph = load(programs.path(name))[name].graph
        source = tokens_of(name, Random(2))
        tokens = [next(source) for _ in range(50)]
        first = best(1, stream.run, graph, tokens)
        again = best(3, stream.run, graph, tokens)
        slow = best(1, reference.run, graph, tokens)
        print(
            f"  {name:18} first {first * 1e3:6.1f} ms, again {again * 1e3:5.2f} ms, "
            f"reference {slow * 1e3:6.1f} ms",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--np-rasp", type=Path, help="a checkout of np-rasp")
    parser.add_argument("--whole", action="store_true", help="run np-rasp to the end")
    given = parser.parse_args()
    first_use()
    generation(given.np_rasp, given.whole)
    steps()
    million()
    throughput()


if __name__ == "__main__":
    main()
