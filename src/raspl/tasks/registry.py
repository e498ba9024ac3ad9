"""All tasks by name: those that ship, found in the folders beside this file, and users' own."""

import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType

from raspl.language.diagnostics import IllegalProgram
from raspl.loading import looks_like_program
from raspl.tasks.languages import language
from raspl.tasks.shipped import DEFAULTS, Preset, Scale, ShippedTask, Value
from raspl.tasks.task import Task, TaskError
from raspl.words import either, guesses, no_such_file

KINDS = {int: "a whole number", float: "a number", str: "a word", bool: "True or False"}


def modules() -> Iterator[ModuleType]:
    """What the folders beside this file declare; a new folder needs no entry elsewhere."""
    for found in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if found.ispkg:
            yield import_module(f"raspl.tasks.{found.name}.task")


def declared() -> Iterator[ShippedTask]:
    for module in modules():
        yield from module.TASKS


SHIPPED: Mapping[str, ShippedTask] = MappingProxyType(
    {one.name: one for one in sorted(declared(), key=lambda one: (one.place, one.name))}
)
"""In the order of lists."""

FAMILIES: Mapping[str, Callable[[str], Task]] = MappingProxyType(
    {
        "language": language,
        **{
            name: make
            for module in modules()
            for name, make in getattr(module, "FAMILIES", {}).items()
        },
    }
)
"""Tasks without number, each called by its family and what singles it out: `language:(ab|bba)*`."""


def parameters(name: str) -> dict[str, Value]:
    """What can be set on a shipped task, with the paper's values."""
    return SHIPPED[name].parameters if name in SHIPPED else {}


def preset(name: str, scale: Scale) -> Preset:
    """Where a run of a task starts; or one of the other presets that a task's folder names."""
    for task in SHIPPED.values():
        if name == task.name:
            return task.preset(scale)
        if name in task.other_presets:
            return task.other_presets[name].get(scale) or task.preset(scale)
    if scale not in DEFAULTS:
        raise TaskError(f"The paper has no task {name!r}; use --scale laptop.")
    return DEFAULTS[scale]


def find(name: str, values: Mapping[str, Value] = MappingProxyType({})) -> Task:
    """A shipped task by its name, the task that a Python file defines, or one of a family."""
    if name.endswith(".py"):
        if values:
            raise TaskError(f"{name} takes no parameters; set them in the file.")
        return from_file(Path(name))
    family, colon, which = name.partition(":")
    if colon and family in FAMILIES:
        if values:
            raise TaskError(f"{name} takes no parameters.")
        return FAMILIES[family](which)
    if name not in SHIPPED:
        raise unknown_task(name, SHIPPED)
    known = parameters(name)
    unknown = set(values) - set(known)
    if unknown:
        listed = ", ".join(known) or "none"
        raise TaskError(f"Task {name} has no parameter {sorted(unknown)[0]!r}; it has: {listed}.")
    for key, value in values.items():
        if type(value) is not type(known[key]):
            raise TaskError(
                f"{key} of task {name} must be {KINDS[type(known[key])]}, not {value!r}."
            )
    return SHIPPED[name].build(**values)


def is_own(name: str) -> bool:
    """Whether a name is that of a user's own task: in a file, or one of a family."""
    return name.endswith(".py") or name.partition(":")[0] in FAMILIES


def unknown_task(name: str, known: Iterable[str]) -> TaskError:
    """No task bears this name; which may have been meant."""
    if Path(name).is_file():
        return TaskError(f"{name} is not a Python file: a task of your own is in a file *.py.")
    close = guesses(name, known)
    guess = f" Did you mean {either(close)}?" if close else ""
    return TaskError(f"No task is called {name!r}.{guess} `raspl tasks` lists them.")


def from_file(path: Path) -> Task:
    """Run a user's own file, which must leave a Task called `task`."""
    if not path.is_file():
        raise TaskError(no_such_file(path))
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
        f"{path} defines no Task called `task`; end it with `task = "
        "Task.from_solver(…)` or another Task, as docs/tasks.md shows."
    )
