"""Ways to train that the paper argues against or leaves open; none of them renames a usual run."""

from pathlib import Path

import numpy as np
import pytest

from raspl import programs
from raspl.executors.batch import run as run_batch
from raspl.prediction import find_source
from raspl.runs.execute import execute
from raspl.synthesis import search, settings_for
from raspl.tasks import SEPARATOR, find
from raspl.training.batches import batch, drawn
from raspl.training.configuration import TrainingError
from raspl.training.presets import configure

SINGLE = {"layout": "single"}


def test_all_examples_can_be_of_one_length() -> None:
    config = configure("count", "smoke", {"min_length": 4})
    task = config.build_task()
    for layout in ("packed", "single"):
        for examples in drawn(task, config.replace(layout=layout), 3):
            assert set((examples.answers.sum(axis=1) - 1).tolist()) == {4}
    with pytest.raises(TrainingError, match="more than max_length"):
        config.replace(min_length=5)


def test_a_run_on_one_length_is_scored_in_distribution_at_that_length(tmp_path: Path) -> None:
    result = execute(configure("count", "smoke", {"min_length": 4}), tmp_path)
    assert {score.length for score in result.in_distribution} == {4}
    assert {score.length for score in result.tested} >= {1, 4, 5}


def test_without_an_offset_examples_begin_where_the_context_does() -> None:
    config = configure("count", "smoke", {**SINGLE, "offset": "zero"})
    shifted = configure("count", "smoke", SINGLE)
    task = config.build_task()
    still, moved = batch(task, config, 1), batch(task, shifted, 1)
    assert still.offset is None
    assert moved.offset is not None
    np.testing.assert_array_equal(still.tokens, moved.tokens)
    with pytest.raises(TrainingError, match="layout=single"):
        configure("count", "smoke", {"layout": "packed", "offset": "zero"})


def test_without_a_separator_the_answer_follows_the_bits(tmp_path: Path) -> None:
    task = find("conjunction", {"separator": False})
    examples = task.examples(np.random.default_rng(0), np.full(50, 20)).left_aligned()
    usual = find("conjunction").examples(np.random.default_rng(0), np.full(50, 20)).left_aligned()
    assert not (examples.tokens == SEPARATOR).any()
    np.testing.assert_array_equal(examples.tokens[:, :21], usual.tokens[:, :21])
    np.testing.assert_array_equal(examples.tokens[:, 21:], usual.tokens[:, 22:])
    np.testing.assert_array_equal(examples.answers[:, 21:], usual.answers[:, 22:])
    assert task.program is None  # ours waits for the separator
    task.check_solver(20)
    config = configure("conjunction", "smoke", {"separator": False})
    assert config.name != configure("conjunction", "smoke").name
    assert execute(config, tmp_path).tested


@pytest.mark.parametrize(
    ("task", "name", "length", "one_length"),
    [("count", "count_shortcut", 2, True), ("mode", "mode_shortcut", 2, False)],
)
def test_the_shortcuts_that_ship_are_what_the_search_finds_first(
    task: str, name: str, length: int, one_length: bool
) -> None:
    source = find_source(task, {"numbers": 60} if task == "count" else {"letters": 8})
    settings = settings_for(source, length, one_length, budget=60, max_cost=1)
    found = search(source, settings).finds[0]
    rng = np.random.default_rng(0)
    tokens = rng.integers(0, 11, size=(200, 12))
    ours = programs.load(name).batch(tokens).values
    np.testing.assert_array_equal(ours, run_batch(found.graph, tokens).values)


def test_a_model_is_compared_with_a_program_token_by_token(tmp_path: Path) -> None:
    """Only where it is wrong: count's shortcut on length 5, at all but the first and last two."""
    config = configure("count", "smoke", {"compared_with": "count_shortcut", "numbers": 20})
    (found,) = execute(config, tmp_path).compared
    examples = 16  # every sequence of 5 among 20 numbers
    assert (found.program, found.length) == ("count_shortcut", 5)
    assert (found.asked, found.differing) == (6 * examples, 3 * examples)
    wrong = [place for place, pair in enumerate(found.by_position) if pair is not None]
    assert wrong == [1, 2, 3]
    pairs = [pair for pair in found.by_position if pair is not None]
    assert found.like_program == pytest.approx(np.mean([pair[0] for pair in pairs]))
    assert found.like_truth == pytest.approx(np.mean([pair[1] for pair in pairs]))
    with pytest.raises(Exception, match="no shipped program"):
        execute(config.replace(compared_with="nonsense"), tmp_path)
