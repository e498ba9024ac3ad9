"""A second search on another core: the same result, and no process is left behind."""

import multiprocessing

import pytest

from raspl.prediction import find_source, predict
from raspl.prediction.elsewhere import elsewhere
from raspl.synthesis import Settings

TIMES = {"made", "seconds"}


def without_times(made: object) -> object:
    """A prediction as data, less when it was made and how long it took."""
    if isinstance(made, dict):
        return {name: without_times(one) for name, one in made.items() if name not in TIMES}
    return [without_times(one) for one in made] if isinstance(made, tuple | list) else made


@pytest.mark.parametrize("task", ["language:(a|b)*b", "sort"])
def test_where_a_search_runs_changes_nothing(task: str) -> None:
    """Of (a|b)*b a second search is needed; of sort it is not, and is ended."""
    source, settings = (
        find_source(task),
        Settings(max_length=6, max_cost=1, held_in=80, budget=3600),
    )
    with elsewhere(task, {}) as begin:
        on_two = predict(source, settings, begin=begin)
    assert not multiprocessing.active_children()
    on_one = predict(source, settings)
    assert without_times(on_two.model_dump()) == without_times(on_one.model_dump())
