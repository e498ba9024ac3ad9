"""The suites: every task is found and can be drawn, and what is published is read as it is."""

from __future__ import annotations

import numpy as np
import pytest

from raspl.benchmark.recipe import configuration, longer
from raspl.benchmark.rivals import in_crasp, is_r_trivial
from raspl.benchmark.suites import Item, suite
from raspl.tasks import NOTHING, find
from raspl.training.batches import batch

ITEMS = [*suite("languages"), *suite("literature")]


def test_the_suites_are_as_large_as_they_should_be() -> None:
    counts = {family: sum(item.family == family for item in ITEMS) for family in
              ("languages", "huang", "chomsky")}  # fmt: skip
    assert counts == {"languages": 64, "huang": 25, "chomsky": 15}
    assert len({item.task for item in ITEMS}) == len(ITEMS)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.task)
def test_every_task_can_be_drawn_and_solved(item: Item) -> None:
    task = find(item.task)
    task.check_solver(9)
    lengths = np.array([item.trained_to, *(outcome.highest for outcome in item.published[:1])])
    drawn = task.examples(np.random.default_rng(0), lengths)
    wanted = drawn.left_aligned().questions()[1]
    assert (wanted != NOTHING).any(axis=1).all()


def test_published_outcomes_are_shares_at_longer_lengths() -> None:
    for item in ITEMS:
        assert (item.as_trained is None) == (not item.published)
        for outcome in item.published:
            assert 0 <= outcome.exact_match <= 1
            assert outcome.lowest <= outcome.highest > item.trained_to


def test_what_the_authors_classes_say_of_their_languages() -> None:
    """R-triviality is decided here from the automaton, and there by the authors."""
    for item in suite("languages"):
        regex, decided = item.task.removeprefix("language:"), item.verdicts["class"]
        assert is_r_trivial(regex) == (decided == "R"), regex
        assert in_crasp(decided) or not is_r_trivial(regex)


def test_all_states_of_a_language_are_trained_on() -> None:
    rng = np.random.default_rng(0)
    for item in suite("languages"):
        task = find(item.task)
        drawn = task.examples(rng, rng.integers(1, item.trained_to + 1, size=2000))
        assert drawn.labels is not None
        seen = set(drawn.labels[drawn.labels != NOTHING].tolist())
        assert seen == set(range(task.first_label, len(task.alphabet))), item.task


@pytest.mark.parametrize(
    "task", ["random:transducer:999:2", "random:arithmetic:999:0", "chomsky:duplicate_string"]
)
def test_the_recipe_trains_every_position_that_is_tested(task: str) -> None:
    config = configuration(task, seed=0).replace(batch=4000)
    assert config.test_lengths == longer() == (15, 24, 36, 120)
    data = batch(config.build_task(), config, 0)
    assert data.offset is not None
    row, column = np.nonzero(np.ones_like(data.learned))
    read = data.offset[row] + column
    assert np.unique(read).tolist() == list(range(read.max() + 1))
    longest = find(task).examples(np.random.default_rng(1), np.full(50, 120)).sizes.max()
    assert read.max() + 1 >= longest - 2
