"""The tasks that ship, by name, and a user's own from a file."""

import importlib.util
import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from raspl.language.diagnostics import IllegalProgram
from raspl.loading import looks_like_program
from raspl.tasks.addition import addition
from raspl.tasks.conjunction import conjunction
from raspl.tasks.copying import copy_repeat, copy_unique, sort
from raspl.tasks.count import count
from raspl.tasks.mode import mode
from raspl.tasks.parity import parity
from raspl.tasks.task import Task, TaskError
from raspl.words import either, guesses

Value: TypeAlias = int | float | str | bool

KINDS = {int: "a whole number", float: "a number", str: "a word", bool: "True or False"}

SHIPPED: Mapping[str, Callable[..., Task]] = MappingProxyType(
    {
        "count": count,
        "mode": partial(mode, scratchpad="none"),
        "mode-scratchpad-frequency": partial(mode, scratchpad="frequency"),
        "mode-scratchpad-appearance": partial(mode, scratchpad="appearance"),
        "copy-unique": copy_unique,
        "copy-repeat": copy_repeat,
        "sort": sort,
        "addition-plain": partial(addition, order="plain"),
        "addition-forward": partial(addition, order="forward"),
        "addition-reverse": partial(addition, order="reverse"),
        "parity-plain": partial(parity, scratchpad="plain"),
        "parity-scratchpad": partial(parity, scratchpad="scratchpad"),
        "parity-sum": partial(parity, scratchpad="sum"),
        "conjunction": conjunction,
    }
)


def parameters(name: str) -> dict[str, Value]:
    """What can be set on a shipped task, with the paper's values."""
    build = SHIPPED.get(name)
    if build is None:
        return {}
    fixed = build.keywords if isinstance(build, partial) else {}
    return {
        key: parameter.default
        for key, parameter in inspect.signature(build).parameters.items()
        if key not in fixed
    }


def find(name: str, values: Mapping[str, Value] = MappingProxyType({})) -> Task:
    """A shipped task by its name, or the task that a Python file defines."""
    if name.endswith(".py"):
        if values:
            raise TaskError(f"{name} takes no parameters; set them in the file.")
        return from_file(Path(name))
    if name not in SHIPPED:
        raise unknown_task(name, SHIPPED)
    unknown = set(values) - set(parameters(name))
    if unknown:
        known = ", ".join(parameters(name)) or "none"
        raise TaskError(f"Task {name} has no parameter {sorted(unknown)[0]!r}; it has: {known}.")
    for key, value in values.items():
        if type(value) is not type(parameters(name)[key]):
            kind = KINDS[type(parameters(name)[key])]
            raise TaskError(f"{key} of task {name} must be {kind}, not {value!r}.")
    return SHIPPED[name](**values)


def unknown_task(name: str, known: Iterable[str]) -> TaskError:
    """No task bears this name; which may have been meant."""
    close = guesses(name, known)
    guess = f" Did you mean {either(close)}?" if close else ""
    return TaskError(f"No task is called {name!r}.{guess} `raspl tasks` lists them.")


def from_file(path: Path) -> Task:
    """Run a user's own file, which must leave a Task called `task`."""
    if not path.is_file():
        raise TaskError(f"There is no file {path}.")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise TaskError(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except TaskError:
        raise
    except IllegalProgram as error:
        raise TaskError(
            f"{path} could not be run, as a RASP-L program in it is illegal. "
            f"docs/tasks.md tells how to write a task.\n\n{error.diagnostics[0]}"
        ) from error
    except Exception as error:
        raise TaskError(f"{path} could not be run: {type(error).__name__}: {error}.") from error
    task = getattr(module, "task", None)
    if isinstance(task, Task):
        return task
    if looks_like_program(path):
        raise TaskError(
            f"{path} defines no Task called `task`; it looks like a RASP-L program, which "
            "`raspl check`, `run` and `measure` take. docs/tasks.md tells how to write a task."
        )
    raise TaskError(
        f"{path} defines no Task called `task`; end it with `task = Task(…)`, "
        "as docs/tasks.md shows."
    )
