"""Where the tasks' RASP-L programs lie. They are source to be parsed, never imported."""

from pathlib import Path

FOLDER = Path(__file__).parent / "rasp"


def source(name: str) -> Path:
    return FOLDER / f"{name}.py"
