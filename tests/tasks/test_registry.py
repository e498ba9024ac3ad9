"""Finding tasks by name and in files, with kind errors."""

from pathlib import Path

import pytest

from raspl.tasks import SHIPPED, TaskError, find, parameters

OWN = '''
"""Double every letter."""
import numpy as np
from raspl.tasks import Task, keep

LETTERS = "abcdefgh"

def sample(rng, lengths):
    letters = keep(rng.integers(len(LETTERS), size=(len(lengths), lengths.max())), lengths)
    return letters, np.repeat(letters, 2, axis=1)

def solve(prompt):
    return [letter for letter in prompt for _ in range(2)]

task = Task("double", "every letter twice", LETTERS, sample, solve)
'''


MARKED = "from raspl import program\n\n@program\ndef f(x):\n    return "
"""A program, as far as the expression that it returns."""


def test_shipped_tasks_bear_their_names() -> None:
    assert [find(name).name for name in SHIPPED] == list(SHIPPED)


def test_parameters_are_the_papers_unless_set() -> None:
    assert parameters("count") == {"numbers": 155}
    assert parameters("mode") == {"letters": 52}
    assert parameters("addition_reverse") == {"hints": 100}
    assert len(find("sort", {"numbers": 7}).symbols) == 7


def test_a_task_of_ones_own_is_one_short_file(tmp_path: Path) -> None:
    path = tmp_path / "double.py"
    path.write_text(OWN)
    task = find(str(path))
    assert list(task.solve(["a", "b"])) == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x = 1", "defines no Task called `task`; end it with `task = "),
        ("def f(x):\n    return x + 1", "looks like a RASP-L program.* docs/tasks.md"),
        (f"{MARKED}x + 1", "looks like a RASP-L program.* docs/tasks.md"),
        (f"{MARKED}x[0]", "a RASP-L program in it is illegal(.|\\n)*R104 subscript"),
        ("1 / 0", "could not be run: ZeroDivisionError"),
        ("def f(:", "could not be run: SyntaxError"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "own.py"
    path.write_text(text)
    with pytest.raises(TaskError, match=says):
        find(str(path))


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("cuont", "Did you mean count?"),
        ("copy-unique", "Did you mean copy_unique?"),
        ("addition", "Did you mean addition_forward, addition_plain or addition_reverse?"),
        ("xyzzy", "`raspl tasks` lists them."),
    ],
)
def test_a_wrong_name_is_answered_with_a_guess(name: str, guess: str) -> None:
    with pytest.raises(TaskError) as caught:
        find(name)
    assert str(caught.value).startswith(f"No task is called {name!r}. {guess}")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(TaskError, match="no parameter 'letters'; it has: numbers"):
        find("count", {"letters": 3})
    with pytest.raises(TaskError, match="There is no file"):
        find("nowhere.py")
