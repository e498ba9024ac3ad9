"""Predictions: the three terms of the conjecture, written down before training."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from raspl.prediction import Prediction, find_source, predict
from raspl.prediction.prediction import Judgement
from raspl.prediction.survival import longer_lengths
from raspl.prediction.verdict import graph_cost
from raspl.synthesis import Result, search
from raspl.synthesis.components import INDICES, Rule, Term
from raspl.synthesis.examples import KnownSource
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.settings import Settings
from raspl.tasks import Task


def predicted(name: str, **settings: Any) -> Prediction:
    return predict(find_source(name), Settings(**settings))


@pytest.fixture(scope="module")
def sort() -> Prediction:
    return predicted("sort", max_length=5)


def test_a_task_with_a_short_program_will_generalise(sort: Prediction) -> None:
    assert sort.verdict == "will generalise"
    (letter,) = sort.readings.values()
    assert "found" in letter.realizability
    assert "costs 1" in letter.simplicity
    assert "No program cheaper than 1" in letter.diversity


def test_a_shortcut_spoils_count_of_one_length() -> None:
    poor = predicted("count", max_length=2, min_length=2)
    assert poor.verdict == "will not"
    assert "shortcut of cost 1" in poor.readings["letter"].diversity
    assert "where the answer is" in poor.readings["letter"].diversity
    assert poor.trained_from == poor.trained_to == 2


def test_nothing_cheap_explains_repeat_copy() -> None:
    copy = predicted("copy_repeat", max_length=4, max_cost=2, rules="strict", deep=False)
    assert copy.verdict == "will not"
    assert "can build up to cost 2" in copy.readings["strict"].diversity
    assert "paper gives no program" in copy.readings["strict"].diversity


def test_a_table_that_remembers_hides_no_program() -> None:
    """On one word of each length a table of positions is cheap; at twice the length it is wrong."""
    made = predicted("language:bab(ba)*", max_length=30, max_cost=2, held_in=100)
    free = [one for one in made.finds if one.is_strict and not one.positions]
    assert any(one.survives for one in free)
    assert any(not one.survives for one in free)


def test_programs_with_positions_hide_none_without() -> None:
    """The first letter: look-ups by place are found first, and there is a program without."""
    letters = list("abcd")

    def prompts(rng: np.random.Generator, length: int) -> list[str]:
        return [str(letter) for letter in rng.choice(letters, size=length)]

    task = Task.from_solver("first", letters, prompts, lambda prompt: [prompt[0]])
    made = predict(find_source(task), Settings(max_length=8, deep=False))
    free = [one for one in made.finds if one.survives and one.is_strict and not one.positions]
    assert min(one.cost for one in free) <= 4


def test_the_same_seed_gives_the_same_forecast() -> None:
    """Work ends a search and not the clock, so all but the times is the same."""

    def once() -> Prediction:
        made = predicted("language:(ab|bba)*", max_length=8, max_cost=1, work=10**7)
        readings = {name: one.replace(seconds=None) for name, one in made.readings.items()}
        return made.replace(made="", seconds=None, readings=readings)

    assert once() == once()


def test_a_program_that_comes_with_the_task_has_no_say_in_the_search() -> None:
    """The forecast would know of it otherwise. Nothing is found here, so longer examples are
    searched too."""
    lengths = []

    def noted(source: KnownSource, settings: Settings, watch: object) -> Result:
        lengths.append(settings.max_length)
        return search(source, settings)

    source = find_source("mode")
    made = predict(source, Settings(max_length=4, max_cost=1, deep=False), search=noted)
    assert made.readings["letter"].program is not None
    assert made.cheapest is None
    assert lengths == [4, 8]


COPY = """
from raspl.tasks import Task
from raspl.tasks.copy.task import copy_repeat

