"""What no program computes is said of such tasks, and never of a task that has a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from raspl.prediction import find_source, predict
from raspl.prediction.impossibility import pumped
from raspl.prediction.sources import NAMES, TaskSource
from raspl.synthesis import settings_for
from raspl.synthesis.examples import LabelledSource
from raspl.tasks import SHIPPED
from raspl.tasks.languages import language
from tests.settling import called_impossible


def bits(rng: np.random.Generator, length: int) -> list[int]:
    return [int(bit) for bit in rng.integers(2, size=length)]


def labelled(label: Callable[[Sequence[int]], int | None]) -> LabelledSource:
    return LabelledSource("made", bits, label)


@pytest.mark.parametrize(
    "label",
    [
        lambda prefix: sum(prefix) % 2,
        lambda prefix: sum(prefix) % 3,
        lambda prefix: len(prefix) % 2,
        lambda prefix: (len(prefix) // 5) % 2,
        lambda prefix: sum(prefix) % 2 if prefix[-1] == 0 else 0,
    ],
)
def test_what_alternates_for_ever_has_no_program(label: Callable[[Sequence[int]], int]) -> None:
    found = pumped(labelled(label))
    assert found is not None
    # The evidence can be checked by hand: the answers are the label's.
    for number, answer in enumerate(found.answers[:12], 1):
        prompt = [*found.before, *found.repeated * number, *found.after]
        assert str(label([int(token) for token in prompt])) == answer


@pytest.mark.parametrize(
    "label",
    [
        lambda prefix: int(2 * sum(prefix) > len(prefix)),
        lambda prefix: prefix[-1],
        lambda prefix: int(0 in prefix),
        lambda prefix: int(len(prefix) == 60),
    ],
)
def test_what_settles_is_left_to_the_search(label: Callable[[Sequence[int]], int]) -> None:
    assert pumped(labelled(label)) is None


@pytest.mark.parametrize(
    ("regex", "repeated"),
    [("(aa)*", "a"), ("(aa)*bb(a)*", "a"), ("bccb(aa)*", "a"), ("a*(ba*ba*)*", "b")],
)
def test_languages_that_count_modulo_two_have_no_strict_program(regex: str, repeated: str) -> None:
    found = pumped(TaskSource(language(regex)))
    assert found is not None
    assert found.rules == "strict"
    assert found.repeated == ("&", repeated)
    assert found.sentence.startswith("No strict RASP-L program of any size computes it: on ")


@pytest.mark.parametrize("regex", ["(ab)*", "(abbc)*", "(a|b)*b", "(ab|bba)*", "cb(a)*baa"])
def test_languages_without_such_a_count_are_left_to_the_search(regex: str) -> None:
    assert pumped(TaskSource(language(regex))) is None


def test_of_the_tasks_that_ship_only_plain_parity_and_sums_are_impossible() -> None:
    impossible = {name for name in NAMES if pumped(find_source(name)) is not None}
    assert impossible == {"parity_plain", "parity_sum"}
    assert all(SHIPPED[name].program is None for name in impossible)


def test_a_prediction_gives_the_inputs_as_evidence() -> None:
    source = find_source("parity_plain")
    made = predict(source, settings_for(source, budget=5.0))
    assert made.verdict == "will not"
    assert "No RASP-L program of any size" in str(made)
    assert "(1)ⁿ" in str(made)


@pytest.mark.parametrize("part", range(2))
def test_it_never_fires_on_a_task_that_has_a_program(part: int) -> None:
    """`python -m tests.settling` takes many more."""
    assert not any(called_impossible(seed) for seed in range(part * 10, part * 10 + 10))
