"""Random tasks by name: `random:program:7:42` is candidate 42 of seed 7, today and everywhere."""

from raspl.tasks.examples import TaskError
from raspl.tasks.task import Task

TASKS = ()


def random_task(which: str) -> Task:
    """The task `KIND:SEED:INDEX`."""
    from raspl.tasks.random.candidates import KINDS, candidate

    kind, *numbers = which.split(":")
    if kind not in KINDS or len(numbers) != 2 or not all(map(str.isdecimal, numbers)):
        raise TaskError(
            f"No task is called 'random:{which}': write random:KIND:SEED:INDEX with one of the "
            f"kinds {', '.join(KINDS)}, as in random:program:7:42."
        )
    return candidate(kind, *map(int, numbers)).task


FAMILIES = {"random": random_task}
