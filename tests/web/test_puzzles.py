"""The puzzles: solvable, not solved by what one starts with, judged rightly, and kept secret."""

from __future__ import annotations

import json
import random
import re

import pytest

from raspl.errors import RasplError
from raspl.web.puzzles import PUZZLES
from raspl.web.puzzles.judging import PROGRAMS, first_wrong, judge, solution
from raspl.web.puzzles.listing import listed

IDS = list(PUZZLES)
FIRST_FIVE = IDS[:5]


def text_of(puzzle: str) -> str:
    return (PROGRAMS / f"{puzzle.replace('-', '_')}.py").read_text("utf-8")


def test_there_are_thirty_from_the_previous_token_to_addition() -> None:
    assert len(PUZZLES) == 30
    assert IDS[0] == "previous-token"
    assert IDS[-1] == "reverse-addition"
    assert {path.stem.replace("_", "-") for path in PROGRAMS.glob("*.py")} == set(IDS)


@pytest.mark.parametrize("puzzle", IDS)
def test_the_best_solution_known_is_right(puzzle: str) -> None:
    judged = judge({"puzzle": puzzle, "text": text_of(puzzle)})
    assert judged["solved"], judged
    assert judged["tested"] > 500
    assert judged["measures"] == judged["best"]


@pytest.mark.parametrize("puzzle", IDS)
def test_the_text_to_begin_with_runs_and_is_wrong(puzzle: str) -> None:
    judged = judge({"puzzle": puzzle, "text": PUZZLES[puzzle].start})
    assert not judged["solved"]
    found = judged["counterexample"]
    assert found["expected"][found["at"]] is not None
    assert found["got"][: found["at"]] == found["expected"][: found["at"]]
    assert found["sentence"]


@pytest.mark.parametrize("puzzle", IDS)
def test_the_solution_is_right_on_inputs_that_the_judge_does_not_try(puzzle: str) -> None:
    asked, rng = PUZZLES[puzzle], random.Random(1)
    inputs = [asked.draw(rng, rng.randint(1, 80)) for _ in range(40)]
    assert first_wrong(solution(puzzle), asked, inputs) is None


@pytest.mark.parametrize("puzzle", IDS)
def test_texts_are_short_and_complete(puzzle: str) -> None:
    asked = PUZZLES[puzzle]
    assert len(re.findall(r"[.?!](?:\s|$)", asked.goal.replace("…", ""))) <= 2, asked.goal
    assert len(asked.hints) >= 3
    for name in asked.uses:
        assert hasattr(__import__("raspl"), name)


@pytest.mark.parametrize("puzzle", FIRST_FIVE)
def test_who_follows_the_hints_solves_the_first_five(puzzle: str) -> None:
    """The code that the hints spell out, put into the text to begin with, is a solution."""
    asked = PUZZLES[puzzle]
    codes = re.findall(r"`([^`]+)`", " ".join(asked.hints))
    head = asked.start[: asked.start.index("return")]
    answers = [code.removeprefix("return ") for code in codes if "…" not in code]
    answers.append("x > before")  # what "a comparison of x with `before`" means
    assert any(
        judge({"puzzle": puzzle, "text": f"{head}return {answer}\n"})["solved"]
        for answer in answers
        if _is_program(f"{head}return {answer}\n")
    )


def _is_program(text: str) -> bool:
    try:
        return bool(judge({"puzzle": IDS[0], "text": text}))
    except RasplError:
        return False


def test_a_counterexample_is_as_short_as_can_be() -> None:
    nearly = "def f(x):\n    return maximum(shift_right(x, 1))\n"
    found = judge({"puzzle": "largest-so-far", "text": nearly})["counterexample"]
    assert found["input"] == "1"
    late = "def f(x):\n    return where(shift_right(x, 3) == 5, full(x, 0), shift_right(x, 1))\n"
    found = judge({"puzzle": "previous-token", "text": late})["counterexample"]
    assert found["input"].split() == ["5", "1", "1", "1"]
    assert found["at"] == 3


def test_a_solution_that_is_right_on_short_inputs_only_is_found_out() -> None:
    text = (
        "def f(x):\n    far = shift_right(x, 150)\n"
        "    return where(far > 0, full(x, 1), shift_right(x, 1))\n"
    )
    judged = judge({"puzzle": "previous-token", "text": text})
    assert not judged["solved"]
    assert judged["counterexample"]["at"] == 150


def test_a_program_that_fails_is_told_why() -> None:
    text = "def f(x):\n    return shift_right(x, 1) + 0 * (9 // (x - 5))\n"
    found = judge({"puzzle": "previous-token", "text": text})["counterexample"]
    assert found["input"] == "5"
    assert "zero" in found["sentence"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(x):\n    return x[0]\n", "fix the program first"),
        ("", "no program yet"),
        ("def f(x, y):\n    return x + y\n", "reads x, y"),
    ],
)
def test_what_is_no_solution_is_refused_in_a_sentence(text: str, said: str) -> None:
    with pytest.raises(RasplError, match=said):
        judge({"puzzle": IDS[0], "text": text})


def test_unknown_puzzles_are_refused() -> None:
    with pytest.raises(RasplError, match="no puzzle"):
        judge({"puzzle": "../board", "text": "def f(x): return x"})


def test_the_page_gets_neither_specification_nor_solution() -> None:
    public = json.dumps(listed())
    for puzzle in IDS[5:]:
        body = text_of(puzzle).split("return")[-1].strip()
        hints = " ".join(PUZZLES[puzzle].hints)
        assert body not in public.replace('\\"', '"') or body in hints
    assert "specification" not in public


def test_a_zero_at_the_front_has_not_been_seen_before() -> None:
    """What moves in at the front must not be taken for a token."""
    wrong = "def repeated(x):\n    return has_seen(shift_right(x, 1), x)\n"
    assert judge({"puzzle": "seen-before", "text": wrong})["counterexample"]["input"] == "0"
    right = wrong.replace("x, 1)", "x, 1, default=-1)")
    assert judge({"puzzle": "seen-before", "text": right})["solved"]
