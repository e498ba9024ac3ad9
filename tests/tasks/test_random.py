"""Random tasks: functions of their names, right by a definition of their own, none trivial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from raspl.tasks import Task, TaskError, find
from raspl.tasks.random.candidates import KINDS, OUTSIDE, candidate, worthwhile
from raspl.tasks.random.drawn import Drawn, Unfit
from raspl.tasks.random.worth import behaviour, objection

SOME = {
    "program": (34, 59, 146, 153),
    "written": (904,),
    "automaton": (0, 1, 2, 3),
    "transducer": (0, 1, 2, 3),
    "arithmetic": (0, 1, 3, 4, 5, 6, 7, 9),
}
"""Of seed 999, worth training on."""
NAMES = [f"random:{kind}:999:{index}" for kind, indices in SOME.items() for index in indices]


def _address(name: str) -> tuple[str, int, int]:
    _, kind, seed, index = name.split(":")
    return kind, int(seed), int(index)


def names_of(task: Task) -> set[str]:
    return set(task.labels or task.symbols)


@pytest.mark.parametrize("name", NAMES)
def test_a_task_is_a_function_of_its_name(name: str) -> None:
    lengths = np.array([7, 3, 12])
    first, again = (find(name).examples(np.random.default_rng(5), lengths) for _ in range(2))
    assert np.array_equal(first.tokens, again.tokens)
    if first.labels is not None and again.labels is not None:
        assert np.array_equal(first.labels, again.labels)


@pytest.mark.parametrize("name", NAMES)
def test_the_sampler_says_what_the_definition_says(name: str) -> None:
    """Programs: batch or stream against the reference; machines: matrices against loops."""
    task = find(name)
    for length in (1, 2, 9, 20):
        task.check_solver(length)


@pytest.mark.parametrize("name", [name for name in NAMES if find(name).solve_many is not None])
def test_many_prompts_at_once_get_the_solvers_answers(name: str) -> None:
    task, rng = find(name), np.random.default_rng(1)
    letters = candidate(*_address(name)).letters
    prompts = [list(rng.choice(list(letters), size=size)) for size in range(1, 40)]
    assert task.solve_many is not None
    for prompt, answer in zip(prompts, task.solve_many(prompts), strict=True):
        assert answer == (task.solve(prompt) or None)


def test_what_has_no_answer_to_some_input_is_left_out() -> None:
    def solve(prefix: Sequence[str]) -> list[str]:
        if len(prefix) > 5:
            raise ValueError("the program writes no end")
        return [str(len(prefix) % 2)]

    assert behaviour(made(lambda prefix: str(len(prefix) % 2))) is not None
    fails = made(lambda prefix: str(len(prefix) % 2))
    fails = replace(fails, task=replace(fails.task, solve=solve))
    assert behaviour(fails) is None


@pytest.mark.parametrize("name", NAMES)
def test_test_lengths_have_examples(name: str) -> None:
    find(name).examples(np.random.default_rng(0), np.array([160, 120]))


@pytest.mark.parametrize("name", NAMES)
def test_they_are_worth_training_on(name: str) -> None:
    assert objection(candidate(*_address(name))) is None


def made(label: object, letters: str = "abc") -> Drawn:
    task = Task.labelled(
        "made",
        letters,
        lambda rng, length: [letters[one] for one in rng.integers(len(letters), size=length)],
        label,  # type: ignore[arg-type]  # any function of a test
        labels=("0", "1"),
    )
    return Drawn(task, letters, "")


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        (lambda x: "1", "One label is nearly all"),
        (lambda x: str(int(len(x) < 2)), "One label is nearly all"),
        (lambda x: str(int(len(x) < 8)), "In the end one label"),
        (lambda x: str(int(x[-1] == "a")), "a function of the symbol"),
        (lambda x: str(x.count("a")), "none of its labels"),
    ],
)
def test_trivial_ones_are_found_out(label: object, sentence: str) -> None:
    assert sentence in str(objection(made(label)))


def test_trivial_answers_are_found_out() -> None:
    def task(rule: object) -> Drawn:
        drawn = made(lambda x: "0").task
        sampler = lambda rng, n: [*"abc"[rng.integers(3) :], *["a"] * n][:n]  # noqa: E731 (short)
        return Drawn(Task.from_solver(drawn.name, "abc", sampler, rule), "abc", "")  # type: ignore[arg-type]  # any function

    assert "One answer" in str(objection(task(lambda x: ["a"])))
    assert "one symbol at the edge" in str(objection(task(lambda x: x[:1])))


def test_behaviour_is_what_is_done_and_not_how_it_is_called() -> None:
    seen = made(lambda x: str(int("a" in x[:-1])))
    swapped = made(lambda x: str(int("a" not in x[:-1])))
    other = made(lambda x: str(int("b" in x[:-1])))
    assert behaviour(seen) == behaviour(swapped)
    assert behaviour(seen) != behaviour(other)
    assert behaviour(seen) != behaviour(made(lambda x: str(int("a" in x[:-1])), "ab"))


def test_worthwhile_candidates_differ_and_can_be_chosen() -> None:
    drawn = list(islice(worthwhile(1, OUTSIDE), 9))
    assert len({behaviour(one) for one in drawn}) == 9
    assert all(objection(one) is None for one in drawn)
    again = list(islice(worthwhile(1, OUTSIDE), 9))
    assert [one.task.name for one in drawn] == [one.task.name for one in again]
    labelled = islice(worthwhile(1, OUTSIDE, lambda one: one.task.is_labelled), 4)
    assert all(one.task.is_labelled for one in labelled)


def test_both_formats_occur_in_every_kind_but_one() -> None:
    for kind in ("automaton", "transducer", "arithmetic"):
        formats = set()
        for index in range(20):
            formats.add(candidate(kind, 5, index).task.is_labelled)
        assert formats == {True, False}, kind


def test_what_makes_no_task_says_so() -> None:
    reasons = set()
    for index in range(40):
        try:
            candidate("program", 3, index)
        except Unfit as error:
            reasons.add(str(error))
    assert "It has 1 different outputs." in reasons


@pytest.mark.parametrize(
    "name",
    ["random:", "random:x:1:2", "random:program:1", "random:program:1:-2", "random:program:a:b"],
)
def test_other_names_are_explained(name: str) -> None:
    with pytest.raises(TaskError, match="write random:KIND:SEED:INDEX"):
        find(name)


def test_rules_of_arithmetic_by_a_second_definition() -> None:
    """One of each sort, where a mistake is easy."""
    from random import Random

    from raspl.tasks.random.arithmetic import labellers, writers

    rng = np.random.default_rng(0)
    for seed in range(20):
        labels, writes = labellers(Random(seed), 4), writers(Random(seed), 4)
        for _ in range(20):
            x = rng.integers(4, size=int(rng.integers(1, 12))).tolist()
            for about, (number, rule) in labels.items():
                assert 0 <= rule(x) < number, about
                if about.startswith("the length of the current run"):
                    run = next((at for at, one in enumerate(x[::-1]) if one != x[-1]), len(x))
                    assert rule(x) == min(run, number) - 1
                if about.startswith("how many descents"):
                    assert rule(x) == sum(p > q for p, q in pairwise(x)) % number
            for about, write in writes.items():
                answer = list(write(x))
                assert all(0 <= one < 4 for one in answer), about
                if about == "pairs swapped":
                    expected = list(x)
                    for at in range(0, len(x) - 1, 2):
                        expected[at], expected[at + 1] = x[at + 1], x[at]
                    assert answer == expected


def test_kinds_are_told_apart() -> None:
    assert set(KINDS) == set(SOME)
