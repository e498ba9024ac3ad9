"""The tasks' RASP-L programs: source that is parsed, never imported."""

from pathlib import Path

from raspl.language.program import Program, load

FOLDER = Path(__file__).parent / "rasp"


def source(name: str) -> Path:
    return FOLDER / f"{name}.py"


def next_token(path: Path) -> Program:
    """The program of a file that holds one."""
    (program,) = load(path).values()
    return program