known = copy_repeat()
task = Task("mine", "the same", known.symbols, known.sample, known.solve{more})
"""


def mine(folder: Path, more: str = "", **settings: Any) -> tuple[Prediction, Judgement]:
    (folder / "mine.py").write_text(COPY.format(more=more), "utf-8")
    prediction = predicted(
        str(folder / "mine.py"), max_length=4, rules="strict", deep=False, **settings
    )
    return prediction, prediction.readings["strict"]


def test_of_a_task_of_ones_own_a_search_that_finds_nothing_says_nothing(tmp_path: Path) -> None:
    prediction, letter = mine(tmp_path, max_cost=1)
    assert prediction.verdict == "unknown"
    assert "tried every program that it can build up to cost 1." in letter.diversity
    assert "write the program into the task (program=" in letter.diversity
    assert "--budget" not in letter.diversity


def test_a_longer_budget_is_advised_where_time_ended_the_search(tmp_path: Path) -> None:
    _, letter = mine(tmp_path, budget=0.05)
    assert "or search longer (--budget)" in letter.diversity
    assert "The clock ended the search" in letter.statement


def test_more_time_is_not_advised_where_work_ended_the_search(tmp_path: Path) -> None:
    _, letter = mine(tmp_path, work=1000, budget=1e9)
    assert "--budget" not in letter.diversity + letter.statement


def test_a_program_that_goes_wrong_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "same.py").write_text("@program\ndef same(x):\n    return x\n", "utf-8")
    prediction, letter = mine(tmp_path, f", program={str(tmp_path / 'same.py')!r}", max_cost=1)
    assert prediction.verdict == "unknown"
    assert "the one that comes with the task goes wrong on `SoS" in letter.realizability
    assert "correct the program of the task" in letter.diversity


def test_a_small_task_is_not_given_up_either() -> None:
    first = predicted("first_again", max_length=5, max_cost=1, deep=False)
    assert first.verdict == "unknown"
    assert first.readings["letter"].diversity.endswith("A program that costs more may exist.")


@pytest.mark.parametrize("shortest", [1, 4])
def test_nothing_is_predicted_where_nothing_lies_beyond_training(
    tmp_path: Path, shortest: int
) -> None:
    wrong = tmp_path / "same.py"
    wrong.write_text("@program\ndef same(x):\n    return x\n", "utf-8")
    more = f", shortest={shortest}, longest=4, program={str(wrong)!r}"
    prediction, letter = mine(tmp_path, more, min_length=shortest, max_cost=1)
    assert prediction.looked_at == ()
    assert prediction.verdict == "unknown"
    assert "nothing beyond these lengths" in letter.diversity
    assert "goes wrong on" in letter.realizability


def test_a_shipped_task_with_room_for_one_length_only() -> None:
    one = Settings(max_length=1, max_cost=1)
    assert predict(find_source("count", {"numbers": 1}), one).verdict == "unknown"
    addition = predict(find_source("addition_forward", {"hints": 2}), one)
    assert addition.looked_at == (1,)  # it is tested on other carries than trained on


def test_conjunction_is_tried_with_more_bits() -> None:
    assert longer_lengths(find_source("conjunction"), 20) == [20, 40, 200]


def test_where_letter_and_strict_differ_nothing_is_predicted() -> None:
    """The letter lets counts do index arithmetic, which makes repeat copy short."""
    copy = predicted("copy_repeat", max_length=4, max_cost=3, stop_at_first=True, deep=False)
    assert copy.readings["letter"].verdict == "will generalise"
    assert copy.readings["strict"].verdict == "will not"
    assert copy.verdict == "unknown"


def test_a_shipped_program_counts_where_the_search_finds_none() -> None:
    hints = predicted("parity_scratchpad", max_length=4, max_cost=1, deep=False)
    assert hints.verdict == "will generalise"
    assert "comes with the task" in hints.readings["letter"].realizability
    assert "did not try all" in hints.readings["letter"].diversity


def test_it_says_which_lengths_it_looked_at(sort: Prediction) -> None:
    assert sort.looked_at == (10, 50)
    programs = sort.readings["letter"].programs
    beyond = {"found": {10, 50}, "shipped with the task": {5, 10, 50}}
    assert all(set(program.exact_match) == beyond[program.origin] for program in programs)
    assert all(rival.length <= 5 for rival in sort.rivals)


@pytest.mark.parametrize(
    ("exact", "right"),
    [
        ({5: 1.0, 7: 0.97}, True),
        ({5: 1.0, 7: 0.2}, False),
        ({5: 0.8, 7: 0.97}, None),
        ({5: 1.0}, None),
    ],
)
def test_a_run_is_compared_with_its_prediction(
    sort: Prediction, exact: dict[int, float], right: bool | None
) -> None:
    assert sort.compare(exact) is right


def test_cost_of_any_program() -> None:
    shift = Term(Rule("back", "Index", ("Index",), literals=(1,), value="Index", reduction="mean"))
    graph = to_graph(Term(shift.rule, (INDICES,)), 8)
    # The shift of the keys is a map of its own when it is written out.
    assert graph_cost(graph) == 2
