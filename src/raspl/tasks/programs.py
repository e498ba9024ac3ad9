"""The tasks' RASP-L programs: source that is parsed, never imported."""

from pathlib import Path

from raspl.loading import load
from raspl.program import Program
from raspl.tasks.task import TaskError

FOLDER = Path(__file__).parent / "rasp"


def source(name: str) -> Path:
    return FOLDER / f"{name}.py"


def next_token(path: Path) -> Program:
    """The program of a file that holds one."""
    found = load(path)
    if len(found) != 1:
        raise TaskError(f"{path} must hold one RASP-L program, not {len(found)}.")
    (program,) = found.values()
    return program
