"""raspl: write an algorithm the way a Transformer would run it.

>>> from raspl import program, kqv, equals, full

Editors and type checkers read `__init__.pyi`. What it says about the core and the library is made
from their declarations: `python -m raspl.language.stub`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from raspl import programs
from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic, IllegalProgram
from raspl.language.ir.types import BOOL as Bool
from raspl.language.ir.types import INDEX as Index
from raspl.language.ir.types import INT as Int
from raspl.language.ir.types import Type
from raspl.language.public import comparisons, core_functions
from raspl.loading import Checked, check, load, parse
from raspl.program import Program, library_programs, program

Count = Type("Count")
__version__ = "0.1.0"

_functions = {**core_functions(), **comparisons(), **library_programs()}
globals().update(_functions)

__all__ = [
    "Bool", "Checked", "Count", "Diagnostic", "IllegalProgram", "Index", "Int", "Program",
    "RasplError", "check", "load", "parse", "program", "programs",
]  # fmt: skip
__all__ += _functions

_LAZY = {
    "align": "raspl.api:align",
    "compile": "raspl.compiler:compile",
    "load_run": "raspl.api:load_run",
    "predict": "raspl.api:predict",
    "search": "raspl.api:search",
    "tasks": "raspl.tasks",
    "train": "raspl.api:train",
}
"""What is looked up when first used, so that the language loads without it."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'raspl' has no attribute {name!r}")
    module, _, attribute = _LAZY[name].partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY, "__version__"})
