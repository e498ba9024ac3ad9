"""The paper's programs, as RASP-L source that is parsed like any other file.

`illegal/` holds attempts that break the rules: their diagnostics teach why.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from raspl.errors import RasplError
from raspl.loading import load as load_file
from raspl.program import Program

_HERE = Path(__file__).parent
NAMES = (
    "count",
    "mode",
    "copy_unique",
    "sort",
    "conjunction",
    "add_reverse",
    "add_forward",
    "parity_scratchpad",
)
ILLEGAL = tuple(sorted(path.stem for path in (_HERE / "illegal").glob("*.py")))


def path(name: str) -> Path:
    """The file of a shipped program, legal or not."""
    if name in NAMES:
        return _HERE / f"{name}.py"
    if name in ILLEGAL:
        return _HERE / "illegal" / f"{name}.py"
    raise RasplError(f"there is no shipped program {name!r}; there are: {', '.join(NAMES)}")


@cache
def load(name: str) -> Program:
    """A shipped program, by name."""
    return load_file(path(name))[name]
