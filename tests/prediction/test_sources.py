"""Sources of examples, by name, by file, and from a Task itself."""

from pathlib import Path

import numpy as np
import pytest

from raspl.errors import RasplError
from raspl.prediction.sources import NAMES, TaskSource, find_source
from raspl.synthesis.practice import PRACTICE
from raspl.tasks import SHIPPED, Task, find
from raspl.tasks.shipped import Value


def task_source(task: str | Path | Task, **values: Value) -> TaskSource:
    source = find_source(task, values)
    assert isinstance(source, TaskSource)
    return source


def test_every_name_is_found() -> None:
    assert {*SHIPPED, *PRACTICE} == set(NAMES)
    for name in NAMES:
        assert find_source(name).name == name


def test_parameters_are_kept_and_mistakes_are_told() -> None:
    assert task_source("sort", numbers=9).parameters == {"numbers": 9}
    with pytest.raises(RasplError, match="shift takes no parameters"):
        find_source("shift", {"numbers": 9})
    with pytest.raises(RasplError, match="Did you mean first_again"):
        find_source("first-again")


def test_a_task_is_a_source_of_its_own_examples() -> None:
    task = find("sort", {"numbers": 9})
    source = task_source(task)
    assert source.shipped is None
    with pytest.raises(RasplError, match="takes no parameters"):
        find_source(task, {"numbers": 9})
    (mine,) = source.draw(np.random.default_rng(0), [4])
    (named,) = find_source("sort", {"numbers": 9}).draw(np.random.default_rng(0), [4])
    assert mine == named


def test_a_file_may_be_a_path(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from raspl.tasks import find\n\ntask = find('sort')\n", "utf-8")
    assert task_source(file).shipped is None
    assert find_source(str(file)).name == find_source(file).name == "sort"


def test_a_task_of_one_length_is_built_for_the_length_it_is_tested_at() -> None:
    longer = task_source("conjunction").at_test(40)
    assert longer.lengths == (40, 40)
    assert longer.on == "unseen"
    assert task_source("sort").at_test(40).lengths == find_source("sort").lengths
