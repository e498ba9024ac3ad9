# ruff: noqa: E402 (the number of threads must be set before NumPy is imported)
"""Seconds and memory of what a forecast rests on, and whether a program is found.

    python benchmarks/forecast.py [TASK …]

Each task is examined in a process of its own. What counts is its process time, so that other work
on the machine adds nothing; a clock never ends the search here, only its work does. Exit status 1
if a task takes more than 60 s or 2 GB, or if no program is found for one that has a floor.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence

# One core: the limit is for one.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np

from raspl.prediction import examine, find_source, settings_of
from raspl.tasks import Task
from raspl.tasks.languages import language

SECONDS, GIGABYTES = 60, 2.0
GIVEN_UP = 3 * SECONDS
"""Process time after which a task is ended."""
UNLIMITED = 1e9


def dedupe(prompt: Sequence[str]) -> list[str]:
    """Each letter once, in the order of appearance: that of docs/tasks.md."""
    return list(dict.fromkeys(prompt))


def every_second(prompt: Sequence[str]) -> list[str]:
    return list(prompt[::2])


def balanced(prompt: Sequence[str]) -> list[str]:
    """Whether every bracket is closed, and none before it is opened."""
    depth = 0
    for bracket in prompt:
        depth += 1 if bracket == "(" else -1
        if depth < 0:
            return ["no"]
    return ["no" if depth else "yes"]


def letters(rng: np.random.Generator, length: int) -> Sequence[str]:
    return [str(letter) for letter in rng.choice(list("abcd"), size=length)]


def brackets(rng: np.random.Generator, length: int) -> Sequence[str]:
    """Balanced in about half the cases: a walk that turns back at the ground and at the end."""
    if rng.random() < 0.5:
        return [str(bracket) for bracket in rng.choice(["(", ")"], size=length)]
    depth, walk = 0, []
    for left in range(length, 0, -1):
        opens = depth == 0 or (depth < left and rng.random() < 0.5)
        depth += 1 if opens else -1
        walk.append("(" if opens else ")")
    return walk


OWN: Mapping[str, Callable[[], Task]] = {
    "dedupe": lambda: Task.from_solver("dedupe", "abcd", letters, dedupe),
    "every_second": lambda: Task.from_solver("every_second", "abcd", letters, every_second),
    "brackets": lambda: Task.from_solver("brackets", ("(", ")", "no", "yes"), brackets, balanced),
    "(ab|bba)*": lambda: language("(ab|bba)*"),
    "(bab|b)*": lambda: language("(bab|b)*"),
}
FLOORS = (
    "conjunction", "sort", "copy_unique", "mode", "majority", "dedupe", "every_second", "brackets",
)  # fmt: skip
"""Tasks that have a program within the search's reach."""
TASKS = (*FLOORS, "(ab|bba)*", "(bab|b)*")


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--one"]:
        print(measured(arguments[1]))
        return 0
    print(f"{'task':<14}{'process time':>14}{'memory':>10}  found")
    failed = [task for task in arguments or TASKS if not fits(task)]
    print("every limit and floor is met" if not failed else f"missed: {', '.join(failed)}")
    return int(bool(failed))


def fits(task: str) -> bool:
    """Examine one task in a process of its own, print its row, and say if it keeps the limits."""
    done = subprocess.run(
        [sys.executable, __file__, "--one", task], capture_output=True, text=True, check=False
    )
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1:] or [f"ended after {GIVEN_UP} s"]
        print(f"{task:<14}  {why[0]}", flush=True)
        return False
    seconds, gigabytes, is_found, said = done.stdout.strip().split("\t")
    print(f"{task:<14}{float(seconds):>12.1f} s{float(gigabytes):>7.2f} GB  {said}", flush=True)
    has_floor = task in FLOORS
    in_bounds = float(seconds) <= SECONDS and float(gigabytes) <= GIGABYTES
    return in_bounds and (is_found == "True" or not has_floor)


def measured(task: str) -> str:
    """Process time, greatest memory, and what was found, with tabs between."""
    resource.setrlimit(resource.RLIMIT_CPU, (GIVEN_UP, GIVEN_UP))
    source = find_source(OWN[task]() if task in OWN else task)
    began = time.process_time()
    made = examine(source, settings_of(source, budget=UNLIMITED))
    seconds = time.process_time() - began
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    program, shortcut = made.cheapest, made.shortcut
    said = [
        "no program" if program is None else f"a program of cost {program.cost}",
        "no shortcut" if shortcut is None else f"a shortcut of cost {shortcut.cost}",
        f"exhausted {made.exhausted}",
    ]
    return f"{seconds}\t{gigabytes}\t{program is not None}\t{', '.join(said)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
