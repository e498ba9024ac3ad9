"""Programs as tasks: what is sampled is what the program answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from raspl.errors import RasplError
from raspl.web.puzzles.judging import PROGRAMS
from raspl.web.tasks_of_programs import task_of


def asked(text: str, tokens: str, generate: bool = False) -> dict[str, Any]:
    return {"text": text, "input": tokens, "program": "", "generate": generate, "until": ""}


def solution(name: str) -> str:
    return (PROGRAMS / f"{name}.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "tokens", "generate"),
    [
        (solution("largest_so_far"), "1 2 3 4", False),
        (solution("count_sevens"), "7 1", False),
        (solution("at_least_half"), "0 1", False),
        (solution("copy"), "START 4 7 2 GO", True),
        (solution("sort"), "4 7 2 GO", True),
        (solution("last_one"), "START 4 7 4 GO", True),
    ],
)
def test_the_sampler_agrees_with_the_solver(text: str, tokens: str, generate: bool) -> None:
    task = task_of(asked(text, tokens, generate))
    for length in (1, 3, 12):
        task.check_solver(length)
    drawn = task.examples(np.random.default_rng(0), np.array([2, 9]))
    assert drawn.sizes[1] - drawn.sizes[0] in (7, 14)


def test_a_copied_prompt_is_its_answer() -> None:
    task = task_of(asked(solution("copy"), "START 4 7 2 GO", True))
    names = task.names(task.examples(np.random.default_rng(1), np.array([5])).tokens[0])
    middle = names.index(">")
    assert names[2 : middle - 1] == names[middle + 1 : -1]
    assert len(set(names[2 : middle - 1])) == 5


@pytest.mark.parametrize(
    ("text", "tokens", "generate", "said"),
    [
        ("def f(x, y): return x + y", "1 / 2", False, "one sequence"),
        ("def f(x): return x", "1 2", True, "needs an end"),
        ("END = 9\ndef f(x): return x", "1 2 3", True, "without end"),
        ("def f(x): return x // 0 * x", "1 2 3", False, "fails or writes"),
    ],
)
def test_what_is_no_task_is_refused(text: str, tokens: str, generate: bool, said: str) -> None:
    with pytest.raises(RasplError, match=said):
        task_of(asked(text, tokens, generate))
