"""The programs that ship: RASP-L source in the folders of the tasks, parsed like any other file.

NAME is the program of the task NAME, in the frame that Transformers are trained on. NAME_paper is
the same algorithm in the paper's own format. NAME_shortcut fits the task NAME on data that is not
diverse enough, and no other. Illegal ones are attempts that break the rules; their diagnostics
teach why.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from raspl.errors import RasplError
from raspl.loading import TokenNames
from raspl.loading import load as load_file
from raspl.program import Program

PAPER = "_paper"
_TASKS = Path(__file__).parent / "tasks"
_LEGAL = {each.stem: each for each in sorted(_TASKS.glob("*/programs/*.py"))}
_SHORTCUTS = {each.stem: each for each in sorted(_TASKS.glob("*/programs/shortcuts/*.py"))}
_ILLEGAL = {each.stem: each for each in sorted(_TASKS.glob("*/programs/illegal/*.py"))}
NAMES = tuple(sorted(_LEGAL, key=lambda name: (name.endswith(PAPER), name)))
"""The tasks' programs, then the paper's formats."""
SHORTCUTS = tuple(_SHORTCUTS)
ILLEGAL = tuple(_ILLEGAL)


def path(name: str) -> Path:
    """The file of a shipped program, legal or not."""
    found = _LEGAL.get(name) or _SHORTCUTS.get(name) or _ILLEGAL.get(name)
    if found is None:
        raise RasplError(f"there is no shipped program {name!r}; there are: {', '.join(NAMES)}")
    return found


@cache
def load(name: str) -> Program:
    """A shipped program, by name."""
    return load_file(path(name), tokens=tokens(name))[name]


def load_single(file: Path, tokens: TokenNames | None = None) -> Program:
    """The program of a file that holds one and no other."""
    found = load_file(file, tokens=tokens)
    if len(found) != 1:
        raise RasplError(f"{file} must hold one RASP-L program, not {len(found)}.")
    (program,) = found.values()
    return program


def tokens(name: str) -> tuple[str, ...] | None:
    """The names of the tokens that a task's program meets, or None if it is not one."""
    from raspl.tasks import SHIPPED

    is_task = name in _LEGAL and name in SHIPPED
    return SHIPPED[name].build().alphabet if is_task else None


def alphabet(name: str) -> tuple[int, ...] | None:
    """The tokens that a shipped program meets, or None if it is not one of ours."""
    from raspl.tasks import SHIPPED

    task = SHIPPED.get(name.removesuffix(PAPER))
    if name not in _LEGAL or task is None:
        return None
    return task.paper_alphabet if name.endswith(PAPER) else tuple(range(len(task.build().alphabet)))
